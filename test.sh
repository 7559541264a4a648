#!/usr/bin/env bash
# Everything that must hold, on a fresh machine: format, lints, tests, rule cases, a battle through the binary.
set -euo pipefail
cd "$(dirname "$0")"

# Rust is what this needs; say so plainly where it is missing.
if ! command -v cargo >/dev/null; then
  echo "test.sh: cargo is missing; install Rust 1.95 or newer (https://rustup.rs)" >&2
  exit 2
fi
for part in clippy rustfmt; do
  cargo "${part/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$part"
done

# The page is built into the binary and tried in a real browser.
scripts/browser-tests --prepare

# Properties are tried on the same cases here every time; run them with another seed, or with PROPTEST_CASES, to hunt.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1733}"

cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo test --workspace --locked
# With --workspace the features are those of the tests, so that nothing is compiled twice.
cargo build --workspace --locked
scripts/smoke "${CARGO_TARGET_DIR:-target}/debug/tricorne"
scripts/browser-tests "${CARGO_TARGET_DIR:-target}/debug/tricorne"
"${CARGO_TARGET_DIR:-target}/debug/tricorne" case rulebooks/*/cases
