//! A scenario to be deployed at the table.

/// A scenario with every place taken out, to be deployed at the table (SYW-DEPLOY).
pub fn free(text: &str) -> String {
    let mut table: toml::Table = text.parse().unwrap_or_else(|e| panic!("{e}"));
    let mut placed = 0;
    for key in ["unit", "general"] {
        let rows = table.get_mut(key).and_then(toml::Value::as_array_mut).into_iter().flatten();
        for row in rows.filter_map(toml::Value::as_table_mut) {
            placed += usize::from(row.remove("at").is_some());
            row.remove("facing");
        }
    }
    assert!(placed > 10, "nobody had a place: is this a scenario of another format?");
    let mut deployment = toml::Table::new();
    deployment.insert("free".into(), true.into());
    table.insert("deployment".into(), deployment.into());
    toml::to_string(&table).unwrap_or_else(|e| panic!("{e}"))
}
