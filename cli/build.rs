//! Writes the list of the pages in `docs/codes`, with their texts, so that a new page needs no code.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let folder = root.join("../docs/codes");
    // Cargo looks into folders: pages that come, go and change are all seen.
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut pages: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    let mut list = String::from("&[\n");
    for page in pages {
        let code = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        list.push_str(&format!("    ({code:?}, include_str!({:?})),\n", page.display().to_string()));
    }
    list.push_str("]\n");
    fs::write(out.join("codes.rs"), list)
}
