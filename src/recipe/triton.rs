//! The recipe for the OpenVINO backend of Triton: `config.pbtxt` against the model.

mod config;
mod text_format;

use super::companion::Companion;
use super::view::{Port, View};
use super::{Recipe, Row, doubt, recipe_rule};
use crate::diagnostic::{Direction, Rule, Severity, Sink};
use crate::text::{did_you_mean, nearest};
use crate::types::{Dim, ElementType};
use config::{Config, Tensor};
use std::path::Path;

const SOURCE: &str = "[openvino.cc](https://github.com/triton-inference-server/openvino_backend/blob/db19304291d4b8e52965801cb86b10e536b90450/src/openvino.cc#L500), 2026-08-21";

pub(crate) static TRITON_CONFIG: Rule = recipe_rule(
    "triton-config",
    "`config.pbtxt` cannot be read",
    "Checked with `--for triton` only. The configuration of a model stands in `config.pbtxt` in the folder above that of the \
     version, or beside the model; `--for triton=FILE` names another. It is in the text format of protocol buffers. \
     Without one, the backend takes inputs and outputs from the model.\n\n\
     Correct the line.",
);

pub(crate) static TRITON_PORT: Rule = recipe_rule(
    "triton-port",
    "`config.pbtxt` has other inputs or outputs than the model",
    "Checked with `--for triton` only. If `config.pbtxt` lists inputs, it must list all of them, and only them; outputs \
     that it lists must exist. They go by the names of tensors, so each tensor needs one.\n\n\
     Correct the names, or leave out `input` and `output` to have them taken from the model.\n\n\
     Read in `openvino.cc` of the OpenVINO backend db193042 of 2026-08-21, which refuses to load such a model.",
);

pub(crate) static TRITON_SHAPE: Rule = recipe_rule(
    "triton-shape",
    "`config.pbtxt` has other lengths than the model",
    "Checked with `--for triton` only. With `max_batch_size` above 0, `dims` leaves out the batch, which comes first: an \
     input of 4 dimensions has 3 `dims`. With 0, `dims` has them all. A length must be the one of the model; one \
     that is dynamic in the model may be any, and -1 stands for any length of an input only where requests are \
     batched. `reshape` replaces `dims` where it stands.\n\n\
     Correct `dims` or `max_batch_size`, or have inputs reshaped with the parameter `RESHAPE_IO_LAYERS`.\n\n\
     Read in `openvino_utils.cc` of the OpenVINO backend db193042 of 2026-08-21, which refuses to load such a model.",
);

pub(crate) static TRITON_TYPE: Rule = recipe_rule(
    "triton-type",
    "`config.pbtxt` has another element type than the model",
    "Checked with `--for triton` only. The backend knows TYPE_BOOL, TYPE_UINT8 to TYPE_UINT64, TYPE_INT8 to TYPE_INT64, \
     TYPE_FP16 and TYPE_FP32, and refuses to load a model with another. Where a type differs from that of the model, it \
     converts, which is only worth knowing.\n\n\
     Write the type of the model.\n\n\
     Read in `openvino_utils.cc` of the OpenVINO backend db193042 of 2026-08-21.",
);

pub(crate) static TRITON_LAYOUT: Rule = doubt(
    "triton-layout",
    "Triton does not find the model where it is",
    "Checked with `--for triton` only. Triton looks for `NAME/VERSION/model.xml`, where VERSION is a number, and for \
     `NAME/config.pbtxt`. The file may have the name that `default_model_filename` gives; a `name` in the configuration \
     must be that of the folder.\n\n\
     Rename the file or the folder.\n\n\
     Documented in `model_repository.md` of Triton 008fdc5a, and read in `openvino.cc` of the OpenVINO backend db193042 of \
     2026-08-21.",
);

pub(super) static RECIPE: Recipe = Recipe {
    name: "triton",
    summary: "the OpenVINO backend of Triton Inference Server",
    date: "2026-11-23",
    reads_file: true,
    settles: &[],
    rows: &[
        Row { rule: &TRITON_CONFIG, source: SOURCE },
        Row { rule: &TRITON_PORT, source: SOURCE },
        Row {
            rule: &TRITON_SHAPE,
            source: "[openvino_utils.cc](https://github.com/triton-inference-server/openvino_backend/blob/db19304291d4b8e52965801cb86b10e536b90450/src/openvino_utils.cc), 2026-08-21",
        },
        Row {
            rule: &TRITON_TYPE,
            source: "[openvino_utils.cc](https://github.com/triton-inference-server/openvino_backend/blob/db19304291d4b8e52965801cb86b10e536b90450/src/openvino_utils.cc), 2026-08-21",
        },
        Row {
            rule: &TRITON_LAYOUT,
            source: "documented: [model_repository.md](https://github.com/triton-inference-server/server/blob/008fdc5a8a2b184fd9c78d9c637a632d2cf0ba20/docs/user_guide/model_repository.md)",
        },
    ],
    check,
};

/// The file beside a model.
const FILE: &str = "config.pbtxt";

fn check(view: &View, sink: &mut Sink) {
    let file = match Companion::find(view, &["..", ""], FILE) {
        Ok(file) => file,
        Err(why) => {
            sink.report(view.about_model(&TRITON_CONFIG, why));
            return;
        }
    };
    let Some(file) = file else {
        layout(view, FILE, &Config::default(), sink);
        return;
    };
    let config = match Config::read(&file.text) {
        Ok(config) => config,
        Err(broken) => {
            let message = format!("{} line {}: {}", file.name, broken.line, broken.what);
            sink.report(view.about_model(&TRITON_CONFIG, message));
            return;
        }
    };
    layout(view, &file.name, &config, sink);
    let mut check = Check { view, file: &file.name, config: &config, sink };
    for (direction, tensors) in [(Direction::Input, &config.inputs), (Direction::Output, &config.outputs)] {
        check.side(direction, tensors);
    }
}

/// Where the server looks for the model.
fn layout(view: &View, file: &str, config: &Config, sink: &mut Sink) {
    let Ok(path) = std::path::absolute(view.model.source().path()) else { return };
    let name = |path: Option<&Path>| path?.file_name()?.to_str().map(str::to_owned);
    let version = path.parent();
    let mut report = |message: String| sink.report(view.about_model(&TRITON_LAYOUT, message));
    let wanted = config.file.as_deref().unwrap_or("model.xml");
    if let Some(own) = name(Some(&path)).filter(|own| own != wanted) {
        report(format!("the file is called `{own}`, wanted `{wanted}`"));
    }
    if let Some(folder) = name(version).filter(|folder| folder.parse::<u64>().is_err()) {
        report(format!("the model is in folder `{folder}`, wanted a version, which is a number"));
    } else if let (Some(folder), Some(own)) = (name(version.and_then(Path::parent)), &config.name)
        && folder != *own
    {
        report(format!("{file} names the model `{own}`, its folder is `{folder}`"));
    }
}

struct Check<'a, 'v> {
    view: &'v View<'a>,
    /// The name of the configuration.
    file: &'v str,
    config: &'v Config,
    sink: &'v mut Sink,
}

impl Check<'_, '_> {
    fn side(&mut self, direction: Direction, tensors: &[Tensor]) {
        let ports = self.view.ports(direction);
        for port in ports.iter().filter(|port| port.names.is_empty()) {
            let message = format!("the tensor of {direction} {} has no name", self.view.called(port.layer));
            self.sink.report(self.view.about(&TRITON_PORT, port.layer, port.layer.tag, message));
        }
        if tensors.is_empty() {
            return;
        }
        for tensor in tensors {
            match ports.iter().find(|port| port.names.contains(&tensor.name)) {
                Some(port) => self.tensor(direction, tensor, port),
                None => {
                    let names = ports.iter().flat_map(|port| port.names.iter().map(String::as_str));
                    let near = did_you_mean(nearest(&tensor.name, names));
                    let message = format!(
                        "{} line {}: the model has no {direction} `{}`{near}",
                        self.file, tensor.line, tensor.name
                    );
                    self.sink.report(self.view.about_model(&TRITON_PORT, message));
                }
            }
        }
        // Outputs may be left out.
        let is_listed = |port: &Port| tensors.iter().any(|tensor| port.names.contains(&tensor.name));
        let is_complete = ports.len() == tensors.len();
        for port in ports.iter().filter(|port| direction == Direction::Input && !is_complete && !is_listed(port)) {
            let Some(name) = port.names.first() else { continue };
            let message = format!("{} does not list input `{name}`, but {} others", self.file, tensors.len());
            self.sink.report(self.view.about(&TRITON_PORT, port.layer, port.layer.tag, message));
        }
    }

    fn tensor(&mut self, side: Direction, tensor: &Tensor, port: &Port) {
        let Some(fact) = &port.fact else { return };
        let place = format!("{} line {}", self.file, tensor.line);
        let message = match element_type(&tensor.ty) {
            None => Some((
                Severity::Error,
                format!("{side} `{}` has the type {}, which the backend does not know", tensor.name, tensor.ty),
            )),
            Some(ty) if ty != fact.ty && fact.ty != ElementType::Dynamic => Some((
                Severity::Info,
                format!("{side} `{}` is {}, wanted {}: the backend converts it", tensor.name, fact.ty, tensor.ty),
            )),
            Some(_) => None,
        };
        if let Some((severity, message)) = message {
            let finding = self.view.about(&TRITON_TYPE, port.layer, port.layer.tag, message);
            self.sink.report(finding.severity(severity).note(format!("{place} has {}", tensor.ty)));
        }
        let Some(dims) = fact.shape.dims() else { return };
        if let Some(wanted) = self.refused(side, &tensor.dims, dims) {
            let shown: Vec<String> = tensor.dims.iter().map(i64::to_string).collect();
            let message = format!("{side} `{}` is {}, {} wants {wanted}", tensor.name, fact.shape, self.file);
            let finding = self.view.about(&TRITON_SHAPE, port.layer, port.layer.tag, message);
            let batch = format!("{place}: dims [{}], max_batch_size {}", shown.join(", "), self.config.max_batch);
            let finding = finding.note(batch);
            self.sink.report(match (dims.len().checked_sub(tensor.dims.len()), self.config.max_batch > 0) {
                (Some(1), false) => finding.help("with `max_batch_size` 0, `dims` has the batch as well"),
                (Some(0), true) => finding.help("with `max_batch_size` above 0, `dims` leaves out the batch"),
                _ => finding,
            });
        }
    }

    /// The shape that is asked for, if the model does not have it.
    fn refused(&self, side: Direction, asked: &[i64], dims: &[Dim]) -> Option<String> {
        let is_batched = self.config.max_batch > 0;
        let show = |length: &i64| if *length < 0 { "?".to_owned() } else { length.to_string() };
        let mut shown: Vec<String> = asked.iter().map(show).collect();
        if is_batched {
            shown.insert(0, self.config.max_batch.to_string());
        }
        let wanted = Some(format!("[{}]", shown.join(",")));
        let own = if is_batched { dims.get(1..) } else { Some(dims) };
        let Some(own) = own.filter(|own| own.len() == asked.len()) else { return wanted };
        if side == Direction::Input && self.config.reshapes {
            return None;
        }
        // An open length of a batched input is not compared.
        let is_open = |asked: i64| side == Direction::Input && is_batched && asked == -1;
        let fits = |(own, asked): (&Dim, &i64)| is_open(*asked) || self.config.reshapes || accepts(*own, *asked);
        if own.iter().zip(asked).all(fits) { None } else { wanted }
    }
}

/// Whether the backend takes a length for that of the model.
fn accepts(own: Dim, asked: i64) -> bool {
    match (own.length(), own.upper()) {
        (Some(length), _) => length == asked,
        (None, None) => true,
        (None, Some(upper)) => own.lower() < asked && asked < upper,
    }
}

/// The element type that the backend makes of a name.
fn element_type(name: &str) -> Option<ElementType> {
    Some(match name {
        "TYPE_BOOL" => ElementType::Boolean,
        "TYPE_UINT8" => ElementType::U8,
        "TYPE_UINT16" => ElementType::U16,
        "TYPE_UINT32" => ElementType::U32,
        "TYPE_UINT64" => ElementType::U64,
        "TYPE_INT8" => ElementType::I8,
        "TYPE_INT16" => ElementType::I16,
        "TYPE_INT32" => ElementType::I32,
        "TYPE_INT64" => ElementType::I64,
        "TYPE_FP16" => ElementType::F16,
        "TYPE_FP32" => ElementType::F32,
        _ => return None,
    })
}
