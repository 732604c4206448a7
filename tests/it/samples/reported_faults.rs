//! Faults of files that cost people time, and the samples that show what finds them now.

use super::bad_samples::samples;
use crate::program::root;
use std::fmt::Write;

/// Such a fault.
struct Reported {
    what: &'static str,
    /// The threads, without `https://github.com/`.
    threads: &'static [&'static str],
    /// Folders of `ir-samples/bad`; the first part is the name of the rule.
    samples: &'static [&'static str],
}

const FAULTS: &[Reported] = &[
    Reported {
        what: "a language model without `beam_idx`",
        threads: &["openvinotoolkit/openvino.genai/issues/2005"],
        samples: &["genai-stateless"],
    },
    Reported {
        what: "a language model exported without its state",
        threads: &["openvinotoolkit/openvino.genai/issues/3053", "openvinotoolkit/model_server/issues/3281"],
        samples: &["genai-paged-attention/stateless"],
    },
    Reported {
        what: "a text-generation pipeline whose tokenizer was not exported",
        threads: &[
            "huggingface/optimum-intel/issues/1388",
            "huggingface/optimum-intel/issues/1410",
            "openvinotoolkit/openvino_notebooks/pull/3526",
        ],
        samples: &["pipeline-file"],
    },
    Reported {
        what: "a tokenizer that is read without the library of its operations",
        threads: &["openvinotoolkit/openvino_notebooks/issues/2263", "openvinotoolkit/openvino_tokenizers/issues/224"],
        samples: &["extension-required"],
    },
    Reported {
        what: "variables without an initial value",
        threads: &["labscommunity/cascadia/pull/62"],
        samples: &["genai-paged-attention"],
    },
    Reported {
        what: "variables with names that the pipeline for the NPU does not know",
        threads: &["openvinotoolkit/openvino/pull/33367", "openvinotoolkit/openvino/pull/35221"],
        samples: &["genai-state-name"],
    },
    Reported {
        what: "asymmetric weights of 4 bits in groups, for the NPU",
        threads: &["openvinotoolkit/openvino/issues/34450", "openvinotoolkit/npu_compiler/issues/303"],
        samples: &["npu-llm-weights"],
    },
    Reported {
        what: "a language model compiled for the NPU with its dynamic shapes",
        threads: &["openvinotoolkit/openvino/issues/34617"],
        samples: &["dynamic-input-for-device/llm"],
    },
    Reported {
        what: "other models with dynamic shapes on the NPU",
        threads: &["openvinotoolkit/openvino/issues/26357"],
        samples: &["dynamic-input-for-device/npu"],
    },
    Reported {
        what: "string operations on a GPU",
        threads: &["openvinotoolkit/openvino_tokenizers/issues/131"],
        samples: &["device-operation"],
    },
    Reported {
        what: "variables on a GPU, with a release that lacks them there",
        threads: &["openvinotoolkit/openvino/issues/14538"],
        samples: &["device-operation/target"],
    },
    Reported {
        what: "bytes of bf16 labelled as f16, tiny numbers, scales of 0, inverted ranges",
        threads: &["huggingface/transformers/issues/47003"],
        samples: &["misread-weights", "subnormal-weights", "zero-scale", "inverted-range"],
    },
    Reported {
        what: "means in `<pre-process>` of the wrong size or outside the weights",
        threads: &["openvinotoolkit/openvino/pull/33817", "openvinotoolkit/openvino/pull/33838"],
        samples: &["bad-pre-process/size"],
    },
    Reported {
        what: "an entry for weightless caching outside the weights",
        threads: &["openvinotoolkit/openvino/pull/37261"],
        samples: &["weightless-cache-range"],
    },
    Reported {
        what: "a `config.pbtxt` with other names, shapes or types than the model",
        threads: &[
            "triton-inference-server/server/issues/6035",
            "triton-inference-server/server/issues/4194",
            "triton-inference-server/server/issues/2653",
        ],
        samples: &["triton-port", "triton-shape", "triton-type"],
    },
    Reported {
        what: "inputs and outputs that an application does not accept, described in a contract",
        threads: &["blakeblackshear/frigate/issues/5184", "open-edge-platform/dlstreamer/issues/186"],
        samples: &["contract-port", "contract-shape", "contract-type"],
    },
    Reported {
        what: "zeros from convolutions with dynamic shapes on a GPU",
        threads: &["openvinotoolkit/openvino/issues/36831"],
        samples: &["reported-defect/target"],
    },
];

/// The faults with the rules that find them, as a page of the documents.
pub(crate) fn page() -> String {
    let mut text = "# Reported faults\n\nUsers have reported these faults in public issues. Each row names the rule that finds the fault; the \
                    page of the rule has a sample and its output.\n\n| fault | threads | found by |\n|---|---|---|\n"
        .to_owned();
    for Reported { what, threads, samples } in FAULTS {
        let thread = |thread: &&str| {
            let parts: Vec<&str> = thread.split('/').collect();
            format!("[{} {}](https://github.com/{thread})", parts[1], parts[3])
        };
        let threads: Vec<String> = threads.iter().map(thread).collect();
        let found: Vec<String> = samples.iter().map(|sample| found_by(sample)).collect();
        let _ = writeln!(text, "| {what} | {} | {} |", threads.join(", "), found.join(", "));
    }
    text.push_str(
        "\n[`ovlint cost`](commands/cost.md) answers two questions about memory: which tensor is the largest, and how many bytes a token needs \
         ([llama.cpp 29087](https://github.com/ggml-org/llama.cpp/issues/29087), \
         [openvino.genai 2406](https://github.com/openvinotoolkit/openvino.genai/issues/2406), \
         [server 6862](https://github.com/triton-inference-server/server/issues/6862)). No rule finds a sliding-window mask \
         that a runtime does not recognise ([openvino 36737](https://github.com/openvinotoolkit/openvino/pull/36737)).\n",
    );
    text
}

/// The rule of a sample, which `samples_show_their_rules` holds it to, and the flags that it needs.
fn found_by(path: &str) -> String {
    let sample = samples().into_iter().find(|sample| sample.folder == root().join("bad").join(path));
    let sample = sample.unwrap_or_else(|| panic!("there is no sample {path}"));
    let flags = sample.arguments().skip_while(|argument| !argument.starts_with("--"));
    let flags: Vec<&str> = flags.take_while(|flag| *flag != "--ignore").collect();
    let link = format!("[`{0}`](rules/{0}.md)", sample.rule);
    if flags.is_empty() { link } else { format!("{link} with `{}`", flags.join(" ")) }
}
