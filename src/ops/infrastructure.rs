//! The operations that structure a graph: inputs, outputs, constants, states, bodies.

mod assign;
mod constant;
mod identity;
mod r#loop;
mod parameter;
mod read_value;
mod result;
mod tensor_iterator;

use super::spec::OpSpec;
pub(super) use assign::NAME as ASSIGN;
pub(crate) use constant::NAME as CONST;
pub(super) use parameter::NAME as PARAMETER;
pub(crate) use result::NAME as RESULT;

pub(super) static OPS: &[&OpSpec] = &[
    &assign::ASSIGN_3,
    &assign::ASSIGN_6,
    &constant::CONST_1,
    &identity::IDENTITY_16,
    &r#loop::LOOP_5,
    &parameter::PARAMETER_1,
    &read_value::READ_VALUE_3,
    &read_value::READ_VALUE_6,
    &result::RESULT_1,
    &tensor_iterator::TENSOR_ITERATOR_1,
];
