//! The split kernel beside `memcpy` of the same bytes.
//!
//! `cargo bench --bench split` first prints a table of fractions, `memcpy` and split taking turns, and then has
//! criterion time both. Only fractions of one run compare: they are what the kernel promises, on one thread and with
//! its outputs in memory that has been written before.
//!
//! | runs | at least |
//! |---|---|
//! | 256 bytes and more | 0.9 |
//! | 32, 64 or 128 bytes, up to 4 parts | 0.9 |
//! | one element of 1, 2, 4 or 8 bytes, up to 4 parts, AVX2 | 0.5 |
//! | irregular, 4 to 28 bytes | 0.3 |
//! | elements of 1, 2 or 4 bits, up to 8 parts, BMI2, 16 MiB | 0.4 |

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, clippy::cast_precision_loss, reason = "a benchmark")]

use criterion::{Criterion, Throughput};
use ovlint::internal::exec::{AlignedBytes, Generator, Tensor, split_into};
use ovlint::internal::types::ElementType;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes of the tensors.
const SIZES: [usize; 2] = [1 << 20, 16 << 20];

/// What rows fall into: elements of a type, and the number of them in each run.
const REGIMES: [(&str, ElementType, &[usize]); 37] = [
    ("65536 B x 4", ElementType::U8, &[65536; 4]),
    ("4096 B x 8", ElementType::U8, &[4096; 8]),
    ("4096 B x 2", ElementType::U8, &[4096; 2]),
    ("1000 B x 3", ElementType::U8, &[1000; 3]),
    ("512 B x 4", ElementType::U8, &[512; 4]),
    ("320, 640 B", ElementType::U8, &[320, 640]),
    ("300 B x 3", ElementType::U8, &[300; 3]),
    ("256 B x 4", ElementType::U8, &[256; 4]),
    ("256 B x 2", ElementType::U8, &[256; 2]),
    ("64 B x 64", ElementType::U8, &[64; 64]),
    ("64 B x 4", ElementType::U8, &[64; 4]),
    ("64 B x 2", ElementType::U8, &[64; 2]),
    ("u8 x 2", ElementType::U8, &[1; 2]),
    ("u8 x 3", ElementType::U8, &[1; 3]),
    ("u8 x 4", ElementType::U8, &[1; 4]),
    ("f16 x 2", ElementType::F16, &[1; 2]),
    ("f16 x 3", ElementType::F16, &[1; 3]),
    ("f16 x 4", ElementType::F16, &[1; 4]),
    ("f32 x 2", ElementType::F32, &[1; 2]),
    ("f32 x 3", ElementType::F32, &[1; 3]),
    ("f32 x 4", ElementType::F32, &[1; 4]),
    ("i64 x 2", ElementType::I64, &[1; 2]),
    ("i64 x 3", ElementType::I64, &[1; 3]),
    ("i64 x 4", ElementType::I64, &[1; 4]),
    ("f32 x 16", ElementType::F32, &[1; 16]),
    ("u8 x 5", ElementType::U8, &[1; 5]),
    ("f32 x 61", ElementType::F32, &[1; 61]),
    ("3, 5, 7 B", ElementType::U8, &[3, 5, 7]),
    ("4, 8, 20 B", ElementType::U8, &[4, 8, 20]),
    ("12 B x 3", ElementType::U8, &[12; 3]),
    ("28, 4 B", ElementType::U8, &[28, 4]),
    ("u4 x 2", ElementType::U4, &[1; 2]),
    ("u4 of 3, 5", ElementType::U4, &[3, 5]),
    ("u4 of 65, 63", ElementType::U4, &[65, 63]),
    ("u1 x 2", ElementType::U1, &[1; 2]),
    ("u1 of 3, 5", ElementType::U1, &[3, 5]),
    ("u1 of 100, 28", ElementType::U1, &[100, 28]),
];

/// A tensor to split, its parts, and as much memory for a plain copy.
struct Case {
    data: Tensor,
    lengths: &'static [usize],
    parts: Vec<AlignedBytes>,
    copy: AlignedBytes,
}

impl Case {
    fn new(size: usize, ty: ElementType, lengths: &'static [usize]) -> Self {
        let row: usize = lengths.iter().sum();
        let data = Generator::Arange.tensor(ty, &[size * 8 / ty.bits() as usize / row, row]).unwrap();
        let copy = AlignedBytes::zeroed(data.bytes().len());
        Self { data, lengths, parts: Vec::new(), copy }
    }

    fn copy(&mut self) {
        black_box(&mut *self.copy).copy_from_slice(black_box(self.data.bytes()));
    }

    fn split(&mut self) {
        split_into(black_box(&self.data), 1, self.lengths, black_box(&mut self.parts)).unwrap();
    }

    /// The median of the ratios between `memcpy` and split, taken in turns.
    fn fraction(&mut self) -> f64 {
        let repeat = (8 << 20) / self.data.bytes().len() + 1;
        let mut ratios: Vec<f64> = (0..25)
            .map(|_| {
                let copy = self.time(repeat, Self::copy);
                copy.as_secs_f64() / self.time(repeat, Self::split).as_secs_f64()
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }

    /// The time of some repetitions, after one that warms the caches.
    fn time(&mut self, repeat: usize, run: impl Fn(&mut Self)) -> Duration {
        run(self);
        let start = Instant::now();
        (0..repeat).for_each(|_| run(self));
        start.elapsed()
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    // Run as a test there is nothing to measure.
    if std::env::args().any(|argument| argument == "--bench") {
        println!("fraction of memcpy at {} and {} MiB", SIZES[0] >> 20, SIZES[1] >> 20);
        for (name, ty, lengths) in REGIMES {
            let [small, large] = SIZES.map(|size| Case::new(size, ty, lengths).fraction());
            println!("{name:14} {small:5.2} {large:5.2}");
        }
    }
    for (name, ty, lengths) in REGIMES {
        let mut case = Case::new(SIZES[0], ty, lengths);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(case.data.bytes().len() as u64));
        group.bench_function("memcpy", |bencher| bencher.iter(|| case.copy()));
        group.bench_function("split", |bencher| bencher.iter(|| case.split()));
        group.finish();
    }
    criterion.final_summary();
}
