//! The parts of a `config.pbtxt` that are compared with the model, and the faults for which Triton rejects the file.

use crate::recipe::text_format::{Broken, Field, Value, parse};
use crate::text::{did_you_mean, nearest};

/// The parts that are compared with the model.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub name: Option<String>,
    /// The file of the model, if it is not `model.xml`.
    pub file: Option<String>,
    /// The largest batch; 0 if requests are not batched.
    pub max_batch: i64,
    pub inputs: Vec<Tensor>,
    pub outputs: Vec<Tensor>,
    /// Set if inputs are reshaped to the dimensions in the configuration.
    pub reshapes: bool,
}

/// One input or output.
#[derive(Debug, Default)]
pub(super) struct Tensor {
    pub name: String,
    pub ty: String,
    /// The dimensions that the model sees, without the batch.
    pub dims: Vec<i64>,
    pub line: usize,
}

/// The fields of a configuration; the server rejects others.
const FIELDS: &str = "backend batch_input batch_output cc_model_filenames default_model_filename dynamic_batching \
    ensemble_scheduling input instance_group max_batch_size metric_tags model_metrics model_operations \
    model_repository_agents model_transaction_policy model_warmup name optimization output parameters platform \
    response_cache runtime sequence_batching version_policy";

const INPUT: &str =
    "allow_ragged_batch data_type dims format is_non_linear_format_io is_shape_tensor name optional reshape";

const OUTPUT: &str = "data_type dims is_non_linear_format_io is_shape_tensor label_filename name reshape";

impl Config {
    pub(super) fn read(text: &str) -> Result<Self, Broken> {
        let mut config = Self::default();
        let mut preferred: Option<(i64, usize)> = None;
        for field in parse(text)? {
            check_field(&field, FIELDS)?;
            match (field.name.as_str(), &field.value) {
                ("name", Value::Text(name)) => config.name = Some(name.clone()),
                ("default_model_filename", Value::Text(file)) => {
                    config.file = Some(file.clone()).filter(|file| !file.is_empty());
                }
                ("max_batch_size", _) => config.max_batch = number(&field)?,
                ("input", Value::Message(fields)) => config.inputs.push(Tensor::of(fields, field.line, INPUT)?),
                ("output", Value::Message(fields)) => config.outputs.push(Tensor::of(fields, field.line, OUTPUT)?),
                ("dynamic_batching", Value::Message(fields)) => {
                    for size in fields.iter().filter(|field| field.name == "preferred_batch_size") {
                        preferred = preferred.max(Some((number(size)?, size.line)));
                    }
                }
                ("parameters", Value::Message(fields)) => config.reshapes |= reshapes(fields),
                _ => {} // The server has more fields than concern the model.
            }
        }
        // Without a largest batch, the backend may choose one.
        if let Some((size, line)) = preferred.filter(|(size, _)| config.max_batch > 0 && *size > config.max_batch) {
            let what = format!("`preferred_batch_size` {size} is above `max_batch_size` {}", config.max_batch);
            return Err(Broken { line, what });
        }
        Ok(config)
    }
}

impl Tensor {
    fn of(fields: &[Field], line: usize, names: &str) -> Result<Self, Broken> {
        let mut tensor = Self { line, ..Self::default() };
        let mut reshaped = None;
        for field in fields {
            check_field(field, names)?;
            match (field.name.as_str(), &field.value) {
                ("name", Value::Text(name)) => tensor.name.clone_from(name),
                ("data_type", Value::Word(ty)) => tensor.ty.clone_from(ty),
                ("dims", _) => tensor.dims.push(number(field)?),
                ("reshape", Value::Message(fields)) => {
                    let shape = fields.iter().filter(|field| field.name == "shape");
                    reshaped = Some(shape.map(number).collect::<Result<_, _>>()?);
                }
                _ => {}
            }
        }
        if tensor.name.is_empty() {
            return Err(Broken { line, what: "an input or output has no name".to_owned() });
        }
        tensor.dims = reshaped.unwrap_or(tensor.dims);
        Ok(tensor)
    }
}

/// Fails if the server does not know a field.
fn check_field(field: &Field, names: &str) -> Result<(), Broken> {
    if names.split(' ').any(|name| name == field.name) {
        return Ok(());
    }
    let near = did_you_mean(nearest(&field.name, names.split(' ')));
    Err(Broken { line: field.line, what: format!("Triton has no field `{}`{near}", field.name) })
}

fn number(field: &Field) -> Result<i64, Broken> {
    let number = if let Value::Word(word) = &field.value { word.parse().ok() } else { None };
    number.ok_or_else(|| Broken { line: field.line, what: format!("`{}` is not an integer", field.name) })
}

/// Whether a parameter requests that inputs are reshaped to the dimensions in the configuration.
fn reshapes(fields: &[Field]) -> bool {
    let is = |fields: &[Field], name: &str, wanted: &str| {
        fields.iter().any(|field| {
            field.name == name && matches!(&field.value, Value::Text(text) if text.eq_ignore_ascii_case(wanted))
        })
    };
    let value = fields.iter().find(|field| field.name == "value").map(|field| &field.value);
    is(fields, "key", "RESHAPE_IO_LAYERS")
        && matches!(value, Some(Value::Message(value)) if is(value, "string_value", "yes"))
}
