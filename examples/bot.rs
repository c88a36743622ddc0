//! A chat bot's answer: error text on standard input, a Markdown message on standard output. A bot answers for other
//! people's machines, so nothing is asked of this one.
//!
//! ```text
//! cargo run --example bot < paste.txt
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use rulecheck::Nobody;
use rulecheck::report::{self, Style};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paste = Vec::new();
    io::stdin().read_to_end(&mut paste)?;

    // A bot makes its ruleset once and shares it between messages: it is immutable and cheap to clone.
    let ruleset = rulecheck_rulesets::bundled()?;
    let evidence = rulecheck_readers::read("-", &paste)?;
    let diagnosis = ruleset.diagnose(&evidence, &mut Nobody)?;

    // The message is never longer than a chat program takes.
    let message = report::markdown(&diagnosis, &Style::new("en"));
    io::stdout().write_all(message.as_bytes())?;
    Ok(())
}
