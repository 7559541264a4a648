//! The description of the requests and of the messages as they are published. They are made from the types and written by
//! `TRICORNE_WRITE=1 cargo test -p tricorne-server --lib openapi`; the same test holds them to the types.

/// Stands in the published description for the ids of the rule systems, which the binary brings.
pub(crate) const ANY_SYSTEM: &str = "*";

/// JSON schemas of the WebSocket messages.
pub(crate) const MESSAGES: &str = include_str!("messages.json");

/// The OpenAPI description of a server that has these systems.
pub(crate) fn openapi(systems: &[&str]) -> String {
    let ids: Vec<String> = systems.iter().map(|id| format!("\"{id}\"")).collect();
    include_str!("openapi.json").replace(&format!("\"{ANY_SYSTEM}\""), &ids.join(","))
}

#[cfg(all(test, feature = "schemas"))]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    #[test]
    fn what_is_published_is_what_the_types_have() {
        for (name, fresh) in crate::described() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
            let fresh = fresh.to_string() + "\n";
            if std::env::var_os("TRICORNE_WRITE").is_some() {
                std::fs::write(&path, fresh).expect("the file can be written");
                continue;
            }
            let kept = std::fs::read_to_string(&path).expect("it is there");
            assert!(kept == fresh, "{} is stale; run this test with TRICORNE_WRITE=1", path.display());
        }
    }

    #[test]
    fn the_systems_of_a_server_are_in_its_description() {
        let described: Value = serde_json::from_str(&super::openapi(&["chess", "go"])).expect("it is JSON");
        let ruleset = &described["paths"]["/api/rules/{ruleset}"]["get"]["parameters"][0]["schema"]["enum"];
        assert_eq!(*ruleset, serde_json::json!(["chess", "go"]));
        assert_eq!(described["components"]["schemas"]["NewGame"]["properties"]["ruleset"]["enum"], *ruleset);
        assert!(!described.to_string().contains("\"*\""));
    }
}
