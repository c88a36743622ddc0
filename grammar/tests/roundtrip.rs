//! Printing and parsing are inverse to each other.

mod generate;

use proptest::prelude::*;
use rulecheck_grammar::ast::File;
use rulecheck_grammar::{Diagnostics, Source, SourceId, parse, print};

fn reparse(text: &str) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let file = parse(&Source::new("print.rules", text), SourceId::default(), &mut diagnostics);
    (file, diagnostics)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_print_of_a_tree_parses_to_that_tree(file in generate::file()) {
        let text = print(&file);
        let (again, diagnostics) = reparse(&text);
        prop_assert!(diagnostics.is_empty(), "{:#?}\nin:\n{text}", diagnostics.iter().next());
        prop_assert_eq!(&again, &file, "printed as:\n{}", text);
        prop_assert_eq!(print(&again), text);
    }
}
