//! The page's types are those of the server.

use std::path::Path;

#[test]
fn the_pages_types_are_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/generated.ts");
    let text = tricorne_server::typescript();
    if std::env::var_os("TRICORNE_WRITE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == text,
        "web/src/generated.ts is stale; write it again with `TRICORNE_WRITE=1 cargo test -p tricorne-server --test all typescript`"
    );
}
