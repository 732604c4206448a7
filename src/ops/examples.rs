//! An example of each operation: inputs and attributes, from which the outputs are inferred when it is shown.

use super::apply::{Call, Extent, Texts};
use super::spec::OpSpec;
use super::summaries::rows;
use crate::limits::Limits;
use crate::types::Fact;

/// Operations with inputs and attributes that each of them takes. A revision that does not take those of one row has another.
const EXAMPLES: &str = include_str!("examples.txt");

/// One layer of an operation, with the outputs that it has.
pub struct Example {
    /// The inputs.
    pub inputs: Vec<Fact>,
    /// The attributes.
    pub attrs: Texts<'static>,
    /// The inferred outputs.
    pub outputs: Vec<Fact>,
}

impl OpSpec {
    /// Returns an example; `None` for operations with bodies.
    pub fn example(&'static self) -> Option<Example> {
        let own = |names: &str| names.split_ascii_whitespace().any(|name| name == self.name);
        rows::<3>(EXAMPLES)
            .filter(|[names, ..]| own(names))
            .find_map(|[_, inputs, attrs]| self.try_example(inputs, attrs))
    }

    fn try_example(&'static self, inputs: &str, attrs: &'static str) -> Option<Example> {
        let inputs: Vec<Fact> = inputs.split_terminator(';').map(str::parse).collect::<Result<_, _>>().ok()?;
        let attrs = attrs.split_ascii_whitespace().filter_map(|attr| attr.split_once('='));
        let attrs: Texts = attrs.map(|(name, text)| (name.into(), text.into())).collect();
        let facts: Vec<&Fact> = inputs.iter().collect();
        let call = Call {
            spec: self,
            inputs: &facts,
            attrs: &attrs,
            declared_outputs: None,
            wants_values: true,
            extent: Extent::Full,
        };
        let result = call.apply(&Limits::default());
        let outputs = result.outputs.filter(|_| result.faults.is_empty() && self.knows(&attrs))?;
        Some(Example { inputs, attrs, outputs })
    }

    /// Whether all of these are attributes of this revision.
    fn knows(&self, attrs: &Texts) -> bool {
        attrs.iter().all(|(name, _)| self.attrs.iter().any(|attr| attr.name == *name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Outputs, find, operations};

    #[test]
    fn every_operation_without_bodies_has_an_example() {
        let lacking = operations().filter(|spec| spec.example().is_none());
        let lacking: Vec<_> = lacking.filter(|spec| !matches!(spec.outputs, Outputs::FromBodies(_))).collect();
        let why = |spec: &&'static OpSpec| format!("{}-{}", spec.name, spec.opset);
        assert!(lacking.is_empty(), "{:?}", lacking.iter().map(why).collect::<Vec<_>>());
        for name in rows::<3>(EXAMPLES).flat_map(|[names, ..]| names.split_ascii_whitespace()) {
            assert!(operations().any(|spec| spec.name == name), "{name}");
        }
    }

    #[test]
    fn outputs_are_inferred() {
        let outputs = |name, opset| {
            let example = find(name, opset).and_then(OpSpec::example).unwrap();
            example.outputs.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(outputs("Split", 1), ["f32[6,4]", "f32[6,4]", "f32[6,4]"]);
        assert_eq!(outputs("VariadicSplit", 1), ["f32[6,2]", "f32[6,6]", "f32[6,4]"]);
        assert_eq!(outputs("Convolution", 1), ["f32[1,64,112,112]"]);
        assert_eq!(outputs("MatMul", 1), ["f32[1,128,3072]"]);
        for opset in [1, 4, 11] {
            assert_eq!(outputs("Interpolate", opset), ["f32[1,3,48,64]"]);
        }
    }
}
