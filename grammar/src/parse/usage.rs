//! How each clause is written, for the help of a mistake in it.

use super::syntax::Rule;

/// The form of a clause whose first word is `word`.
pub(super) fn usage(rule: Rule, word: &str) -> String {
    let form = match rule {
        Rule::rule_head => "`rule NAME`, then `when CONDITION` and `then suggest FIX` below it",
        Rule::condition_clause => return format!("`{word} CONDITION`"),
        Rule::then_clause => {
            "`then suggest FIX priority 1 because \"…\"`, `then diagnose PROBLEM`, `then suspect PROBLEM`, \
             `then avoid FIX because \"…\"` or `then conclude FACT = VALUE`"
        }
        Rule::fact_head => {
            "`fact NAME: TYPE`, where TYPE is `bool`, `number`, `size`, `version`, `text`, `name`, `one of a, b` or `set of TYPE`"
        }
        Rule::field => "`FIELD: TYPE \"description\"`",
        Rule::about_clause => "`\"description\"`, `ask \"question\"` or `probe NAME`",
        Rule::record_head => "`record NAME \"description\"`, then its fields below it",
        Rule::section_head => "`section NAME from last \"text\" to error`",
        Rule::table_head => "`table FACT from FACT`",
        Rule::table_entry => "`KEY -> VALUE`",
        Rule::otherwise_clause => "`otherwise FACT`",
        Rule::entry_head => return format!("`{word} ID`, then its clauses below it"),
        Rule::text_clause => return format!("`{word} \"…\"`, with translations as `zh \"…\"`"),
        Rule::word_clause if word == "severity" => "`severity note`, `severity warning` or `severity failure`",
        Rule::word_clause if word == "verified" => "`verified 2026-09-26`",
        Rule::word_clause => return format!("`{word} NAME`"),
        Rule::names_clause => return format!("`{word} ID, ID`"),
        Rule::keywords_clause => "`keywords \"…\", \"…\"`",
        Rule::source_clause => "`source KIND \"title\" <https://…>`",
        Rule::risk_clause => "`risk low \"…\"`, `risk medium \"…\"` or `risk high \"…\"`",
        Rule::template_clause => "`TEMPLATE \"…\"`",
        Rule::flag_step => "`flag --x`, `flag --x VALUE`, `flag --x instead of --y` or `flag off --x`",
        Rule::flag_off => "`flag off --x, --y`",
        Rule::env_step => "`env NAME = VALUE` or `env off NAME`",
        Rule::env_off => "`env off NAME`",
        Rule::via_step => "`via TEMPLATE \"…\"`",
        Rule::text_step => return format!("`{word} \"…\"`"),
        Rule::extract_json => "`extract from json \"path\" as FACT: TYPE`",
        Rule::extract_text => "`extract from log \"text {FACT: TYPE}\"` or `extract from log \"text\" as FACT = VALUE`",
        Rule::line_head => {
            "`line KIND \"text\"`, where KIND is `start`, `run`, `banner`, `progress`, `warning`, `table`, `retry` or `import`"
        }
        Rule::disable_head => "`disable rule NAME because \"…\"`",
        Rule::test_head => "`test \"name\"`, then `given …` and `expect …` below it",
        Rule::given_clause => {
            "`given FACT = VALUE`, `given FACT is none`, `given error \"…\"` or `given RECORD: FIELD = VALUE`"
        }
        Rule::expect_clause => {
            "`expect problem ID`, `expect suggest FIX first`, `expect no suggest FIX`, `expect possible ID`, \
             `expect avoid FIX`, `expect only suggest FIX, FIX` or `expect fact NAME = VALUE`"
        }
        _ => "",
    };
    form.to_owned()
}
