//! What is found in a file: `cargo run -p rulecheck-readers --example inspect -- FILE…`.

#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let evidence = rulecheck_readers::read(&path, &std::fs::read(&path)?)?;
        for input in evidence.inputs() {
            println!("{} is {}, {} bytes", input.name, input.kind, input.bytes);
        }
        for failure in evidence.failures() {
            let line = evidence.place(&failure.span).map_or(0, |place| place.line);
            println!("{:?} in line {line}", failure.form);
            for raised in &failure.chain {
                println!("  type {:?}", raised.error_type.as_ref().map(|name| evidence.slice(name)));
                raised.message.iter().for_each(|range| println!("  message {:?}", evidence.slice(range)));
                raised.trace.iter().for_each(|range| println!("  trace {:?}", evidence.slice(range)));
            }
        }
        for document in evidence.documents() {
            println!("{} with {} values", document.kind, document.scalars.len());
        }
    }
    Ok(())
}
