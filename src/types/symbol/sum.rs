//! Canonical sums of products with integer coefficients.

use smallvec::SmallVec;

/// Maximum number of terms of a sum; a larger one gets no symbol.
pub(super) const MAX_TERMS: usize = 12;

/// The sorted factors of a product as indices of atoms: `a*a*b` has the index of `a` twice.
pub(super) type Product = SmallVec<[u32; 4]>;

/// Products and their coefficients, sorted; the empty product is 1.
pub(super) type Sum = SmallVec<[(Product, i64); 2]>;

/// `a + times*b`, without terms whose coefficient is 0; `None` on overflow.
pub(super) fn added(a: &[(Product, i64)], b: &[(Product, i64)], times: i64) -> Option<Sum> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut all = Sum::new();
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return Some(all),
            (Some((one, _)), Some((other, _))) if one == other => {
                let ((product, n), (_, m)) = (a.next()?, b.next()?);
                (product.clone(), n.checked_add(m.checked_mul(times)?)?)
            }
            (Some((one, _)), Some((other, _))) if one < other => a.next()?.clone(),
            (Some(_), None) => a.next()?.clone(),
            _ => {
                let (product, n) = b.next()?;
                (product.clone(), n.checked_mul(times)?)
            }
        };
        if next.1 != 0 {
            all.push(next);
        }
    }
}

/// Applies `of` to every coefficient and drops terms whose coefficient becomes 0.
pub(super) fn mapped(sum: &Sum, of: impl Fn(i64) -> Option<i64>) -> Option<Sum> {
    let terms = sum.iter().map(|(product, times)| Some((product.clone(), of(*times)?)));
    terms.filter(|term| !matches!(term, Some((_, 0)))).collect()
}

pub(super) fn sorted(mut sum: Sum) -> Sum {
    sum.sort_unstable();
    sum
}

/// The quotient of two terms; `None` if the second does not divide the first.
pub(super) fn term_quotient(
    (product, times): &(Product, i64),
    (divisor, by): &(Product, i64),
) -> Option<(Product, i64)> {
    let mut left = product.clone();
    for factor in divisor {
        let index = left.iter().position(|one| one == factor)?;
        left.remove(index);
    }
    if times.checked_rem(*by)? != 0 {
        return None;
    }
    Some((left, times.checked_div(*by)?))
}

/// The exact quotient of two sums; `None` if `b` does not divide `a`.
pub(super) fn long_division(a: &Sum, b: &Sum) -> Option<Sum> {
    // Divide leading terms, as for polynomials: multiplying by a product preserves the order of terms.
    let highest = |sum: &Sum| sum.iter().max_by_key(|(product, _)| (product.len(), product.clone())).cloned();
    let (mut left, lead) = (a.clone(), highest(b)?);
    let mut quotient = Sum::new();
    for _ in 0..MAX_TERMS {
        let Some(term) = highest(&left) else { return Some(quotient) };
        let part = term_quotient(&term, &lead)?;
        for (product, times) in b {
            let mut product: Product = product.iter().chain(&part.0).copied().collect();
            product.sort_unstable();
            left = added(&left, &[(product, times.checked_mul(part.1)?)], -1)?;
        }
        quotient = added(&quotient, &[part], 1)?;
    }
    left.is_empty().then_some(quotient)
}

pub(super) fn constant(sum: &Sum) -> Option<i64> {
    sum.first().filter(|(product, _)| product.is_empty()).map(|(_, number)| *number)
}

/// The greatest common divisor; 1 if both numbers are 0.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs().max(1) } else { gcd(b, a.checked_rem(b).unwrap_or(0)) }
}
