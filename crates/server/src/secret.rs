//! Secrets: tokens, their hashes, the seed and its commitment.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use tricorne_chance::Seed;

use crate::error::ApiError;

/// A token: 256 random bits, in 43 letters, digits, `-` and `_`.
pub(crate) fn token() -> Result<String, ApiError> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bytes = random::<32>()?;
    let mut text = String::with_capacity(43);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |w, &b| w << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            text.push(char::from(DIGITS[(word >> (18 - 6 * i)) as usize & 63]));
        }
    }
    Ok(text)
}

/// A game's id: 100 random bits in 20 letters and digits.
pub(crate) fn game_id() -> Result<String, ApiError> {
    const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    Ok(random::<20>()?.iter().map(|b| char::from(DIGITS[usize::from(b & 31)])).collect())
}

/// What is kept of a token. The token has all the bits it needs, so a plain hash will do.
pub(crate) fn hash(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_string()
}

/// The seed of a new battle.
pub(crate) fn seed() -> Result<Seed, ApiError> {
    Ok(Seed(random()?))
}

/// What is published of a seed at the start: its SHA-256, which a browser can compute too.
pub(crate) fn commitment(seed: Seed) -> String {
    hex(&Sha256::digest(seed.0))
}

/// The seed as 64 hexadecimal digits, whatever short form it may have.
pub(crate) fn seed_hex(seed: Seed) -> String {
    hex(&seed.0)
}

/// A program's seed for one decision, so that it needs no memory of its own and never shares the battle's dice.
pub(crate) fn program_seed(seed: Seed, n: usize, take_backs: u64) -> Seed {
    derived("tricorne server: a program's whim", seed, n, take_backs)
}

/// The seed of what is suggested for one decision: whoever asks again, or comes back, is told the same.
pub(crate) fn suggestion_seed(seed: Seed, n: usize, take_backs: u64) -> Seed {
    derived("tricorne server: what is suggested", seed, n, take_backs)
}

/// One-way: what is seen of it tells nothing of the dice to come.
fn derived(what_for: &str, seed: Seed, n: usize, take_backs: u64) -> Seed {
    let mut hasher = blake3::Hasher::new_derive_key(what_for);
    hasher.update(&seed.0).update(&(n as u64).to_le_bytes()).update(&take_backs.to_le_bytes());
    Seed(*hasher.finalize().as_bytes())
}

fn random<const N: usize>() -> Result<[u8; N], ApiError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|e| ApiError::internal(&e))?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, b| {
        let _ = write!(text, "{b:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert_eq!((a.len(), b.len()), (43, 43));
        assert_ne!(a, b);
        assert!(a.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_'));
        assert_eq!(game_id().unwrap().len(), 20);
    }

    #[test]
    fn the_commitment_is_the_sha_256_of_the_seed() {
        assert_eq!(
            commitment(Seed([0; 32])),
            "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
        );
    }
}
