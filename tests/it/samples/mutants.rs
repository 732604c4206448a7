//! Valid and faulty files changed at random, the same in every run: nothing panics, findings are in order and in the
//! file, every report can be written, and a second run says the same.
//!
//! What must hold is what the fuzz target `check` holds. `OVLINT_DRAWS=100` makes a hundred times as many mutants.

use super::fuzz_seeds::bodies::check::model as check;
use crate::draws::draws;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Mutants of one file.
const MUTANTS: usize = 9;

/// Numbers without pattern (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % count.max(1) as u64).unwrap()
    }

    pub(crate) fn of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())].clone())
    }
}

/// What takes the place of a value or stands between tags.
const TEXTS: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "-1",
    "-2",
    "7",
    "65537",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "1.5",
    "nan",
    "1,2",
    "1,,2",
    "?",
    "1..4",
    "...",
    "f32",
    "i64",
    "FP16",
    "string",
    "x",
    "opset1",
    "opset8",
    "opset15",
    "Result",
    "Const",
    "Split",
    "Loop",
    "If",
    "Reshape",
    "&#0;",
    "&foo;",
    "&#49;",
    "<",
    ">",
    "\"",
    "'",
    "<!-- x -->",
    "<!-- ovlint: ignore[declared-shape, input-port-mismatch] -->",
    "<!-- ovlint: ignore[shapes] why -->\n",
    "<![CDATA[1]]>",
    "<dim>3</dim>",
    "\u{feff}",
    "\u{1}",
    "\0",
    "ä",
    "true",
];

/// A file to start from.
pub(crate) struct Seed {
    pub(crate) name: String,
    pub(crate) xml: Vec<u8>,
    pub(crate) weights: Vec<u8>,
}

/// Every sample, and models whose bodies and constants have no file of their own.
pub(crate) fn seeds() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples");
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|ending| ending == "xml") => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    let read = |path: PathBuf| Seed {
        name: path.display().to_string(),
        xml: std::fs::read(&path).unwrap(),
        weights: std::fs::read(path.with_extension("bin")).unwrap_or_default(),
    };
    let written = BODIES.iter().map(|(name, xml)| Seed {
        name: (*name).to_owned(),
        xml: xml.as_bytes().to_vec(),
        weights: (0..64).flat_map(|n: i64| (n % 4).to_le_bytes()).collect(),
    });
    paths.into_iter().map(read).filter(|seed| seed.xml.len() < 100_000).chain(written).collect()
}

/// The tags of a text, as far as `<` and `>` delimit them.
fn tags(text: &[u8]) -> Vec<Range<usize>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', &text[at..]).map(|place| at + place) {
        let Some(end) = memchr::memchr(b'>', &text[start..]).map(|place| start + place + 1) else { break };
        tags.push(start..end);
        at = end;
    }
    tags
}

/// The attributes in a tag: all of each, and the value.
fn attributes(text: &[u8], tag: &Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = tag.start;
    while let Some(equals) = memchr::memchr(b'=', &text[at..tag.end]).map(|place| at + place) {
        let Some(quote) = text.get(equals + 1).copied().filter(|byte| matches!(byte, b'"' | b'\'')) else { break };
        let Some(length) = memchr::memchr(quote, &text[equals + 2..tag.end]) else { break };
        let name = text[at..equals].iter().rposition(u8::is_ascii_whitespace).map_or(at, |blank| at + blank);
        let value = equals + 2..equals + 2 + length;
        found.push((name..value.end + 1, value.clone()));
        at = value.end + 1;
    }
    found
}

/// The numbers and words between tags.
fn words(text: &[u8], tags: &[Range<usize>]) -> Vec<Range<usize>> {
    let between = tags.windows(2).map(|pair| pair[0].end..pair[1].start);
    between.filter(|gap| text[gap.clone()].iter().any(|byte| !byte.is_ascii_whitespace())).collect()
}

fn swap(text: &mut Vec<u8>, a: Range<usize>, b: Range<usize>) {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end <= second.start {
        let (one, two) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        text.splice(second, one);
        text.splice(first, two);
    }
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    let tags = tags(text);
    let tag = random.of(&tags).unwrap_or(0..0);
    let other = random.of(&tags).unwrap_or(0..0);
    let attribute = random.of(&attributes(text, &tag));
    let more = random.of(&attributes(text, &other));
    let word = random.of(&words(text, &tags));
    let place = random.below(text.len());
    let new = random.of(TEXTS).unwrap_or_default().as_bytes().to_vec();
    match (random.below(22), attribute, more) {
        (0, ..) => drop(text.drain(tag)),
        (1, ..) => drop(text.splice(tag.end..tag.end, text[tag].to_vec())),
        (2, ..) => swap(text, tag, other),
        // From one tag up to another.
        (3, ..) if tag.end <= other.start => drop(text.drain(tag.start..other.start)),
        (4, ..) if tag.end <= other.start && other.start - tag.start < 4_000 => {
            drop(text.splice(other.end..other.end, text[tag.start..other.start].to_vec()));
        }
        (5, ..) => text.truncate(place),
        (6, Some((whole, _)), _) => drop(text.drain(whole)),
        (7, Some((whole, _)), _) => drop(text.splice(whole.end..whole.end, text[whole].to_vec())),
        (8, Some((_, value)), Some((_, other))) => swap(text, value, other),
        (9 | 10, Some((_, value)), _) => drop(text.splice(value, new)),
        (11, Some((_, value)), Some((_, other))) => drop(text.splice(value, text[other].to_vec())),
        (12, Some((_, value)), _) => drop(text.splice(value.end..value.end, new)),
        (13, ..) if !text.is_empty() => drop(text.remove(place)),
        (14, ..) => text.insert(place, u8::try_from(random.below(256)).unwrap()),
        (15, ..) if !text.is_empty() => text[place] ^= 1 << random.below(8),
        (16, ..) => drop(text.splice(place..place, new)),
        (17 | 18, ..) => drop(word.map(|word| text.splice(word, new))),
        (19, ..) => text[tag].make_ascii_uppercase(),
        (20, ..) => drop(text.splice(tag.end..tag.end, new)),
        _ => drop(word.map(|word| text.splice(word.clone(), text[random.of(&words(text, &tags)).unwrap()].to_vec()))),
    }
}

pub(crate) fn mutant(seed: &Seed, number: usize) -> (Vec<u8>, Vec<u8>) {
    let mut random = Random((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.xml.len() as u64);
    let (mut xml, mut weights) = (seed.xml.clone(), seed.weights.clone());
    for _ in 0..=random.below(3) {
        mutate(&mut xml, &mut random);
    }
    match random.below(8) {
        0 => weights.truncate(random.below(seed.weights.len() + 1)),
        1 if !weights.is_empty() => {
            let at = random.below(weights.len());
            weights[at] ^= 1 << random.below(8);
        }
        _ => {}
    }
    (xml, weights)
}

/// The mutants of one file in four, so that the tests share the cores.
fn reported_not_fatal(part: usize) {
    let seeds = seeds();
    let mut failed = Vec::new();
    for seed in seeds.iter().skip(part).step_by(4) {
        assert!(catch_unwind(|| check(&seed.xml, &seed.weights)).is_ok(), "{} itself", seed.name);
        for number in 0..draws(MUTANTS) {
            let (xml, weights) = mutant(seed, number);
            if catch_unwind(AssertUnwindSafe(|| check(&xml, &weights))).is_err() {
                failed.push(format!("mutant {number} of {}", seed.name));
                if let Some(folder) = std::env::var_os("OVLINT_MUTANTS_DIR") {
                    let path = Path::new(&folder).join(format!("{part}-{}.xml", failed.len()));
                    std::fs::write(&path, &xml).unwrap();
                    std::fs::write(path.with_extension("bin"), &weights).unwrap();
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn first_quarter_is_reported_not_fatal() {
    reported_not_fatal(0);
}

#[test]
fn second_quarter_is_reported_not_fatal() {
    reported_not_fatal(1);
}

#[test]
fn third_quarter_is_reported_not_fatal() {
    reported_not_fatal(2);
}

#[test]
fn fourth_quarter_is_reported_not_fatal() {
    reported_not_fatal(3);
}

const BODIES: &[(&str, &str)] = &[
    (
        "an If with two branches, one of which splits",
        r#"<net name="if" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1..8,6" element_type="f32"/><output><port id="0" precision="FP32"><dim>-1</dim><dim>6</dim></port></output></layer>
<layer id="1" name="c" type="Parameter" version="opset1"><data shape="" element_type="boolean"/><output><port id="0" precision="BOOL"/></output></layer>
<layer id="2" name="if" type="If" version="opset8">
<then_port_map><input external_port_id="1" internal_layer_id="0"/><output external_port_id="0" internal_layer_id="3"/></then_port_map>
<else_port_map><input external_port_id="1" internal_layer_id="0"/><output external_port_id="0" internal_layer_id="1"/></else_port_map>
<input><port id="0" precision="BOOL"/><port id="1" precision="FP32"><dim>-1</dim><dim>6</dim></port></input>
<output><port id="2" precision="FP32"><dim>-1</dim><dim>-1</dim></port></output>
<then_body><layers>
<layer id="0" name="a" type="Parameter" version="opset1"><data shape="1..8,6" element_type="f32"/><output><port id="0" precision="FP32"><dim>-1</dim><dim>6</dim></port></output></layer>
<layer id="1" name="axis" type="Const" version="opset1"><data element_type="i64" shape="" offset="8" size="8"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="split" type="Split" version="opset1"><data num_splits="2"/><input><port id="0" precision="FP32"><dim>-1</dim><dim>6</dim></port><port id="1" precision="I64"/></input><output><port id="2" precision="FP32"><dim>-1</dim><dim>3</dim></port><port id="3" precision="FP32"><dim>-1</dim><dim>3</dim></port></output></layer>
<layer id="3" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="3" to-layer="3" to-port="0"/></edges></then_body>
<else_body><layers>
<layer id="0" name="b" type="Parameter" version="opset1"><data shape="1..8,6" element_type="f32"/><output><port id="0" precision="FP32"><dim>-1</dim><dim>6</dim></port></output></layer>
<layer id="1" name="z" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>6</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></else_body>
</layer>
<layer id="3" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>-1</dim></port></input></layer>
</layers><edges><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/><edge from-layer="0" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>"#,
    ),
    (
        "a Loop that slices, carries and collects",
        r#"<net name="loop" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,2,4" element_type="f32"/><output><port id="0" precision="FP32"><dim>3</dim><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="1" name="trips" type="Const" version="opset1"><data element_type="i64" shape="" offset="24" size="8"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="go" type="Const" version="opset1"><data element_type="boolean" shape="" offset="8" size="1"/><output><port id="0" precision="BOOL"/></output></layer>
<layer id="3" name="init" type="Const" version="opset1"><data element_type="f32" shape="1, 2, 4" offset="0" size="32"/><output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="4" name="loop" type="Loop" version="opset5">
<port_map><input axis="0" external_port_id="2" internal_layer_id="0" start="0" end="-1" stride="1" part_size="1"/><input external_port_id="3" internal_layer_id="1"/><input external_port_id="-1" internal_layer_id="6" purpose="current_iteration"/><output axis="0" external_port_id="4" internal_layer_id="3" start="0" end="-1" stride="1" part_size="1"/><output external_port_id="5" internal_layer_id="4"/><output external_port_id="-1" internal_layer_id="7" purpose="execution_condition"/></port_map>
<back_edges><edge from-layer="4" to-layer="1"/></back_edges>
<input><port id="0" precision="I64"/><port id="1" precision="BOOL"/><port id="2" precision="FP32"><dim>3</dim><dim>2</dim><dim>4</dim></port><port id="3" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></input>
<output><port id="4" precision="FP32"><dim>3</dim><dim>2</dim><dim>4</dim></port><port id="5" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output>
<body><layers>
<layer id="0" name="slice" type="Parameter" version="opset1"><data shape="1,2,4" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="1" name="state" type="Parameter" version="opset1"><data shape="1,2,4" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="6" name="i" type="Parameter" version="opset1"><data shape="" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="add" type="Add" version="opset1"><data auto_broadcast="numpy"/><input><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port><port id="1" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></input><output><port id="2" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="5" name="on" type="Const" version="opset1"><data element_type="boolean" shape="" offset="8" size="1"/><output><port id="0" precision="BOOL"/></output></layer>
<layer id="3" name="out" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></input></layer>
<layer id="4" name="next" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></input></layer>
<layer id="7" name="cond" type="Result" version="opset1"><input><port id="0" precision="BOOL"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="2" to-layer="3" to-port="0"/><edge from-layer="2" from-port="2" to-layer="4" to-port="0"/><edge from-layer="5" from-port="0" to-layer="7" to-port="0"/></edges></body>
</layer>
<layer id="5" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>3</dim><dim>2</dim><dim>4</dim></port></input></layer>
</layers><edges><edge from-layer="1" from-port="0" to-layer="4" to-port="0"/><edge from-layer="2" from-port="0" to-layer="4" to-port="1"/><edge from-layer="0" from-port="0" to-layer="4" to-port="2"/><edge from-layer="3" from-port="0" to-layer="4" to-port="3"/><edge from-layer="4" from-port="4" to-layer="5" to-port="0"/></edges></net>"#,
    ),
    (
        "a TensorIterator in IR version 10, and a variable",
        r#"<net name="ti" version="10"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,4,3" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim><dim>4</dim><dim>3</dim></port></output></layer>
<layer id="1" name="ti" type="TensorIterator" version="opset1">
<port_map><input axis="1" external_port_id="0" internal_layer_id="0" part_size="2" stride="2"/><output axis="1" external_port_id="1" internal_layer_id="2" part_size="2" stride="2"/></port_map>
<input><port id="0"><dim>2</dim><dim>4</dim><dim>3</dim></port></input>
<output><port id="1" precision="FP32"><dim>2</dim><dim>4</dim><dim>3</dim></port></output>
<body><layers>
<layer id="0" name="part" type="Parameter" version="opset1"><data shape="2,2,3" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="relu" type="ReLU" version="opset1"><input><port id="0"><dim>2</dim><dim>2</dim><dim>3</dim></port></input><output><port id="1" precision="FP32"><dim>2</dim><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="2" name="o" type="Result" version="opset1"><input><port id="0"><dim>2</dim><dim>2</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></body>
</layer>
<layer id="2" name="read" type="ReadValue" version="opset3"><data variable_id="v"/><input><port id="0"><dim>2</dim><dim>4</dim><dim>3</dim></port></input><output><port id="1" precision="FP32"><dim>2</dim><dim>4</dim><dim>3</dim></port></output></layer>
<layer id="3" name="write" type="Assign" version="opset3"><data variable_id="v"/><input><port id="0"><dim>2</dim><dim>4</dim><dim>3</dim></port></input><output><port id="1" precision="FP32"><dim>2</dim><dim>4</dim><dim>3</dim></port></output></layer>
<layer id="4" name="words" type="Const" version="opset1"><data element_type="string" shape="0" offset="0" size="8"/><output><port id="0" precision="STRING"><dim>0</dim></port></output></layer>
<layer id="5" name="r" type="Result" version="opset1"><input><port id="0"><dim>2</dim><dim>4</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/><edge from-layer="2" from-port="1" to-layer="3" to-port="0"/><edge from-layer="2" from-port="1" to-layer="5" to-port="0"/></edges></net>"#,
    ),
];
