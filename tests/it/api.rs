//! The public API: what it consists of, and what the examples in its documentation do not show.

use crate::program::{copy_of, root};
use ovlint::{
    Analysis, Applicability, Cost, DiffLevel, ElementType, Error, ErrorKind, Finding, Fixed, Format, Found, Inputs,
    Limits, Options, Output, Profile, Report, Rule, Severity, Store, Tensor, Weights, Why, split, variadic_split,
};
use std::ops::Range;
use std::sync::Arc;

/// Everything at the root of the crate. A name added here is a promise to users of the library.
const NAMES: [&str; 43] = [
    "Analysis",
    "Applicability",
    "Cost",
    "Device",
    "Diff",
    "DiffLevel",
    "Dim",
    "Direction",
    "Drawing",
    "Edited",
    "ElementType",
    "Error",
    "ErrorKind",
    "Extraction",
    "Finding",
    "Fixed",
    "Folder",
    "Format",
    "Found",
    "Group",
    "Inputs",
    "Language",
    "LayerRef",
    "Limits",
    "Options",
    "Output",
    "PortRef",
    "Position",
    "Profile",
    "Reduced",
    "Reduction",
    "Report",
    "Rule",
    "Runtime",
    "Severity",
    "Store",
    "Tensor",
    "View",
    "Weights",
    "Why",
    "shapes",
    "split",
    "variadic_split",
];

#[test]
fn the_root_of_the_crate_has_these_names() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    let public: Vec<&str> = text.split("\npub ").skip(1).collect();
    let [internal, api] = public.as_slice() else { panic!("{public:?}") };
    assert!(internal.starts_with("mod internal;"));
    assert!(text.contains("#[doc(hidden)]\npub mod internal;"));
    let names = api.strip_prefix("use api::{").unwrap().split('}').next().unwrap();
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    assert_eq!(names, NAMES);
}

#[test]
fn everything_goes_to_other_threads() {
    fn all<T: Send + Sync + std::fmt::Debug>() {}
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    all::<Analysis>();
    all::<Options>();
    all::<Finding>();
    all::<Output>();
    all::<Report>();
    all::<Fixed>();
    all::<Found>();
    all::<Why>();
    all::<Inputs>();
    all::<Cost>();
    all::<Tensor>();
    error::<Error>();
}

fn sample(rule: &str) -> std::path::PathBuf {
    root().join(format!("bad/{rule}/model.xml"))
}

#[test]
fn rules_that_are_off_by_default_report_nothing() {
    let rules = |options: &Options| {
        let report = Analysis::open(sample("declared-dynamic"), options).unwrap();
        report.findings().map(|finding| finding.rule().name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&Options::new()), [""; 0]);
    assert_eq!(rules(&Options::new().enable("declared-dynamic").unwrap()), ["declared-dynamic"]);
}

fn failure<T: std::fmt::Debug>(result: Result<T, Error>) -> (ErrorKind, String) {
    let error = result.unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn arguments_that_mean_nothing_are_errors() {
    let options = Options::new;
    for (result, wanted) in [
        (
            options().enable("declared_shape"),
            "there is no rule or group `declared_shape`; did you mean `declared-shape`?",
        ),
        (options().disable("E501"), "there is no rule or group `E501`; `ovlint explain` lists all"),
        (options().severity("shape", Severity::Info), "there is no rule or group `shape`; did you mean `shapes`?"),
        (options().target("2024.9"), "OpenVINO 2024.9 is not known; releases are 2020.1 to 2026.4"),
        (options().input_shapes("x[a]"), "`x[a]` is not a list of shapes such as `images[1,3,640,640],mask[1,?]`"),
    ] {
        assert_eq!(failure(result), (ErrorKind::Argument, wanted.to_owned()));
    }
    let analysis = Analysis::open(root().join("models/split.xml"), &options()).unwrap();
    let unknown = "the model has no layer or tensor `spilt_3`; did you mean `split_3`?";
    assert_eq!(failure(analysis.why("spilt_3", 6)), (ErrorKind::Argument, unknown.to_owned()));
}

#[test]
fn input_shapes_that_do_not_fit_are_an_error() {
    let path = root().join("models/detector.xml");
    let open = |shapes| Analysis::open(&path, &Options::new().input_shapes(shapes).unwrap());
    let (kind, message) = failure(open("image[1,3,64,64]"));
    assert_eq!(kind, ErrorKind::InputShapes);
    assert!(message.ends_with("detector.xml: the model has no input `image`; did you mean `images`?"), "{message}");
    let analysis = open("images[2,3,64,64]").unwrap();
    let input = analysis.outputs().find(|output| output.layer().type_name() == "Parameter").unwrap();
    assert_eq!(input.to_string(), "u8[2,3,64,64]");
}

#[test]
fn inputs_are_those_of_the_file() {
    let analysis = Analysis::open(root().join("models/feature_pyramid.xml"), &Options::new()).unwrap();
    let inputs = analysis.inputs().unwrap();
    assert!(inputs.is_complete() && inputs.works().is_none());
    assert!(inputs.to_string().contains("\n  images  f32[batch, 3, height, width]\n"), "{inputs}");
    assert!(inputs.to_json().unwrap().contains("\"expr\":\"height % 32 == 0\""));
    let open = Options::new().input_shapes("data[?,?,10,24]").unwrap();
    let fixed = Analysis::open(root().join("models/split.xml"), &open).unwrap().inputs().unwrap();
    assert!(fixed.to_string().contains("\n  d1 % 3 == 0  `split_3` (Split, line 21)\n") && fixed.works().is_none());
    let broken = Analysis::open(sample("xml-malformed"), &Options::new()).unwrap();
    assert_eq!(failure(broken.inputs()).0, ErrorKind::Unreadable);
}

#[test]
fn inputs_answer_for_the_shapes_of_the_options() {
    for (width, works) in [(64, true), (65, false)] {
        let options = Options::new().input_shapes(&format!("images[2,3,64,{width}]")).unwrap();
        let analysis = Analysis::open(root().join("models/feature_pyramid.xml"), &options).unwrap();
        let inputs = analysis.inputs().unwrap();
        assert_eq!(inputs.works(), Some(works));
        assert!(inputs.to_string().starts_with(if works { "yes: " } else { "no: " }), "{inputs}");
        assert!(inputs.to_json().unwrap().contains(&format!("\"works\":{works}")));
    }
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let path = folder.path().join("model.xml");
    let mut limits = Limits::default();
    limits.xml_size = 10;
    let (kind, message) = failure(Analysis::open(&path, &Options::new().limits(limits)));
    assert_eq!(kind, ErrorKind::TooLarge);
    assert!(message.contains("more than the limit of 10"), "{message}");
    let config = folder.path().join("ovlint.toml");
    std::fs::write(&config, "profile = \"strict\"\n").unwrap();
    let (kind, message) = failure(Options::new().config(&config));
    assert_eq!(kind, ErrorKind::Config);
    assert!(message.contains("ovlint.toml:1:"), "{message}");
}

#[test]
fn the_configuration_and_the_options_decide_what_is_found() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let path = folder.path().join("model.xml");
    let found = |options: &Options| -> Vec<(&str, Severity)> {
        let analysis = Analysis::open(&path, options).unwrap();
        analysis.findings().map(|finding| (finding.rule().name(), finding.severity())).collect()
    };
    assert_eq!(found(&Options::new()), [("declared-shape", Severity::Error)]);
    assert_eq!(found(&Options::new().profile(Profile::Runtime)), []);
    assert_eq!(found(&Options::new().disable("declared").unwrap()), []);
    assert_eq!(found(&Options::new().infer(false)), []);
    assert_eq!(found(&Options::new().only("weights").unwrap()), []);
    assert_eq!(found(&Options::new().only("declared").unwrap()), [("declared-shape", Severity::Error)]);
    let config = folder.path().join("ovlint.toml");
    std::fs::write(&config, "[rules]\ndeclared-shape = \"info\"\n").unwrap();
    let options = Options::new().config(&config).unwrap();
    assert_eq!(found(&options), [("declared-shape", Severity::Info)]);
    let options = options.severity("declared-shape", Severity::Warning).unwrap();
    assert_eq!(found(&options), [("declared-shape", Severity::Warning)]);
}

/// Bytes that are copied where they are needed.
#[derive(Debug)]
struct Foreign(Vec<u8>);

impl Store for Foreign {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> std::io::Result<Vec<Vec<u8>>> {
        let at = |place| usize::try_from(place).unwrap();
        Ok(ranges.iter().map(|range| self.0[at(range.start)..at(range.end)].to_vec()).collect())
    }
}

#[test]
fn weights_come_from_files_or_memory() {
    let path = sample("declared-shape");
    let bytes = std::fs::read(path.with_extension("bin")).unwrap();
    let known = |options: Options| {
        let analysis = Analysis::open(&path, &options).unwrap();
        analysis.outputs().find(|output| output.layer().type_name() == "Split").unwrap().to_string()
    };
    let file = Weights::File(path.with_extension("bin"));
    let memory = Weights::Memory(Arc::new(Foreign(bytes.clone())));
    for weights in [Weights::Auto, file, Weights::Bytes(bytes.clone().into()), memory] {
        assert_eq!(known(Options::new().weights(weights)), "f32[6,4]");
    }
    // Without the axis, the ports give the shapes.
    assert_eq!(known(Options::new().weights(Weights::Skip)), "f32[6,4]");
    let long = Options::new().weights(Weights::Memory(Arc::new(Foreign(vec![0; 200]))));
    let analysis = Analysis::open(&path, &long).unwrap();
    let messages: Vec<&str> = analysis.findings().map(|finding| finding.message()).collect();
    assert!(messages.contains(&"no constant uses the last 192 of the 200 bytes of the weights file"), "{messages:?}");
}

#[test]
fn fixes_are_written_where_the_model_is() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let path = folder.path().join("model.xml");
    let fixed = Analysis::open(&path, &Options::new()).unwrap().fix(Applicability::Safe).unwrap();
    assert!(fixed.is_complete() && fixed.refused().len() == 0);
    fixed.write().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), fixed.xml());
    let clean = Analysis::open(&path, &Options::new()).unwrap();
    std::fs::write(&path, "<net/>").unwrap();
    assert_eq!(failure(fixed.write()).0, ErrorKind::Unwritable, "somebody else changed the file");
    assert_eq!(std::fs::read(&path).unwrap(), b"<net/>");
    assert_eq!(clean.findings().len(), 0);
    let unchanged = clean.fix(Applicability::Unsafe).unwrap();
    assert_eq!((unchanged.diff(), unchanged.applied().len()), (String::new(), 0));
    unchanged.write().unwrap();
}

#[test]
fn reports_are_those_of_the_command() {
    let path = sample("declared-shape");
    let analysis = Analysis::open(&path, &Options::new()).unwrap();
    let report = Report::from_iter([&analysis]);
    for format in Format::ALL {
        let out = crate::program::ovlint(&root(), ["check", path.to_str().unwrap(), "--format", format.name()]);
        assert_eq!(report.render(format).unwrap(), crate::program::utf8(&out.stdout), "{}", format.name());
    }
    assert_eq!(report.count(Severity::Error), 1);
}

#[test]
fn shapes_and_differences_are_those_of_the_command() {
    let [old, new] = ["models/split.xml", "models/variadic_split.xml"].map(|path| root().join(path));
    let [before, now] = [&old, &new].map(|path| Analysis::open(path, &Options::new()).unwrap());
    let [old, new] = [&old, &new].map(|path| path.to_str().unwrap());
    let printed = |args: &[&str]| crate::program::utf8(&crate::program::ovlint(&root(), args.iter().copied()).stdout);
    assert_eq!(before.shapes_json().unwrap() + "\n", printed(&["shapes", old, "--format", "json"]));
    let diff = before.diff(&now, DiffLevel::Weights).unwrap();
    assert!(!diff.is_empty() && diff.unread().is_none());
    assert_eq!(diff.to_string(), printed(&["diff", old, new]));
    assert_eq!(diff.to_json().unwrap() + "\n", printed(&["diff", old, new, "--format", "json"]));
    let broken = Analysis::from_bytes("none.xml", "<a/>", &Options::new()).unwrap();
    let (kind, message) = failure(before.diff(&broken, DiffLevel::Bytes));
    assert_eq!(kind, ErrorKind::Unreadable);
    assert!(message.starts_with("none.xml: "), "{message}");
}

#[test]
fn rules_are_known_by_name() {
    assert_eq!(Rule::all().len(), ovlint::internal::policy::catalogue::RULES.len());
    assert!(Rule::all().all(|rule| Rule::find(rule.name()) == Some(rule)));
}

#[test]
fn impossible_splits_say_why() {
    let data = Tensor::new(ElementType::U8, &[2, 4], vec![0; 8]).unwrap();
    let message = |result| failure::<Vec<Tensor>>(result).1;
    assert_eq!(message(split(&data, 2, 1)), "axis 2 is outside -2..2");
    assert_eq!(message(split(&data, i64::MIN, 1)), "axis -9223372036854775808 is outside -2..2");
    assert_eq!(message(split(&data, 1, 3)), "dimension 1 is 4, which is not a multiple of 3");
    assert_eq!(message(split(&data, 1, 0)), "dimension 1 is 4, which is not a multiple of 0");
    assert_eq!(message(variadic_split(&data, 1, &[1, -2])), "length -2 is below -1");
    assert_eq!(message(variadic_split(&data, 1, &[-1, 1, -1])), "2 lengths are -1, at most one may be");
    assert_eq!(message(variadic_split(&data, 1, &[5, -1])), "the parts add up to 5, dimension 1 is 4");
    assert_eq!(failure(Tensor::new(ElementType::F32, &[2], vec![0; 7])).0, ErrorKind::Tensor);
}
