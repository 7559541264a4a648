//! Python's symbols are found when the module is loaded; some linkers (macOS) must be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
