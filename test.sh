#!/usr/bin/env bash
# Everything that must hold, on a fresh machine: format, lints, tests, rule cases, battles through the binary, the page in
# a real browser. ./test.sh quick looks only at what differs from main: for the minute between two changes.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*"; }

# Rust is what this needs; say so plainly where it is missing.
if ! command -v cargo >/dev/null; then
  echo "test.sh: cargo is missing; install Rust 1.95 or newer (https://rustup.rs)" >&2
  exit 2
fi
for part in clippy rustfmt; do
  cargo "${part/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$part"
done

# Properties are tried on the same cases here every time; run them with another seed, or with PROPTEST_CASES, to hunt.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1733}"

# Side by side where cargo-nextest is there; the same tests one crate after another where it is not.
run_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --no-fail-fast --no-tests pass --locked "$@"
  else
    cargo test --no-fail-fast --locked --lib --bins --tests "$@"
  fi
}

check_page() {
  (cd web && npm run --silent formatted && npm run --silent lint && npm run --silent check && npm run --silent test)
}

if [ "${1:-}" = quick ]; then
  exec scripts/quick
elif [ $# -gt 0 ]; then
  echo "usage: ./test.sh [quick]" >&2
  exit 2
fi

# On a fresh machine everything is compiled once and nothing is kept for a next time: that is quicker, and half as large.
# Who has built for himself before, step by step, goes on so.
if [ ! -d "${CARGO_TARGET_DIR:-target}/debug/incremental" ]; then export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"; fi

# One set of features for clippy, tests and the binary, so that nothing is compiled twice: all of them.
all=(--workspace --features tricorne/full)

say "what the tests need: Node, Chromium, the page's tools"
scripts/browser-tests --prepare

say "format"
cargo fmt --all --check

# The page's checks have a core while the compiler has the other; what they say is told together, when they are done.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
{ check_page && scripts/page --check; } >"$said" 2>&1 &
page=$!

say "lints"
cargo clippy "${all[@]}" --all-targets --locked -- -D warnings
if cargo deny --version >/dev/null 2>&1; then cargo deny --all-features check; fi

say "the page: format, lint, types, its own logic; the page in the repository"
if wait "$page"; then cat "$said"; else
  cat "$said"
  exit 1
fi

say "each crate can be packaged"
cargo package --workspace --exclude tricorne-python --exclude tricorne-examples --no-verify --allow-dirty --locked --quiet

say "tests"
run_tests "${all[@]}"
cargo test --doc --locked "${all[@]}"

# The tests of the command line have built it.
tricorne="${CARGO_TARGET_DIR:-target}/debug/tricorne"

say "the tool that breaks the rules"
cargo fmt --manifest-path tools/mutants/Cargo.toml --check
cargo test --quiet --locked --manifest-path tools/mutants/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/mutants/tool"

say "the book"
cargo fmt --manifest-path tools/book/Cargo.toml --check
scripts/book

say "battles through the binary"
scripts/smoke "$tricorne"

say "the API against its description"
scripts/api-tests "$tricorne"

say "the Python package"
TRICORNE="$tricorne" scripts/python-tests

say "the page in a browser"
scripts/browser-tests "$tricorne"

say "rule cases"
"$tricorne" case rulebooks/*/cases
