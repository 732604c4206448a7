//! Checks one layer against its `OpSpec`, then infers it.

use super::attribute::{self, AttrValue};
use super::context::InferCtx;
use super::fault::{At, Fault};
use super::rules::{
    ATTRIBUTE_VALUE, INDEX_TYPE, INPUT_RANK, INPUT_TYPE, LENIENT_NUMBER, MISSING_ATTRIBUTE, NEEDS_TYPE,
    UNKNOWN_OP_ATTRIBUTE, WRONG_INPUT_COUNT, WRONG_OUTPUT_COUNT,
};
use super::spec::{Eval, Input, OpSpec, Outputs, ZERO};
use crate::limits::{LIMIT_EXCEEDED, Limits};
use crate::types::{Bounds, ElementType, Elements, Fact, TypeSet, Value};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The attributes of a layer as written: names and texts.
pub type Texts<'a> = SmallVec<[(Cow<'a, str>, Cow<'a, str>); 8]>;

/// What came of applying an operation to its inputs.
pub struct Application {
    /// The outputs; `None` if an error keeps them from being known.
    pub outputs: Option<Vec<Fact>>,
    /// The findings, errors and warnings.
    pub faults: Vec<Fault>,
}

/// One layer as an operation sees it.
pub struct Call<'a> {
    /// The operation.
    pub spec: &'static OpSpec,
    /// The facts of the inputs, in order.
    pub inputs: &'a [&'a Fact],
    /// The attributes as written.
    pub attrs: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// The number of declared output ports, where there is a file.
    pub declared_outputs: Option<usize>,
    /// Whether a consumer needs the elements of the outputs.
    pub wants_values: bool,
}

impl Call<'_> {
    /// Checks and infers the layer.
    pub fn apply(&self, limits: &Limits) -> Application {
        let mut faults = Vec::new();
        let attrs = self.read_attrs(&mut faults);
        let values: SmallVec<[Option<AttrValue>; 8]> = attrs.0;
        self.check_inputs(&mut faults);
        if faults.iter().any(Fault::is_error) {
            return Application { outputs: None, faults };
        }
        let cx = InferCtx::new(self.spec, self.inputs, &values, &attrs.1, self.declared_outputs);
        if let Some(fault) = self.too_many_outputs(&cx, limits).or_else(|| self.long_list(limits)) {
            faults.push(fault);
            return Application { outputs: None, faults };
        }
        let inferred = (self.spec.infer)(&cx).and_then(|outputs| match high_rank(&outputs, limits) {
            Some(fault) => Err(fault),
            None => Ok(outputs),
        });
        let outputs = match inferred {
            Ok(mut outputs) => {
                let limit = self.wants_values.then(|| evaluate(&cx, &mut outputs, limits)).flatten();
                let gave_up = limit.is_some();
                faults.extend(limit);
                if gave_up || self.inputs.iter().any(|input| input.assumed) {
                    for output in &mut outputs {
                        output.assumed = true;
                    }
                }
                Some(outputs)
            }
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        faults.extend(cx.into_warnings());
        let outputs = if faults.iter().any(Fault::is_error) { None } else { outputs };
        Application { outputs, faults }
    }

    /// What is wrong whatever arrives: attributes, and the number of inputs and of outputs. Nothing is inferred.
    pub(crate) fn check(&self, limits: &Limits) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (values, written) = self.read_attrs(&mut faults);
        self.check_inputs(&mut faults);
        if !faults.iter().any(Fault::is_error) {
            let cx = InferCtx::new(self.spec, self.inputs, &values, &written, self.declared_outputs);
            faults.extend(self.too_many_outputs(&cx, limits));
        }
        faults
    }

    /// Calls `visit` with the context in which the operation infers and evaluates; what is wrong is not told.
    pub(crate) fn context<R>(&self, visit: impl FnOnce(&InferCtx) -> R) -> R {
        let (values, written) = self.read_attrs(&mut Vec::new());
        visit(&InferCtx::new(self.spec, self.inputs, &values, &written, self.declared_outputs))
    }

    /// Attribute values and whether each is written, in the order of the specification.
    fn read_attrs(&self, faults: &mut Vec<Fault>) -> (SmallVec<[Option<AttrValue>; 8]>, SmallVec<[bool; 8]>) {
        let mut values = SmallVec::new();
        let mut written = SmallVec::new();
        for attr in self.spec.attrs {
            let text = self.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.as_ref());
            written.push(text.is_some());
            let default = || attribute::read(attr.kind, attr.default.unwrap_or_default()).ok().and_then(|r| r.value);
            let Some(text) = text else {
                if attr.default.is_none() {
                    let message = format!("{} has no `{}`", self.spec.name, attr.name);
                    faults.push(Fault::at(At::Layer, &MISSING_ATTRIBUTE, message));
                }
                values.push(default());
                continue;
            };
            match attribute::read(attr.kind, text) {
                Ok(reading) => {
                    if reading.lenient {
                        let read = reading.value.as_ref().or(default().as_ref()).map(show).unwrap_or_default();
                        let message = format!("`{}=\"{text}\"` is read by OpenVINO as {read}", attr.name);
                        faults.push(Fault::at(At::Attr(attr.name), &LENIENT_NUMBER, message));
                    }
                    values.push(reading.value.or_else(default));
                }
                Err(wanted) => {
                    let message = format!("`{}=\"{text}\"` of {} must be {wanted}", attr.name, self.spec.name);
                    faults.push(Fault::at(At::Attr(attr.name), &ATTRIBUTE_VALUE, message));
                    values.push(default());
                }
            }
        }
        let unknown = |name: &str| self.spec.attrs.iter().all(|attr| attr.name != name) && !is_hint(name);
        for (name, _) in self.attrs.iter().filter(|(name, _)| unknown(name)).take(UNKNOWN_ATTRIBUTES) {
            faults.push(unknown_attribute(self.spec, name));
        }
        (values, written)
    }

    fn check_inputs(&self, faults: &mut Vec<Fault>) {
        let spec = self.spec;
        let count = self.inputs.len();
        let least = spec.inputs.iter().filter(|input| !input.optional).count();
        let most = if spec.inputs.last().is_some_and(|input| input.variadic) { usize::MAX } else { spec.inputs.len() };
        if count < least || count > most {
            let wanted = match (least, most) {
                (least, usize::MAX) => format!("at least {least}"),
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let plural = if wanted == "1" { "input" } else { "inputs" };
            let message = format!("{} takes {wanted} {plural}, this layer has {count}", spec.name);
            let names: Vec<String> = spec.inputs.iter().map(|input| format!("`{}`", input.name)).collect();
            let fault = Fault::at(At::Layer, &WRONG_INPUT_COUNT, message);
            faults.push(match names.len() {
                0 => fault,
                1 => fault.note(format!("the only input of {} is {}", spec.name, names.join(", "))),
                _ => fault.note(format!("the inputs of {} are {}", spec.name, names.join(", "))),
            });
            return;
        }
        for (i, fact) in self.inputs.iter().enumerate() {
            let Some(input) = spec.input(i) else { continue };
            match fact.ty {
                // What rests on the declarations of a file is no reason to refuse it.
                ElementType::Dynamic if input.needs_type && !fact.assumed => faults.push(unknown_type(spec, i)),
                ElementType::Dynamic => {}
                ty if !input.types.has(ty) => faults.push(refused_type(spec, i, input, ty)),
                _ => {}
            }
            let refused = |rank: &usize| !input.ranks.is_empty() && !input.ranks.contains(rank);
            if fact.rank().as_ref().is_some_and(refused) {
                faults.push(refused_rank(spec, i, input, fact));
            }
        }
    }

    /// The output count, checked before anything is allocated for it.
    fn too_many_outputs(&self, cx: &InferCtx, limits: &Limits) -> Option<Fault> {
        let Outputs::FromAttr(name) = self.spec.outputs else { return None };
        let count = usize::try_from(cx.int(name)).unwrap_or(usize::MAX);
        if let Some(declared) = self.declared_outputs.filter(|declared| *declared > count) {
            let message = format!("{declared} outputs are declared, `{name}=\"{count}\"` makes {count}");
            return Some(
                Fault::at(At::Attr(name), &WRONG_OUTPUT_COUNT, message)
                    .primary(format!("{count} outputs, the layer declares {declared}")),
            );
        }
        (count > limits.outputs).then(|| {
            let message = format!("{count} outputs exceed the limit of {}", limits.outputs);
            Fault::at(At::Attr(name), &LIMIT_EXCEEDED, message).help("raise it with --max-outputs")
        })
    }

    /// A list of axes, lengths or sizes that is too long: as many dimensions or outputs might be made of it.
    fn long_list(&self, limits: &Limits) -> Option<Fault> {
        let place = (0..self.inputs.len()).find(|i| {
            let counted = |input: &Input| input.is_index || self.spec.outputs == Outputs::Inferred;
            let listed = self.spec.input(*i).is_some_and(|input| counted(input) && input.ranks.contains(&1));
            let length = self.inputs.get(*i).and_then(|fact| match fact.shape.dims()? {
                [length] => length.length(),
                _ => None,
            });
            listed && length.is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limits.outputs))
        })?;
        let name = self.spec.input(place).map_or("input", |input| input.name);
        let message =
            format!("`{name}` has {} elements, more than {}", self.inputs[place].shape.elements(), limits.outputs);
        Some(Fault::at(At::Input(place), &LIMIT_EXCEEDED, message).help("raise the limit with --max-outputs"))
    }
}

impl OpSpec {
    /// What the operation expects at input `i`.
    pub fn input(&self, i: usize) -> Option<&'static Input> {
        self.inputs.get(i).or_else(|| self.inputs.last().filter(|input| input.variadic))
    }
}

/// Unknown attributes of one layer that are told.
const UNKNOWN_ATTRIBUTES: usize = 16;

/// The fault of an output with more dimensions than anything needs.
fn high_rank(outputs: &[Fact], limits: &Limits) -> Option<Fault> {
    let rank = |fact: &Fact| fact.rank().filter(|rank| *rank > limits.rank);
    let (place, rank) = outputs.iter().enumerate().find_map(|(place, fact)| Some((place, rank(fact)?)))?;
    let message = format!("output {place} has {rank} dimensions, more than {}", limits.rank);
    Some(Fault::at(At::Output(place), &LIMIT_EXCEEDED, message).help("raise the limit with --max-rank"))
}

/// Attributes that any layer may carry: hints of older runtimes.
fn is_hint(name: &str) -> bool {
    matches!(name, "PrimitivesPriority" | "alt_width")
}

fn unknown_attribute(spec: &OpSpec, name: &str) -> Fault {
    let message = format!("{} has no attribute `{name}`; OpenVINO ignores it", spec.name);
    // `Fault` places attributes by their static names; an unknown one is found again by its text in the message.
    let fault = Fault::at(At::Layer, &UNKNOWN_OP_ATTRIBUTE, message).primary(name.to_owned());
    match spec.inputs.iter().position(|input| input.name == name) {
        Some(i) => fault.help(format!("`{name}` is input {i} of {}, not an attribute", spec.name)),
        None => fault,
    }
}

/// The fault of input `i` being of an unknown type where OpenVINO demands to know it.
pub(crate) fn unknown_type(spec: &OpSpec, i: usize) -> Fault {
    let input = spec.input(i);
    let types = input.map(|input| input.types.iter().filter(|ty| *ty != ElementType::Dynamic));
    let names: Vec<&str> = types.into_iter().flatten().map(ElementType::name).collect();
    let wanted = if names.len() > 6 { String::new() } else { format!(", wanted {}", names.join(" or ")) };
    let name = input.map_or("input", |input| input.name);
    let message = format!("the element type of `{name}` of {} is not known{wanted}", spec.name);
    Fault::at(At::Input(i), &NEEDS_TYPE, message)
}

fn refused_type(spec: &OpSpec, i: usize, input: &Input, ty: ElementType) -> Fault {
    let rule = if input.is_index { &INDEX_TYPE } else { &INPUT_TYPE };
    let message = if input.is_index {
        format!("`{}` must be of an integer type, it is {ty}", input.name)
    } else {
        format!("{} does not accept {ty} at input {i} `{}`", spec.name, input.name)
    };
    let fault = Fault::at(At::Input(i), rule, message).primary(ty.to_string());
    if input.is_index || input.types.iter().count() > 12 {
        return fault;
    }
    let accepted: Vec<&str> =
        input.types.iter().filter(|ty| *ty != ElementType::Dynamic).map(ElementType::name).collect();
    fault.note(format!("it accepts {}", accepted.join(", ")))
}

fn refused_rank(spec: &OpSpec, i: usize, input: &Input, fact: &Fact) -> Fault {
    let wanted = match input.ranks {
        [0] => "a scalar".to_owned(),
        [1] => "a list (rank 1)".to_owned(),
        [0, 1] => "a scalar or a list".to_owned(),
        ranks => format!("of rank {}", ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")),
    };
    let message = format!("`{}` of {} must be {wanted}, it is {}{}", input.name, spec.name, fact.ty, fact.shape);
    Fault::at(At::Input(i), &INPUT_RANK, message).primary(format!("shape {}", fact.shape))
}

fn show(value: &AttrValue) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    match value {
        AttrValue::Int(n) => n.to_string(),
        AttrValue::Float(n) => n.to_string(),
        AttrValue::Flag(flag) => flag.to_string(),
        AttrValue::Text(text) => text.clone(),
        AttrValue::Choice(word) => (*word).to_owned(),
        AttrValue::Ints(all) => list(all.iter().map(i64::to_string).collect()),
        AttrValue::Floats(all) => list(all.iter().map(f64::to_string).collect()),
        AttrValue::Texts(all) => list(all.clone()),
        AttrValue::Type(ty) => ty.to_string(),
        AttrValue::Shape(shape) => shape.to_string(),
    }
}

/// Fills in the elements of the outputs; the fault tells of a limit.
fn evaluate(cx: &InferCtx, outputs: &mut [Fact], limits: &Limits) -> Option<Fault> {
    if matches!(cx.spec.eval, Eval::None) {
        return None;
    }
    let limit = i64::try_from(limits.value_elements).unwrap_or(i64::MAX);
    for (i, output) in outputs.iter().enumerate() {
        let count = output.shape.elements().length()?;
        if count > limit {
            let message = format!("output {i} has {count} elements, more than the {limit} that are worked out");
            return Some(
                Fault::at(At::Output(i), &LIMIT_EXCEEDED, message)
                    .severity(crate::diagnostic::Severity::Warning)
                    .help("raise the limit with --max-value-elements"),
            );
        }
    }
    match cx.spec.eval {
        Eval::None => {}
        Eval::Copy => {
            if let (Some(value), [output]) = (cx.value(0), outputs) {
                output.value = value.reshaped(&output.shape).map(std::sync::Arc::new);
            }
        }
        Eval::Move(mover) => {
            let has_elements =
                |i: &usize| cx.value(*i).is_some() && cx.spec.input(*i).is_some_and(|input| !input.reads_value);
            if !(0..cx.inputs().len()).any(|i| has_elements(&i)) {
                return None;
            }
            for (i, output) in outputs.iter_mut().enumerate() {
                // A tensor without elements may have lengths that no mover can take stock of.
                let value = if output.shape.is_empty() {
                    gather(cx, output, &|_| ZERO)
                } else {
                    mover(cx, i).and_then(|source| gather(cx, output, &source))
                };
                output.value = value.map(std::sync::Arc::new);
            }
        }
        Eval::Compute(compute) | Eval::Shape(compute) => {
            let values = compute(cx, outputs).unwrap_or_default();
            for (output, value) in outputs.iter_mut().zip(values) {
                output.value = clip(value, output).map(std::sync::Arc::new);
            }
        }
    }
    None
}

/// The output elements that a mover takes from the inputs; an input of unknown elements gives unbounded ones.
fn gather(cx: &InferCtx, output: &Fact, source: &dyn Fn(usize) -> (usize, usize)) -> Option<Value> {
    let count = output.shape.count()?;
    if output.ty.is_float() {
        let take = |i: usize| {
            let (input, element) = source(i);
            match cx.value(input) {
                Some(value) => value.as_floats()?.get(element).copied(),
                None if (input, element) == ZERO => Some(Bounds::exact(0.0)),
                None => Some(Bounds::<f64>::ANY),
            }
        };
        return Value::floats(&output.shape, (0..count).map(take).collect::<Option<Vec<_>>>()?);
    }
    let (lower, upper) =
        output.ty.integer_range().filter(|_| TypeSet::INTEGRAL.has(output.ty) || is_boolean(output))?;
    let take = |i: usize| {
        let (input, element) = source(i);
        match cx.value(input) {
            Some(value) => value.as_integers()?.get(element).copied(),
            None if (input, element) == ZERO => Some(Bounds::exact(0)),
            None => Some(Bounds { lower, upper }),
        }
    };
    Value::integers(&output.shape, (0..count).map(take).collect::<Option<Vec<_>>>()?)
}

fn is_boolean(fact: &Fact) -> bool {
    fact.ty == ElementType::Boolean
}

/// The value with every element that leaves the range of its type unbounded, as it would wrap around.
fn clip(value: Value, output: &Fact) -> Option<Value> {
    if value.fits(output.ty) {
        return Some(value);
    }
    let (lower, upper) = output.ty.integer_range()?;
    let Elements::Integers(all) = value.elements() else { return None };
    let any = Bounds { lower, upper };
    Value::integers(
        &output.shape,
        all.iter().map(|one| if one.lower < lower || one.upper > upper { any } else { *one }),
    )
}
