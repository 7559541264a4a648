//! Where a source can be broken, and the source that can be broken in all these places.
//!
//! Every mutant has a number, and the written source asks `crate::mutant::on(number)` at its place. No line is added or
//! taken away, so what the compiler says of a line can be said of the mutants in it.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Pat, ReturnType, Type, UnOp};

/// Functions that hold no rule wherever they are: what a question tells the programs and the hand that steers, how a thing
/// is called, what the tests ask.
const NO_RULE: [&str; 10] =
    ["about", "broken_invariants", "courses", "end", "fmt", "notes", "preview", "sight", "ways", "weigh"];

/// One way to break a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its number, from 1 on, over all files of a system.
    pub number: u32,
    /// The file, beneath the crate's `src`.
    pub file: String,
    /// The lines its place takes up, from 1 on.
    pub lines: (usize, usize),
    /// The function it is in.
    pub function: String,
    /// What is done there.
    pub what: String,
}

/// Writes a source anew so that each of its mutants can be switched on, and lists them. Numbers go on from `next`; those
/// in `without` are counted and not written.
pub fn mutate(
    file: &str,
    text: &str,
    next: &mut u32,
    without: &BTreeSet<u32>,
) -> Result<(String, Vec<Mutant>), syn::Error> {
    let parsed = syn::parse_file(text)?;
    let mut finder =
        Finder { text, file, without, next, function: Vec::new(), edits: Vec::new(), found: Vec::new() };
    finder.visit_file(&parsed);
    let written = apply(text, 0..text.len(), finder.edits);
    Ok((written, finder.found))
}

struct Edit {
    at: Range<usize>,
    put: String,
}

/// A stretch of the text with the edits that lie in it, which are in the order they were found: outer before inner
/// where a place begins, inner before outer where it ends.
fn apply(text: &str, stretch: Range<usize>, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.at.start);
    let mut written = String::new();
    let mut at = stretch.start;
    for edit in edits {
        written.push_str(&text[at..edit.at.start]);
        written.push_str(&edit.put);
        at = edit.at.end;
    }
    written.push_str(&text[at..stretch.end]);
    written
}

struct Finder<'a> {
    text: &'a str,
    file: &'a str,
    without: &'a BTreeSet<u32>,
    next: &'a mut u32,
    function: Vec<String>,
    edits: Vec<Edit>,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    /// Counts a mutant; its number if it is to be written.
    fn count(&mut self, place: Span, what: String) -> Option<u32> {
        let number = *self.next;
        *self.next += 1;
        if self.without.contains(&number) {
            return None;
        }
        self.found.push(Mutant {
            number,
            file: self.file.to_owned(),
            lines: (place.start().line, place.end().line),
            function: self.function.join("::"),
            what,
        });
        Some(number)
    }

    fn put(&mut self, at: Range<usize>, put: String) {
        self.edits.push(Edit { at, put });
    }

    fn insert(&mut self, at: usize, put: impl Into<String>) {
        self.put(at..at, put.into());
    }

    /// Each of several things to put in place of another, with the number that switches it on.
    fn instead(&mut self, place: Span, of: &str, others: &[&'static str]) -> Vec<(u32, &'static str)> {
        let mut numbered = Vec::new();
        for other in others {
            numbered.extend(self.count(place, format!("{of} → {other}")).map(|number| (number, *other)));
        }
        numbered
    }

    /// `left op right`, with other operators to choose from.
    fn operator(&mut self, whole: &syn::ExprBinary, of: &str, others: &[&'static str], borrowed: bool) {
        let chosen = self.instead(whole.span(), of, others);
        if chosen.is_empty() {
            return visit::visit_expr_binary(self, whole);
        }
        let lend = if borrowed { "&" } else { "" };
        let Range { start, end } = whole.span().byte_range();
        self.insert(start, format!("(match ({lend}("));
        self.visit_expr(&whole.left);
        self.put(whole.op.span().byte_range(), format!("), {lend}("));
        self.visit_expr(&whole.right);
        let mut choice = String::new();
        for (number, other) in chosen {
            choice += &format!("if {} {{ l {other} r }} else ", on(number));
        }
        self.insert(end, format!(")) {{ (l, r) => {choice}{{ l {of} r }} }})"));
    }

    /// `left && right` or `left || right`, each as the other.
    fn logic(&mut self, whole: &syn::ExprBinary, of: &str, other: &'static str) {
        let chosen = if binds(&Expr::Binary(whole.clone())) {
            Vec::new()
        } else {
            self.instead(whole.span(), of, &[other])
        };
        let Some((number, _)) = chosen.first() else { return visit::visit_expr_binary(self, whole) };
        let Range { start, end } = whole.span().byte_range();
        // `and` goes on where the left is true, `or` where it is not; the left is the answer where it does not go on.
        let goes_on = if of == "&&" { "!=" } else { "==" };
        let left = format!("left_{number}");
        self.insert(start, "(match (");
        self.visit_expr(&whole.left);
        let then = format!(") {{ {left} => if {left} {goes_on} {} {{ ", on(*number));
        self.put(whole.op.span().byte_range(), then);
        self.visit_expr(&whole.right);
        self.insert(end, format!(" }} else {{ {left} }} }})"));
    }

    /// `place += worth`, with other operators to choose from.
    fn assigned(&mut self, whole: &syn::ExprBinary, of: &str, others: &[&'static str]) {
        let place = self.text[whole.left.span().byte_range()].to_owned();
        if place.contains('\n') {
            return;
        }
        let chosen = self.instead(whole.span(), of, others);
        let Some((first, _)) = chosen.first() else { return visit::visit_expr(self, &whole.right) };
        let first = *first;
        let outside = std::mem::take(&mut self.edits);
        self.visit_expr(&whole.right);
        let inside = std::mem::replace(&mut self.edits, outside);
        let worth = apply(self.text, whole.right.span().byte_range(), inside);
        let mut choice = String::new();
        for (number, other) in chosen {
            choice += &format!("if {} {{ {place} {other} worth_{first} }} else ", on(number));
        }
        let put = format!("{{ let worth_{first} = {worth}; {choice}{{ {place} {of} worth_{first} }} }}");
        self.put(whole.span().byte_range(), put);
    }

    /// A function whose body is left at once.
    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if block.stmts.is_empty() {
            return;
        }
        let name = signature.ident.span();
        let worths = match &signature.output {
            ReturnType::Default => vec![""],
            ReturnType::Type(_, kind) => of_kind(kind),
        };
        let mut leave = String::new();
        for worth in worths {
            let what = if worth.is_empty() { "does nothing".to_owned() } else { format!("is {worth}") };
            if let Some(number) = self.count(name, what) {
                leave += &format!(" if {} {{ return {worth}; }}", on(number));
            }
        }
        if !leave.is_empty() {
            self.insert(block.brace_token.span.open().byte_range().end, leave);
        }
    }

    fn function(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, block: &syn::Block) {
        let name = signature.ident.to_string();
        if signature.constness.is_some() || for_tests(attributes) || NO_RULE.contains(&name.as_str()) {
            return;
        }
        self.function.push(name);
        self.body(signature, block);
        self.visit_block(block);
        self.function.pop();
    }
}

fn on(number: u32) -> String {
    format!("crate::mutant::on({number})")
}

/// Whether a condition binds names (`a && let Some(b) = c`), which only the condition of an `if` may.
fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// What a function of a kind could give in place of what it gives.
fn of_kind(kind: &Type) -> Vec<&'static str> {
    let Type::Path(path) = kind else { return Vec::new() };
    let Some(last) = path.path.segments.last() else { return Vec::new() };
    match last.ident.to_string().as_str() {
        "bool" => vec!["true", "false"],
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => vec!["0", "1"],
        "f64" => vec!["0.0", "1.0"],
        "Option" => vec!["None"],
        "Vec" => vec!["Vec::new()"],
        "Result" if text_of(kind).contains("<()") => vec!["Ok(())"],
        _ => Vec::new(),
    }
}

fn text_of(kind: &Type) -> String {
    kind.span().source_text().unwrap_or_default()
}

impl<'ast> Visit<'ast> for Finder<'_> {
    // What is settled before anything runs, and what names things, stays as it is.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_macro(&mut self, _: &'ast syn::ItemMacro) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, whole: &'ast syn::ExprBinary) {
        match whole.op {
            BinOp::Eq(_) => self.operator(whole, "==", &["!="], true),
            BinOp::Ne(_) => self.operator(whole, "!=", &["=="], true),
            BinOp::Lt(_) => self.operator(whole, "<", &["==", ">", "<="], true),
            BinOp::Gt(_) => self.operator(whole, ">", &["==", "<", ">="], true),
            BinOp::Le(_) => self.operator(whole, "<=", &[">", "<"], true),
            BinOp::Ge(_) => self.operator(whole, ">=", &["<", ">"], true),
            BinOp::Add(_) => self.operator(whole, "+", &["-", "*"], false),
            BinOp::Sub(_) => self.operator(whole, "-", &["+", "/"], false),
            BinOp::Mul(_) => self.operator(whole, "*", &["+", "/"], false),
            BinOp::Div(_) => self.operator(whole, "/", &["%", "*"], false),
            BinOp::Rem(_) => self.operator(whole, "%", &["/", "+"], false),
            BinOp::And(_) => self.logic(whole, "&&", "||"),
            BinOp::Or(_) => self.logic(whole, "||", "&&"),
            BinOp::AddAssign(_) => self.assigned(whole, "+=", &["-=", "*="]),
            BinOp::SubAssign(_) => self.assigned(whole, "-=", &["+=", "/="]),
            BinOp::MulAssign(_) => self.assigned(whole, "*=", &["+=", "/="]),
            BinOp::DivAssign(_) => self.assigned(whole, "/=", &["%=", "*="]),
            _ => visit::visit_expr_binary(self, whole),
        }
    }

    fn visit_expr_unary(&mut self, whole: &'ast syn::ExprUnary) {
        let sign = match whole.op {
            UnOp::Not(_) => "!",
            UnOp::Neg(_) => "-",
            _ => return visit::visit_expr_unary(self, whole),
        };
        let Some(number) = self.count(whole.span(), format!("without {sign}")) else {
            return visit::visit_expr_unary(self, whole);
        };
        let (open, close) = if sign == "!" {
            (format!("({} != !(", on(number)), "))".to_owned())
        } else {
            ("(match (".to_owned(), format!(") {{ l => if {} {{ l }} else {{ -l }} }})", on(number)))
        };
        self.put(whole.op.span().byte_range(), open);
        self.visit_expr(&whole.expr);
        self.insert(whole.span().byte_range().end, close);
    }

    fn visit_expr_match(&mut self, whole: &'ast syn::ExprMatch) {
        self.visit_expr(&whole.expr);
        let last = whole.arms.last().filter(|arm| arm.guard.is_none() && matches!(arm.pat, Pat::Wild(_)));
        for (i, arm) in whole.arms.iter().enumerate() {
            let falls_through = last.is_some() && i + 1 < whole.arms.len();
            let gone =
                if falls_through { self.count(arm.pat.span(), "arm left out".to_owned()) } else { None };
            let kept = gone.map(|number| format!("!{}", on(number)));
            if let Some((_, guard)) = &arm.guard {
                let Range { start, end } = guard.span().byte_range();
                let met = self.count(guard.span(), "guard is true".to_owned());
                let unmet = self.count(guard.span(), "guard is false".to_owned());
                let met = met.map_or_else(|| "false".to_owned(), on);
                let unmet = unmet.map_or_else(|| "false".to_owned(), on);
                let kept = kept.unwrap_or_else(|| "true".to_owned());
                self.insert(start, format!("{kept} && ({met} || !{unmet} && ("));
                self.visit_expr(guard);
                self.insert(end, "))");
            } else if let Some(kept) = kept {
                self.insert(arm.pat.span().byte_range().end, format!(" if {kept}"));
            }
            self.visit_expr(&arm.body);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Mutant, mutate};

    fn written(text: &str) -> (String, Vec<Mutant>) {
        mutate("room.rs", text, &mut 1, &BTreeSet::new()).expect("it parses")
    }

    #[test]
    fn a_comparison_has_its_others() {
        let (text, found) = written("fn near(a: f64) -> Side { pick(a < 2.0) }");
        let whats: Vec<_> = found.iter().map(|mutant| mutant.what.as_str()).collect();
        assert_eq!(whats, ["< → ==", "< → >", "< → <="]);
        assert_eq!(
            text,
            "fn near(a: f64) -> Side { pick((match (&(a ), &( 2.0)) { (l, r) => if crate::mutant::on(1) { l == r } else \
             if crate::mutant::on(2) { l > r } else if crate::mutant::on(3) { l <= r } else { l < r } })) }"
        );
    }

    #[test]
    fn what_lies_within_is_broken_too() {
        let (text, found) = written("fn sum(a: f64, b: f64) -> Way { way(-a + b) }");
        assert_eq!(found.len(), 3);
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        let (text, _) = written("fn f(a: bool, b: bool, c: bool) -> Way { way(a && !b || c) }");
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        assert!(text.contains("left_1 => if left_1 == crate::mutant::on(1)"), "{text}");
        let (text, _) = written("fn f(n: &mut u8) -> Way { *n += 1 + 2; way(n) }");
        assert!(text.contains("let worth_1 = (match ((1 ), ( 2))"), "{text}");
        assert!(text.contains("if crate::mutant::on(1) { *n -= worth_1 }"), "{text}");
    }

    #[test]
    fn functions_are_left_at_once_and_arms_left_out() {
        let (text, found) =
            written("fn may(a: u8) -> bool { match a { 1 => true, 2 if odd(a) => true, _ => false } }");
        let whats: Vec<_> = found.iter().map(|mutant| mutant.what.as_str()).collect();
        assert_eq!(
            whats,
            ["is true", "is false", "arm left out", "arm left out", "guard is true", "guard is false"]
        );
        assert!(text.contains("1 if !crate::mutant::on(3) => true"), "{text}");
        assert!(syn::parse_file(&text).is_ok(), "{text}");
    }

    #[test]
    fn what_runs_before_and_what_binds_stays() {
        let (_, found) = written(
            "const A: u8 = 1 + 2; const fn f() -> u8 { 1 + 2 } #[cfg(test)] mod tests { fn t() -> u8 { 1 } }",
        );
        assert!(found.is_empty(), "{found:?}");
        let (text, found) = written("fn f(a: Option<u8>) { if a.is_some() && let Some(b) = a { g(b) } }");
        assert_eq!(found.len(), 1, "only the body: {text}");
    }

    #[test]
    fn what_is_for_programs_holds_no_rule() {
        let (_, found) = written(
            "impl Question for Pick { fn weigh(&self) -> f64 { 1.0 + 2.0 } fn judge(&self) -> bool { true } }",
        );
        assert_eq!(
            found.iter().map(|mutant| mutant.function.as_str()).collect::<Vec<_>>(),
            ["judge", "judge"]
        );
    }

    #[test]
    fn lines_stay_and_numbers_stay_when_one_is_left_out() {
        let text = "fn f(a: u8) -> Way {\n    way(\n        a + 1,\n        a - 1,\n    )\n}\n";
        let (all, found) = written(text);
        assert_eq!(all.lines().count(), text.lines().count());
        assert_eq!(
            found.iter().map(|mutant| mutant.lines).collect::<Vec<_>>(),
            [(3, 3), (3, 3), (4, 4), (4, 4)]
        );
        let (fewer, left) = mutate("room.rs", text, &mut 1, &BTreeSet::from([1, 2])).expect("it parses");
        assert_eq!(left, found[2..]);
        assert!(fewer.contains("        a + 1,\n"), "{fewer}");
    }
}
