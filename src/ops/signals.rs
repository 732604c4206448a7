//! Fourier transforms.

mod dft;
mod irdft;
mod istft;
mod rdft;
mod stft;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&dft::DFT_7, &dft::IDFT_7, &irdft::IRDFT_9, &istft::ISTFT_16, &rdft::RDFT_9, &stft::STFT_15];
