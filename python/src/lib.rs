//! `ovlint._native`: the classes and functions of the library that the Python package calls. Types and documentation for
//! users are in the package.

mod analysis;
mod failure;
mod folder;
mod options;
mod reduced;
mod weights;

use pyo3::prelude::*;

/// The native part of ovlint.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::analysis::{
        Analysis, Cost, Diff, Edited, Fixed, Found, Inputs, RuleInfo, Shapes, View, Why, analyse, named, rules,
    };
    #[pymodule_export]
    use crate::folder::{Folder, open_folder};
    #[pymodule_export]
    use crate::options::Options;
    #[pymodule_export]
    use crate::reduced::Reduced;
    #[pymodule_export]
    use crate::weights::Weights;
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name of a version")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init() {
        ovlint::internal::panics::keep_quiet();
    }
}
