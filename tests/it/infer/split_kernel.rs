//! Splits of every element type, held against a reference that looks at one bit at a time.

use ovlint::internal::exec::{Tensor, npy, split, split_into};
use ovlint::internal::types::ElementType;
use proptest::prelude::*;

/// Where bit `bit` of element `index` lies, the lowest first: the byte and the place in it.
///
/// Written down from the table of the format, without regard to the code under test.
fn place(ty: ElementType, index: usize, bit: usize) -> (usize, usize) {
    match ty {
        ElementType::U1 => (index / 8, 7 - index % 8),
        ElementType::U3 if bit < 2 => (index / 8 * 3 + index % 8 / 4, 6 - index % 4 * 2 + bit),
        ElementType::U3 => (index / 8 * 3 + 2, 7 - index % 8),
        ElementType::U6 if bit < 4 => (index / 4 * 3 + index % 4 / 2, 4 - index % 2 * 4 + bit),
        ElementType::U6 => (index / 4 * 3 + 2, 6 - index % 4 * 2 + bit - 4),
        _ => {
            let at = index * ty.bits() as usize + bit;
            (at / 8, at % 8)
        }
    }
}

fn bits(ty: ElementType, bytes: &[u8], index: usize) -> u64 {
    (0..ty.bits() as usize).fold(0, |bits, bit| {
        let (byte, place) = place(ty, index, bit);
        bits | u64::from(bytes[byte] >> place & 1) << bit
    })
}

/// The bytes of an element of a type whose elements take whole bytes.
fn element(ty: ElementType, bytes: &[u8], index: usize) -> &[u8] {
    let size = ty.bits() as usize / 8;
    &bytes[index * size..][..size]
}

/// The index in the whole of element `index` of the part that starts at `start` along the axis.
fn index_in_whole(lengths: &[usize], axis: usize, part: usize, start: usize, index: usize) -> usize {
    let inner: usize = lengths[axis + 1..].iter().product();
    let (row, rest) = (index / (part * inner), index % (part * inner));
    row * lengths[axis] * inner + start * inner + rest
}

/// Whether `part`, given as bytes, holds what it should of `data`.
fn check(data: &Tensor, axis: usize, parts: &[usize], which: usize, bytes: &[u8]) -> Result<(), TestCaseError> {
    let (ty, start) = (data.ty(), parts[..which].iter().sum());
    let mut lengths = data.lengths().to_vec();
    lengths[axis] = parts[which];
    let part = Tensor::new(ty, &lengths, bytes.to_vec());
    let part = part.map_err(|error| TestCaseError::fail(format!("part {which} of {data}: {error}")))?;
    for index in 0..part.elements() {
        let from = index_in_whole(data.lengths(), axis, parts[which], start, index);
        let equal = match ty {
            ElementType::String => part.element(index) == data.element(from),
            _ if ty.is_packed() => bits(ty, bytes, index) == bits(ty, data.bytes(), from),
            _ => element(ty, bytes, index) == element(ty, data.bytes(), from),
        };
        prop_assert!(equal, "element {} of part {} of {} along {}", index, which, data, axis);
    }
    Ok(())
}

fn check_all_ways(data: &Tensor, axis: usize, parts: &[usize]) -> Result<(), TestCaseError> {
    let tensors = split(data, axis, parts).unwrap();
    let mut reused = vec![];
    split_into(data, axis, parts, &mut reused).unwrap();
    // The second time into memory that holds something else.
    for bytes in &mut reused {
        bytes.fill(0xA5);
    }
    split_into(data, axis, parts, &mut reused).unwrap();
    prop_assert_eq!(tensors.len(), parts.len());
    prop_assert_eq!(reused.len(), parts.len());
    for (which, (tensor, bytes)) in tensors.iter().zip(&reused).enumerate() {
        check(data, axis, parts, which, tensor.bytes())?;
        check(data, axis, parts, which, bytes)?;
    }
    Ok(())
}

/// A tensor with bits at random, behind the last element too.
fn tensor(ty: ElementType, lengths: &[usize], seed: u64) -> Tensor {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).to_le_bytes()[0]
    };
    let count: usize = lengths.iter().product();
    if ty == ElementType::String {
        let strings: Vec<Vec<u8>> = (0..count).map(|_| (0..random() % 5).map(|_| random()).collect()).collect();
        return Tensor::of_strings(lengths, &strings).unwrap();
    }
    let size = usize::try_from(ty.storage(count as u64).unwrap()).unwrap();
    Tensor::new(ty, lengths, (0..size).map(|_| random()).collect::<Vec<u8>>()).unwrap()
}

fn types() -> impl Strategy<Value = ElementType> {
    proptest::sample::select(ElementType::all().skip(1).collect::<Vec<_>>())
}

/// Lengths that add up to `whole`, zeros among them.
fn parts(whole: usize, cuts: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (whole + 1)).chain([0, whole]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_axis_of_any_type(
        ty in types(),
        lengths in proptest::collection::vec(0..7_usize, 1..6),
        axis in any::<prop::sample::Index>(),
        cuts in proptest::collection::vec(any::<usize>(), 0..6),
        seed in any::<u64>(),
    ) {
        let axis = axis.index(lengths.len());
        check_all_ways(&tensor(ty, &lengths, seed), axis, &parts(lengths[axis], &cuts))?;
    }

    #[test]
    fn runs_of_any_length(
        ty in types(),
        rows in 1..70_usize,
        runs in prop_oneof![
            proptest::collection::vec(0..40_usize, 1..6),
            proptest::collection::vec(0..400_usize, 1..4),
            (1..20_usize, 1..5_usize).prop_map(|(count, run)| vec![run; count]),
        ],
        seed in any::<u64>(),
    ) {
        let row = runs.iter().sum();
        check_all_ways(&tensor(ty, &[rows, row], seed), 1, &runs)?;
    }
}

#[test]
fn single_elements_of_many_parts() {
    for ty in [ElementType::U8, ElementType::F16, ElementType::F32, ElementType::I64, ElementType::U1, ElementType::U4]
    {
        for count in [2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 24, 30, 64, 97, 256] {
            for rows in [1, 2, 31, 1025, 70_000 / count] {
                check_all_ways(&tensor(ty, &[rows, count], 7), 1, &vec![1; count]).unwrap();
            }
        }
    }
}

#[test]
fn parts_of_every_type_survive_files() {
    let directory = tempfile::tempdir().unwrap();
    for ty in ElementType::all().skip(1) {
        let data = tensor(ty, &[3, 7, 2], 11);
        for (which, part) in split(&data, 1, &[2, 0, 5]).unwrap().iter().enumerate() {
            let path = directory.path().join(format!("{ty}-{which}.npy"));
            npy::write(&path, part).unwrap();
            assert_eq!(npy::read(&path, 1 << 20).unwrap().first_difference(part), None, "{ty} {which}");
        }
    }
}
