//! The execution of operations that only move data: tensors in memory and in `.npy` files, and their splits.
//!
//! ```
//! use ovlint::internal::exec::{Generator, split};
//! use ovlint::internal::types::ElementType;
//!
//! let data = Generator::Arange.tensor(ElementType::F32, &[6, 12, 10, 24])?;
//! let parts = split(&data, 1, &[4, 4, 4])?;
//!
//! assert_eq!(parts[1].to_string(), "f32[6,4,10,24]");
//! assert_eq!(parts[1].preview(4), "[960, 961, 962, 963, ...]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod avx2;
mod bits;
mod bytes;
mod compare;
mod generate;
mod kernel;
mod loops;
pub mod npy;
mod packed;
mod run;
mod shifts;
mod split;
mod strings;
mod tensor;

pub use crate::types::codec::Element;
pub use bytes::{AlignedBytes, SharedBytes};
pub use generate::Generator;
pub use run::{Feed, Step, find_output, run};
pub use split::{split, split_into};
pub use tensor::{Lengths, Tensor};
