//! Fixes: byte edits that are applied in memory and verified before a file is written.
//!
//! ```
//! use ovlint::internal::diagnostic::Applicability;
//! use ovlint::internal::{Model, Options, Weights, fix};
//!
//! let xml = r#"<net name="m" version="11"><layers>
//!     <layer id="0" name="x" type="Parameter" version="opset1">
//!         <data shape="6,?" element_type="f32"/>
//!         <output><port id="0" precision="FP32"><dim>7</dim><dim>-1</dim></port></output>
//!     </layer>
//!     <layer id="1" name="r" type="Result" version="opset1">
//!         <input><port id="0" precision="FP32"><dim>7</dim><dim>-1</dim></port></input>
//!     </layer>
//! </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"#;
//! let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default())?;
//! let fixed = fix::fix(model, Applicability::Safe, &fix::everything)?;
//! assert_eq!(fixed.model.findings(), []);
//! assert_eq!(fixed.model.source().bytes(), xml.replace("<dim>7", "<dim>6").as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod proof;

pub use crate::diagnostic::unified_diff;
pub use crate::edit::write;

use crate::analysis::Model;
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Applicability, Diagnostic, Edit, FindingId, LIMIT_EXCEEDED, Severity, fingerprint_by_name};
use crate::edit::{Text, applied};
use crate::limits::PROOFS;
use crate::source::{Source, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A model with its fixes applied.
#[derive(Debug)]
pub struct Fixed {
    /// The model with all fixes that were kept; unchanged if there are none.
    pub model: Model,
    /// The former text; `None` if nothing changed.
    pub original: Option<Source>,
    /// The edits of the original text, in order and without overlap.
    pub edits: Vec<Edit>,
    /// The fixed findings, in the order in which they were fixed. Their primary spans begin where the original has the place,
    /// all others refer to the text in which they were found.
    pub applied: Vec<Diagnostic>,
    /// The findings whose fixes were refused, each with the reason.
    pub refused: Vec<(Diagnostic, String)>,
    /// Set if some fixes were not tried because of the limit on attempts.
    pub is_cut_off: bool,
}

/// A function that selects the findings to fix.
pub type Wanted<'a> = dyn for<'m> Fn(&'m Model) -> Cow<'m, [Diagnostic]> + 'a;

/// Selects all findings of a model.
pub fn everything(model: &Model) -> Cow<'_, [Diagnostic]> {
    Cow::Borrowed(model.findings())
}

/// Applies the fixes of the findings that `wanted` selects, until nothing changes; findings with severity `off` stay.
///
/// `Applicability::Safe` edits only text that OpenVINO ignores; `Unsafe` may change the model as well. A fix is kept only if
/// its finding is gone afterwards and no other appears. After an unsafe fix, new findings are accepted if they are less
/// severe than errors or have a safe fix. Safe fixes must also keep every element, attribute, and inferred type, shape and
/// value. No file is written: see [`write()`].
///
/// # Errors
/// If there is something to fix in a file that is not in UTF-8.
pub fn fix(model: Model, level: Applicability, wanted: &Wanted) -> Result<Fixed, String> {
    let mut round = Round { wanted, applied: Vec::new(), refused: Vec::new(), known: BTreeSet::new(), left: PROOFS };
    let levels: &[Applicability] = match level {
        Applicability::Safe => &[Applicability::Safe],
        Applicability::Unsafe => &[Applicability::Safe, Applicability::Unsafe],
    };
    let next = |round: &Round, model: &Model| {
        let found = levels.iter().map(|level| (*level, round.candidates(model, *level)));
        found.into_iter().find(|(_, found)| !found.is_empty())
    };
    if let Some(encoding) = model.source().encoding()
        && next(&round, &model).is_some()
    {
        return Err(format!("the file is in {encoding}; only UTF-8 is edited"));
    }
    // Findings omitted by the limit can have fixes too, so check again without it.
    let is_cut = model.findings().iter().any(|finding| finding.rule == &LIMIT_EXCEEDED);
    let in_full = (is_cut && model.source().encoding().is_none())
        .then(|| model.edited(model.source().bytes().to_vec()).ok())
        .flatten();
    let model = in_full.unwrap_or(model);
    let length = model.source().bytes().len();
    let (mut now, mut text, mut original, mut is_cut_off) = (model, Text::new(length), None, false);
    let mut is_changed = false;
    loop {
        let Some((applicability, candidates)) = next(&round, &now) else {
            // Try refused fixes again in the changed text.
            if !is_changed || round.refused.is_empty() {
                break;
            }
            is_changed = false;
            round.known.clear();
            round.refused.clear();
            continue;
        };
        if round.left == 0 {
            is_cut_off = true;
            break;
        }
        let earlier = round.applied.len();
        if let Some((next, edits)) = round.apply_proved(&now, candidates, applicability) {
            for finding in round.applied.iter_mut().skip(earlier) {
                let start = text.origin(finding.primary.span.start as usize);
                finding.primary.span = Span::new(start, start);
            }
            text.apply(&edits);
            let before = std::mem::replace(&mut now, next);
            original.get_or_insert(before.into_source());
            is_changed = true;
        }
    }
    let Round { applied, refused, .. } = round;
    Ok(Fixed { model: now, original, edits: text.edits(length), applied, refused, is_cut_off })
}

/// The state of fixing one file.
struct Round<'a> {
    wanted: &'a Wanted<'a>,
    applied: Vec<Diagnostic>,
    refused: Vec<(Diagnostic, String)>,
    /// The keys of refused fixes.
    known: BTreeSet<(String, Vec<String>)>,
    /// The number of attempts left.
    left: usize,
}

impl Round<'_> {
    /// Returns findings whose fixes can be applied together and were not refused before. What follows from a finding that is
    /// not fixed stays as it is: it shows what was meant.
    fn candidates(&self, model: &Model, applicability: Applicability) -> Vec<Diagnostic> {
        let wanted = (self.wanted)(model);
        let by_id: BTreeMap<FindingId, &Diagnostic> =
            wanted.iter().filter_map(|finding| Some((finding.id?, finding))).into_map();
        let has_fix = |finding: &Diagnostic| {
            finding.fix.as_ref().is_some_and(|fix| fix.applicability == applicability)
                && !self.known.contains(&key(finding))
        };
        let cause = |finding: &Diagnostic| by_id.get(&finding.consequence_of.as_ref()?.finding).copied();
        let stays = |cause: &Diagnostic| cause.severity > Severity::Info && !has_fix(cause);
        let mut chosen = Chosen::default();
        let admitted = |finding: &&Diagnostic| {
            has_fix(finding)
                && finding.severity != Severity::Off
                && !std::iter::successors(cause(finding), |of| cause(of)).any(stays)
        };
        let mut found = Vec::new();
        for finding in wanted.iter().filter(admitted) {
            if finding.fix.as_ref().is_some_and(|fix| chosen.add(&fix.edits)) {
                found.push(finding.clone());
            }
        }
        found
    }

    /// Applies all fixes together if that can be proved. Otherwise applies only those of the first half, or else of the second,
    /// recursively. Returns `None` if none was applied.
    fn apply_proved(
        &mut self,
        now: &Model,
        mut findings: Vec<Diagnostic>,
        applicability: Applicability,
    ) -> Option<(Model, Vec<Edit>)> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let mut edits: Vec<Edit> =
            findings.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| fix.edits.clone()).collect();
        edits.arrange_by_key(|edit| (edit.span.start, edit.span.end));
        edits.dedup();
        let next = now.edited(applied(now.source().bytes(), &edits)).map_err(|_| proof::UNREADABLE.to_owned());
        match next.and_then(|next| proof::prove(now, &next, applicability, &findings).map(|()| next)) {
            Ok(next) => {
                self.applied.append(&mut findings);
                Some((next, edits))
            }
            Err(_) if findings.len() > 1 => {
                let second = findings.split_off(findings.len() / 2);
                self.apply_proved(now, findings, applicability)
                    .or_else(|| self.apply_proved(now, second, applicability))
            }
            Err(refusal) => {
                self.known.extend(findings.iter().map(key));
                self.refused.extend(findings.into_iter().map(|only| (only, refusal.clone())));
                None
            }
        }
    }
}

/// Returns the identity of a fix, independent of its position: the finding and the new text.
fn key(finding: &Diagnostic) -> (String, Vec<String>) {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    (fingerprint_by_name(finding), edits.map(|edit| edit.text.clone()).collect())
}

/// The edits chosen so far.
#[derive(Default)]
struct Chosen(BTreeMap<(u32, u32), String>);

impl Chosen {
    /// Adds edits if each is equal to an edit chosen before, or does not touch any. Returns whether it added them.
    fn add(&mut self, edits: &[Edit]) -> bool {
        let fits = |edit: &Edit| {
            let (start, end) = (edit.span.start, edit.span.end);
            if self.0.get(&(start, end)).is_some_and(|text| *text == edit.text) {
                return true;
            }
            // Adjacent edits wait for another round, because the result would depend on their order.
            let before = self.0.range(..(start, end)).next_back().is_none_or(|((_, last), _)| *last < start);
            let after = self.0.range((start, end)..).next().is_none_or(|((first, _), _)| *first > end);
            before && after && start <= end
        };
        let ordered = edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        if edits.is_empty() || !ordered || !edits.iter().all(fits) {
            return false;
        }
        self.0.extend(edits.iter().map(|edit| ((edit.span.start, edit.span.end), edit.text.clone())));
        true
    }
}
