//! `ovlint.toml`: a configuration is read or refused with a place in it, and decides about a model that has findings.

use ovlint::internal::input::Bounds;
use ovlint::internal::policy::Settings;
use std::path::Path;

/// A Parameter and a Result that contradict each other, with a comment.
const XML: &str = "<net name='m' version='11'><!-- ovlint: ignore[cycle]: no --><layers>\
    <layer id='0' name='x' type='Parameter' version='opset1'><data shape='6' element_type='f32'/>\
    <output><port id='0' precision='FP32' names='a'><dim>7</dim></port></output></layer>\
    <layer id='1' name='y' type='Odd' version='custom'><input><port id='0'><dim>6</dim></port></input>\
    <output><port id='1' precision='FP32'><dim>7</dim></port></output></layer>\
    <layer id='2' name='r' type='Result' version='opset1'><input><port id='0'><dim>8</dim></port></input></layer>\
    </layers><edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>\
    <edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges></net>";

/// One input.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = Path::new("/models");
    let bounds = || Some(Bounds::of(folder));
    for name in ["ovlint.toml", "pyproject.toml"] {
        let settings = match Settings::parse(Path::new(name), folder, bounds(), text.to_owned()) {
            Ok(Some(settings)) => settings,
            Ok(None) => continue,
            Err(error) => {
                let lines = text.split('\n').count();
                let is_inside = error.place.is_none_or(|place| (1..=lines).contains(&(place.line as usize)));
                assert!(is_inside, "{error} is outside the file");
                continue;
            }
        };
        let shown = settings.show();
        let again = Settings::parse(Path::new("ovlint.toml"), folder, bounds(), shown.clone())
            .map(|read| read.map(|read| read.show()));
        assert_eq!(again.map_err(|error| error.to_string()), Ok(Some(shown)), "settings are shown as others");
        let path = folder.join("a/b.xml");
        settings.takes(&path);
        let options = settings.selection_for(&path).options(super::options());
        let model = super::model(XML.as_bytes(), &[], &options);
        let judged = settings.judge(&path, &model);
        assert!(judged.used_ignores.iter().all(|used| *used < settings.ignores.len()));
        assert!(judged.findings.is_sorted_by_key(|finding| finding.primary.span));
    }
}
