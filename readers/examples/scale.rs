//! How long reading takes: `cargo run --release -p rulecheck-readers --example scale -- FILE…`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let start = Instant::now();
        match rulecheck_readers::read(&path, &bytes) {
            Ok(evidence) => {
                let spent = start.elapsed();
                let rate = bytes.len() as f64 / 1e6 / spent.as_secs_f64();
                let (failures, documents) = (evidence.failures().len(), evidence.documents().len());
                println!(
                    "{path}: {} bytes in {spent:?}, {rate:.0} MB/s, {failures} failures, {documents} documents",
                    bytes.len()
                );
            }
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
