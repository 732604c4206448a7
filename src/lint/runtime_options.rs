//! The `<runtime_options>` in the `<rt_info>` of a model: options that a device reads when it compiles the model.

use super::Checked;
use super::settings::Entry;
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, Net, levels};
use crate::ops::Action;
use crate::ops::devices::Device;
use crate::source::{Source, Span};
use crate::text::{did_you_mean, nearest};
use crate::types::{ElementType, release};

pub(crate) static RUNTIME_OPTION_VALUE: Rule = Rule::error(
    Group::File,
    "runtime-option-value",
    "OpenVINO cannot use a runtime option of the model",
    "The `<runtime_options>` in the `<rt_info>` of a model are read when the model is compiled. The CPU reads \
     `KV_CACHE_PRECISION`, `KEY_CACHE_PRECISION` and `VALUE_CACHE_PRECISION`, which are element types, and \
     `KEY_CACHE_GROUP_SIZE`, `VALUE_CACHE_GROUP_SIZE` and `DYNAMIC_QUANTIZATION_GROUP_SIZE`, which are numbers. If \
     OpenVINO cannot read one of them, it does not compile the model, even if the model has no KV cache. If the attention of the \
     model keeps a KV cache, the types must be f32, f16, bf16, u8 or u4, and the group sizes must divide the head \
     size.\n\n\
     Correct the option, or delete it.",
)
.runtime(Runtime::NotCompiled);

pub(crate) static RUNTIME_OPTION_IGNORED: Rule = Rule::error(
    Group::File,
    "runtime-option-ignored",
    "OpenVINO ignores a runtime option of the model",
    "OpenVINO reads few options from the `<runtime_options>` of a model, such as `KV_CACHE_PRECISION`. It ignores a \
     misspelt option without a warning, and also options such as `NUM_STREAMS` or `INFERENCE_PRECISION_HINT`, which \
     only take effect when you pass them to `compile_model`.\n\n\
     Correct the name, or delete the option here and pass it when you compile the model.",
)
.accepted(Severity::Warning);

const SECTION: &str = "runtime_options";

/// The kinds of options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An element type.
    Type,
    /// A number of 0 or more.
    Size,
    /// An option that only other devices than the CPU read.
    Other,
}

/// The options that devices read.
const READ: [(&str, Kind); 7] = [
    ("KV_CACHE_PRECISION", Kind::Type),
    ("KEY_CACHE_PRECISION", Kind::Type),
    ("VALUE_CACHE_PRECISION", Kind::Type),
    ("KEY_CACHE_GROUP_SIZE", Kind::Size),
    ("VALUE_CACHE_GROUP_SIZE", Kind::Size),
    ("DYNAMIC_QUANTIZATION_GROUP_SIZE", Kind::Size),
    ("ACTIVATIONS_SCALE_FACTOR", Kind::Other),
];

/// The element types of a KV cache, apart from `dynamic`, which leaves the choice to the device.
const CACHED: [ElementType; 5] =
    [ElementType::F32, ElementType::F16, ElementType::Bf16, ElementType::U8, ElementType::U4];

/// Checks the options of the net.
pub(super) fn check(checked: &Checked, net: &Net, sink: &mut Sink) {
    let source = checked.scope.source;
    let Some((section, options)) = net.settings.and_then(|note| options(source, note)) else { return };
    let is_read_by_cpu = checked.options.device.is_none_or(|device| device == Device::Cpu);
    let fault = |span, message: String| Diagnostic::new(&RUNTIME_OPTION_VALUE, span, message);
    if let Some((value, span)) = section.value.filter(|_| is_read_by_cpu) {
        let message = format!("`<{SECTION}>` has the value `{value}`, but must hold an element for each option");
        sink.report(fault(span, message).since(release(2024, 6)));
        return;
    }
    let caches = caches(checked);
    let given = |name: &str| options.iter().any(|option| option.name == name);
    for option in &options {
        let name = option.name.as_str();
        let Some((_, kind)) = READ.iter().find(|(own, _)| *own == name) else {
            let near = nearest(name, READ.iter().map(|(own, _)| *own));
            let message = format!("OpenVINO reads no option `{name}` from a model{}", did_you_mean(near));
            sink.report(Diagnostic::new(&RUNTIME_OPTION_IGNORED, option.tag, message));
            continue;
        };
        let of_cache = |size: &CacheSizes| if name.starts_with("KEY") { size.key } else { size.value };
        // `KV_CACHE_PRECISION` holds for what the two others leave open.
        let is_used = name != "KV_CACHE_PRECISION" || !given("KEY_CACHE_PRECISION") || !given("VALUE_CACHE_PRECISION");
        let why = match (*kind, &option.value) {
            (Kind::Other, _) => None,
            (_, None) => Some("has no `value`".to_owned()),
            (Kind::Type, Some((text, _))) => match element_type(text) {
                None => Some(format!("is `{text}`, which is not an element type such as u8")),
                Some(ty) if is_used && !caches.is_empty() && ty != ElementType::Dynamic && !CACHED.contains(&ty) => {
                    Some(format!("is {ty}, but a KV cache must be f32, f16, bf16, u8 or u4"))
                }
                Some(_) => None,
            },
            (Kind::Size, Some((text, _))) => match number(text) {
                None => Some(format!("is `{text}`, which is not a number of 0 or more")),
                Some(size) if size > 0 && name != "DYNAMIC_QUANTIZATION_GROUP_SIZE" => {
                    let head = caches.iter().filter_map(of_cache).find(|head| head % size != 0);
                    head.map(|head| format!("is {size}, which does not divide the head size {head}"))
                }
                Some(_) => None,
            },
        };
        // Each release since 2024.6 refuses more of them.
        let since = match (*kind, &option.value) {
            (Kind::Type, Some((text, _))) if caches.is_empty() && element_type(text).is_none() => release(2026, 0),
            (_, None) if name == "KV_CACHE_PRECISION" => release(2024, 6),
            _ if name == "DYNAMIC_QUANTIZATION_GROUP_SIZE" => release(2024, 6),
            _ => release(2025, 0),
        };
        if let Some(why) = why.filter(|_| is_read_by_cpu) {
            sink.report(fault(option.span(), format!("`{name}` {why}")).since(since));
        }
    }
}

/// Returns the section and its options; of two sections or options of one name, OpenVINO takes the last.
fn options(source: &Source, note: Span) -> Option<(Entry, Vec<Entry>)> {
    let (mut is_inside, mut found) = (false, None::<(Entry, Vec<Entry>)>);
    for (level, element, tag) in levels(source, note).filter(|(level, ..)| (1..=2).contains(level)) {
        if level == 1 {
            let section = Entry::of(source, element, tag);
            is_inside = section.name == SECTION;
            found = if is_inside { Some((section, Vec::new())) } else { found };
        } else if let Some((_, options)) = found.as_mut().filter(|_| is_inside) {
            let option = Entry::of(source, element, tag);
            options.retain(|other| other.name != option.name);
            options.push(option);
        }
    }
    found
}

/// The head sizes of an attention whose past is in variables.
struct CacheSizes {
    key: Option<u64>,
    value: Option<u64>,
}

/// Returns the attentions of a model with variables: the CPU keeps their keys and values in a cache.
fn caches(checked: &Checked) -> Vec<CacheSizes> {
    let graph = checked.scope.graph;
    let of = |action: Action| {
        let does = move |layer: &Layer| graph.kind(layer).spec().is_some_and(|spec| spec.action == action);
        graph.entries().map(|(_, layer)| layer).filter(move |layer| does(layer))
    };
    if of(Action::Reads).next().is_none() {
        return Vec::new();
    }
    let sizes = of(Action::Attends).map(|layer| {
        let head = |input: usize| {
            let fact = checked.facts.of_port(graph.inputs(layer).get(input)?)?;
            u64::try_from(fact.shape.dims()?.last()?.length()?).ok()
        };
        CacheSizes { key: head(1), value: head(2) }
    });
    sizes.collect()
}

/// Reads an element type as OpenVINO does: the first word, in either spelling. An empty text leaves the choice to the device.
fn element_type(text: &str) -> Option<ElementType> {
    if text.is_empty() {
        return Some(ElementType::Dynamic);
    }
    ElementType::from_port_text(text.split_whitespace().next()?)
}

/// Reads a number as C's `strtoul` does: after blanks and a sign, up to the first character that is no digit. A negative number
/// wraps around.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    let text = text.trim_start();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits.get(..end)?.parse::<u64>().ok()?;
    Some(if is_negative { number.wrapping_neg() } else { number })
}
