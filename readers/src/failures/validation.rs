//! A workflow that was refused before it ran.

use rulecheck::evidence::{Failure, Form, Raised};

use crate::anchors::Marks;
use crate::failures::Found;
use crate::lines::Lines;
use crate::scan::ascii_lower_starts;

/// `Failed to validate prompt for output 9:` with its bullets, the further outputs, and `invalid prompt: {…}`.
pub(crate) fn read(lines: &Lines<'_>, first: usize) -> Option<Found> {
    let mut last = first;
    let mut index = first + 1;
    while index < lines.len() {
        if belongs(lines, index) {
            last = index;
        } else if !lines.blank(index) || lines.skip_blank(index, 2).is_none_or(|next| !belongs(lines, next)) {
            break;
        }
        index += 1;
    }
    let span = lines.range(first..last + 1)?;
    let raised = Raised { message: vec![span.clone()], ..Raised::default() };
    Some(Found { failure: Failure { form: Form::Validation, span, chain: vec![raised] }, next: last + 1 })
}

fn belongs(lines: &Lines<'_>, index: usize) -> bool {
    let text = lines.text(index).trim_start();
    let bullet = text.starts_with("* ") || text.starts_with("- ") && !text.starts_with("- **");
    let node = text.trim_end().ends_with(':') && !text.contains(' ') && !text.is_empty() && text.len() < 80;
    bullet || node || ascii_lower_starts(text, "output will be ignored") || lines.has(index, Marks::VALIDATION)
}
