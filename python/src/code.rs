//! Words as numbers. A rule system's words (kinds of unit, states, names of answers) are its own, and a network must
//! take them all in one form: a word is a code of signs, a bag of words counts by bucket, both from one hash that is
//! the same on every machine.

/// Signs in the code of a word.
pub const CODE: usize = 8;

/// Buckets in a bag of words.
pub const BAG: usize = 16;

/// FNV-1a, with its bits mixed once more, for short words differ in few of them.
pub fn hash(word: &str) -> u32 {
    let mut h: u32 = 0x811c_9dc5;
    for byte in word.bytes() {
        h = (h ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^ (h >> 13)
}

/// Writes a word as signs.
pub fn sign(word: &str, out: &mut [f32]) {
    let h = hash(word);
    for (bit, cell) in out.iter_mut().enumerate() {
        *cell = if (h >> (2 * bit)) & 1 == 1 { 1.0 } else { -1.0 };
    }
}

/// Counts a word in a bag.
pub fn count(word: &str, by: f32, bag: &mut [f32]) {
    let n = bag.len();
    bag[hash(word) as usize % n] += by;
}

/// The first number in a text: 7 of `7+`, 3 of `lost 3 of 12`; 0 where there is none.
pub fn first_number(text: &str) -> f32 {
    let bytes = text.as_bytes();
    let Some(start) = bytes.iter().position(u8::is_ascii_digit) else { return 0.0 };
    let minus = start > 0 && bytes[start - 1] == b'-';
    let rest = &text[start..];
    let dot = |b: &u8| b.is_ascii_digit() || *b == b'.';
    let end = rest.bytes().position(|b| !dot(&b)).unwrap_or(rest.len());
    let number: f32 = rest[..end].trim_end_matches('.').parse().unwrap_or(0.0);
    if minus { -number } else { number }
}
