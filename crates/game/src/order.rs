//! Sorting that is compiled once. The standard library's sort is compiled anew for every type and every comparison,
//! some six kilobytes each time, and the rulebooks sort in a hundred places: shots by distance, ideas by worth. Few
//! of those lists are long.

use std::cmp::Ordering;

/// Up to here a list is sorted where it stands; it is what the standard library does too.
const SHORT: usize = 20;

/// What can be put in order.
///
/// ```
/// use tricorne_game::InOrder;
/// let mut shots = [(7.5_f64, "gun"), (2.0, "foot"), (7.5, "horse")];
/// shots.put_in_order(|a, b| b.0.total_cmp(&a.0));
/// assert_eq!(shots.map(|s| s.1), ["gun", "horse", "foot"]); // equals stay as they stood
/// ```
pub trait InOrder<T> {
    /// Sorts by a comparison; what compares as equal keeps its order.
    fn put_in_order(&mut self, by: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key; what has the same key keeps its order.
    fn put_in_order_of<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> InOrder<T> for [T] {
    fn put_in_order(&mut self, mut by: impl FnMut(&T, &T) -> Ordering) {
        if self.len() > SHORT {
            let mut order = order(self.len(), &mut |a, b| by(&self[a], &self[b]));
            // Round after round of those that change places: each is put where it belongs, for the one that stood there.
            for start in 0..order.len() {
                let mut at = start;
                loop {
                    let from = std::mem::replace(&mut order[at], at);
                    if from == start {
                        break;
                    }
                    self.swap(at, from);
                    at = from;
                }
            }
            return;
        }
        for next in 1..self.len() {
            let mut at = next;
            while at > 0 && by(&self[at], &self[at - 1]).is_lt() {
                self.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn put_in_order_of<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.put_in_order(|a, b| key(a).cmp(&key(b)));
    }
}

/// The numbers from 0 in the order of what they stand for.
fn order(len: usize, by: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| by(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut next = 7_u32;
        for len in (0..70).chain([500]) {
            let list: Vec<(u32, usize)> = (0..len)
                .map(|n| {
                    next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (next >> 28, n)
                })
                .collect();
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            ours.put_in_order(|a, b| b.0.cmp(&a.0));
            theirs.sort_by_key(|a| std::cmp::Reverse(a.0));
            assert_eq!(ours, theirs);
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.put_in_order_of(|a| a.0);
            theirs.sort_by_key(|a| a.0);
            assert_eq!(ours, theirs);
        }
    }
}
