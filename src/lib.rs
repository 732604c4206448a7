//! Reads an OpenVINO IR, works out every shape and element type on its own, and says where the file disagrees with
//! itself, with its weights, or with what OpenVINO accepts.
//!
//! ```
//! use ovlint::internal::{Model, Options, Weights};
//!
//! let xml = r#"<net name="m" version="11"><layers>
//!     <layer id="0" name="x" type="Parameter" version="opset1">
//!         <data shape="6,?" element_type="f32"/>
//!         <output><port id="0" precision="FP32"><dim>6</dim><dim>-1</dim></port></output>
//!     </layer>
//!     <layer id="1" name="y" type="ReLU" version="opset1">
//!         <input><port id="0"><dim>6</dim><dim>-1</dim></port></input>
//!         <output><port id="1" precision="FP32"><dim>7</dim><dim>-1</dim></port></output>
//!     </layer>
//!     <layer id="2" name="r" type="Result" version="opset1">
//!         <input><port id="0"><dim>6</dim><dim>-1</dim></port></input>
//!     </layer>
//! </layers><edges>
//!     <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
//!     <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
//! </edges></net>"#;
//! let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default())?;
//! let rules: Vec<_> = model.findings().iter().map(|finding| finding.rule.name).collect();
//! assert_eq!(rules, ["declared-shape"]);
//! # Ok::<(), ovlint::internal::Error>(())
//! ```

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails where it stands")
)]

mod analysis;
mod atomic;
mod causes;
mod diagnostic;
mod exec;
mod fault;
mod fix;
mod infer;
mod input;
#[doc(hidden)]
pub mod internal;
mod ir;
mod limits;
mod lint;
mod ops;
mod policy;
mod query;
mod report;
mod source;
mod stack;
mod text;
mod types;
