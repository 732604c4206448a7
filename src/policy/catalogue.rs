//! The catalogue of all rules.

use crate::causes::{blame, wrong_weights};
use crate::diagnostic::{Applicability, LIMIT_EXCEEDED, Rule, Runtime, internal_error};
use crate::infer::bodies::rules as body;
use crate::ir::{execution_graph, rules as ir};
use crate::lint::{
    advisories, compression, demands, device_operations, dynamic_type, hygiene, iterations, legacy, model_info, names,
    pre_process, rt_info, rules as check, runtime_options, shapes, state, target, weights,
};
use crate::ops::rules as ops;
use crate::pipeline;
use crate::policy::contract::rules as contract;
use crate::policy::rules as settings;
use crate::recipe;
use crate::types::Release;

pub use crate::lint::weights::DEEP;

/// Every rule, by group and in the order of the catalogue.
pub static RULES: &[&Rule] = &[
    &ir::UNREADABLE_FILE,
    &ir::NOT_OPENVINO_IR,
    &execution_graph::EXECUTION_GRAPH,
    &ir::XML_MALFORMED,
    &ir::XML_DUPLICATE_ATTRIBUTE,
    &ir::XML_TRAILING_CONTENT,
    &ir::XML_ENCODING,
    &ir::XML_DOCTYPE,
    &ir::CONFLICT_MARKER,
    &ir::MISSING_ELEMENT,
    &ops::MISSING_ATTRIBUTE,
    &ir::INVALID_ATTRIBUTE,
    &ir::UNKNOWN_ELEMENT,
    &rt_info::BAD_RT_INFO,
    &rt_info::IGNORED_RT_INFO,
    &runtime_options::RUNTIME_OPTION_VALUE,
    &runtime_options::RUNTIME_OPTION_IGNORED,
    &compression::COMPRESSION_MISMATCH,
    &model_info::MODEL_INFO,
    &LIMIT_EXCEEDED,
    &internal_error::INTERNAL_ERROR,
    &ir::DUPLICATE_LAYER_ID,
    &ir::CYCLE,
    &ir::NO_RESULTS,
    &ir::UNREACHABLE_LAYER,
    &ir::UNUSED_PARAMETER,
    &body::BAD_PORT_MAP,
    &body::BAD_BACK_EDGE,
    &body::MISSING_BODY,
    &body::NESTED_TENSOR_ITERATOR,
    &iterations::DOUBTFUL_ITERATIONS,
    &check::UNPAIRED_STATE,
    &state::AMBIGUOUS_STATE,
    &state::beams::STATE_WITHOUT_BEAMS,
    &pre_process::BAD_PRE_PROCESS,
    &ir::EMPTY_MODEL,
    &ir::EDGE_UNKNOWN_LAYER,
    &ir::EDGE_UNKNOWN_PORT,
    &ir::INPUT_NOT_CONNECTED,
    &ir::INPUT_CONNECTED_TWICE,
    &ir::DUPLICATE_PORT_ID,
    &ir::PORT_ORDER,
    &ops::WRONG_INPUT_COUNT,
    &ops::WRONG_OUTPUT_COUNT,
    &ir::RESULT_HAS_OUTPUT,
    &check::WEIGHTS_FILE_MISSING,
    &check::WEIGHTS_OUT_OF_RANGE,
    &check::CONST_SIZE_MISMATCH,
    &check::CONST_SIZE_EXCESS,
    &check::GIT_LFS_POINTER,
    &check::WEIGHTS_NOT_RAW,
    &check::WEIGHTS_TRUNCATED,
    &check::WEIGHTS_TRAILING_BYTES,
    &check::WEIGHTS_PARTIAL_OVERLAP,
    &wrong_weights::SUSPICIOUS_SHAPE_CONSTANT,
    &weights::NON_FINITE_WEIGHTS,
    &weights::SUBNORMAL_WEIGHTS,
    &weights::MISREAD_WEIGHTS,
    &weights::UNIFORM_WEIGHTS,
    &weights::ZERO_SCALE,
    &weights::INVERTED_RANGE,
    &weights::STRAY_BITS,
    &check::STRING_CONST_LAYOUT,
    &rt_info::WEIGHTLESS_CACHE_RANGE,
    &check::UNKNOWN_OP,
    &check::UNKNOWN_OPSET,
    &check::OP_NOT_IN_OPSET,
    &check::INTERNAL_OP,
    &ops::UNKNOWN_OP_ATTRIBUTE,
    &ops::ATTRIBUTE_VALUE,
    &ops::LENIENT_NUMBER,
    &ops::AXIS_RANGE,
    &ops::INDEX_TYPE,
    &ops::FLOAT_INDEX,
    &ops::INDEX_RANGE,
    &ops::NEEDS_CONSTANT,
    &ops::STATE_INIT,
    &ops::INPUT_RANK,
    &ops::INPUT_VALUE,
    &ops::SHAPE_CONFLICT,
    &ops::SPLIT_NOT_DIVISIBLE,
    &ops::SPLIT_LENGTHS_SUM,
    &ops::SPLIT_LENGTHS_OVERRUN,
    &demands::CONTRADICTORY_DIMENSIONS,
    &blame::CONTRADICTED_VALUE,
    &check::DECLARED_SHAPE,
    &check::INPUT_PORT_MISMATCH,
    &check::DECLARED_STATIC,
    &check::DECLARED_DYNAMIC,
    &check::BODY_SHAPE_MISMATCH,
    &ir::INVALID_DIM,
    &ops::NEEDS_TYPE,
    &check::DECLARED_PRECISION,
    &ir::UNKNOWN_PRECISION,
    &ops::INPUT_TYPE,
    &ops::TYPE_CONFLICT,
    &dynamic_type::DYNAMIC_TYPE,
    &ir::UNSUPPORTED_IR_VERSION,
    &legacy::LEGACY_IR_VERSION,
    &target::NEEDS_NEWER_OPENVINO,
    &target::OPSET_TOO_NEW_FOR_TARGET,
    &target::TYPE_TOO_NEW_FOR_TARGET,
    &shapes::DYNAMIC_INPUT_FOR_DEVICE,
    &device_operations::DEVICE_OPERATION,
    &advisories::REPORTED_DEFECT,
    &shapes::DYNAMIC_RANK,
    &demands::PINNED_DIMENSION,
    &check::EXTENSION_REQUIRED,
    &check::DUPLICATE_TENSOR_NAME,
    &names::NAMES,
    &check::EMPTY_TENSOR,
    &hygiene::LOCAL_PATH_IN_METADATA,
    &settings::UNUSED_IGNORE,
    &settings::UNMATCHED_GLOB,
    &contract::CONTRACT_PORT,
    &contract::CONTRACT_SHAPE,
    &contract::CONTRACT_TYPE,
    &contract::CONTRACT_FORBIDDEN_OP,
    &contract::CONTRACT_SIZE,
    &recipe::GENAI_MODEL,
    &recipe::GENAI_STATELESS,
    &recipe::GENAI_PAGED_ATTENTION,
    &recipe::GENAI_INPUT,
    &recipe::GENAI_LOGITS,
    &recipe::GENAI_STATE_NAME,
    &recipe::NPU_LLM_WEIGHTS,
    &recipe::OVMS_LAYOUT,
    &recipe::OVMS_SCHEMA,
    &recipe::OVMS_GRAPH,
    &recipe::OVMS_CONFIG,
    &recipe::TRITON_CONFIG,
    &recipe::TRITON_PORT,
    &recipe::TRITON_SHAPE,
    &recipe::TRITON_BATCH,
    &recipe::TRITON_TYPE,
    &recipe::TRITON_LAYOUT,
    &pipeline::PIPELINE_FILE,
    &pipeline::PIPELINE_TENSOR,
    &pipeline::PIPELINE_LINK,
    &pipeline::PIPELINE_CONFIG,
    &pipeline::PIPELINE_TOKEN,
];

/// Returns the whole explanation of a rule, in Markdown paragraphs.
pub fn explained(rule: &Rule) -> String {
    // Names such as `openvino.genai` keep their case.
    let is_name = |text: &str| text.split(' ').next().is_some_and(|word| word == "ovlint" || word.contains('.'));
    let capital = |text: &str| match text.split_at_checked(1).filter(|_| !is_name(text)) {
        Some((first, rest)) => first.to_uppercase() + rest,
        None => text.to_owned(),
    };
    let (summary, severity, group) = (capital(rule.summary), capital(rule.severity.name()), rule.group.name());
    let off = if rule.is_opt_in { ", off by default" } else { "" };
    let release = Release::NEWEST;
    let unless = ", unless a finding says otherwise";
    let runtime = match rule.runtime {
        Runtime::Rejects if target::RULES.contains(&rule) => "The target rejects the file.".to_owned(),
        Runtime::Rejects => format!("OpenVINO {release} rejects the file{unless}."),
        Runtime::Unknown => format!("OpenVINO {release} rejects the file, at the latest when it runs{unless}."),
        Runtime::NotCompiled => format!("OpenVINO {release} reads the file; compile_model fails{unless}."),
        Runtime::MayNotCompile => format!("OpenVINO {release} reads the file; compile_model may fail."),
        Runtime::Accepts => format!("OpenVINO {release} loads the file without warning{unless}."),
        Runtime::None => "OpenVINO does not check this.".to_owned(),
    };
    let fix = match rule.fix {
        Some(Applicability::Safe) => "`--fix` repairs the file if the repair does not change the model.",
        Some(Applicability::Unsafe) => "`--fix=all` can repair the file, but may change the model.",
        None => "No automatic fix.",
    };
    format!("{summary}.\n\n{severity}, group {group}{off}. {runtime} {fix}\n\n{}\n", rule.explain)
}

/// Finds the rule with a name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name).copied()
}
