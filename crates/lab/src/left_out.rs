//! How strongly what is learnt is held back: by what each strength misses in battles it did not learn from.

/// Of so many battles one is left out.
pub(crate) const FOLDS: u64 = 5;

/// Which of several ways of learning misses least (the first of equals), and what each misses, when every fold has been left
/// out once. `missed` learns in every way from the first and says what each misses in the second, which was left out; it says
/// nothing where nothing can be said.
pub(crate) fn least_missed<T: Copy>(
    all: &[T],
    fold: impl Fn(T) -> u64,
    missed: impl Fn(&[T], &[T]) -> Option<Vec<f64>>,
) -> Option<(usize, Vec<f64>)> {
    let mut sums: Vec<f64> = Vec::new();
    for out in 0..FOLDS {
        let (left_out, taken): (Vec<T>, Vec<T>) = all.iter().partition(|&&one| fold(one) == out);
        let missed = missed(&taken, &left_out)?;
        sums.resize(missed.len(), 0.0);
        for (sum, missed) in sums.iter_mut().zip(missed) {
            *sum += missed;
        }
    }
    let least = sums.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?.0;
    Some((least, sums))
}
