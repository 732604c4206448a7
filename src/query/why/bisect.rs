//! Group testing: finds the relevant items among many with few tests.

/// Returns the first relevant items, at most `most`.
///
/// `is_relevant` tests a group: `false` means that no item of it is relevant. For a single item, `true` means that it is.
pub(super) fn bisect<T: Copy>(items: &[T], most: usize, is_relevant: &impl Fn(&[T]) -> bool) -> Vec<T> {
    let (mut found, mut open) = (Vec::new(), vec![items]);
    while let Some(group) = open.pop().filter(|_| found.len() < most) {
        match group {
            [] => {}
            group if !is_relevant(group) => {}
            [only] => found.push(*only),
            group => {
                let (first, second) = group.split_at(group.len() / 2);
                open.extend([second, first]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_first_that_count_are_found_with_few_questions() {
        let items: Vec<usize> = (0..10_000).collect();
        let asked = Cell::new(0);
        let found = |most, is_one: fn(usize) -> bool| {
            asked.set(0);
            let found = bisect(&items, most, &|group: &[usize]| {
                asked.set(asked.get() + 1);
                group.iter().any(|item| is_one(*item))
            });
            (found, asked.get())
        };
        assert_eq!(found(5, |_| false), (vec![], 1));
        assert_eq!(found(5, |item| item == 7_000).0, [7_000]);
        let (all, asked) = found(5, |item| item % 1_000 == 999);
        assert_eq!(all, [999, 1_999, 2_999, 3_999, 4_999]);
        assert!(asked < 150, "{asked}");
        assert!(found(5, |_| true).1 < 30);
    }
}
