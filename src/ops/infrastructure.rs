//! What holds a graph together: inputs, outputs, constants, state.

mod assign;
mod constant;
mod identity;
mod parameter;
mod read_value;
mod result;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &assign::ASSIGN_3,
    &assign::ASSIGN_6,
    &constant::CONST_1,
    &identity::IDENTITY_16,
    &parameter::PARAMETER_1,
    &read_value::READ_VALUE_3,
    &read_value::READ_VALUE_6,
    &result::RESULT_1,
];
