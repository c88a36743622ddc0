//! Writes the list of the packs beside this file, with their texts, so that a new rule file needs no code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // Cargo looks into folders: files that come, go and change are all seen.
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("pub(crate) const PACKS: &[Pack] = &[\n");
    for folder in sorted(&root)? {
        if folder.join("pack.ron").is_file() {
            pack(&root, &folder, &mut list)?;
        }
    }
    list.push_str("];\n");
    fs::write(out.join("packs.rs"), list)
}

fn pack(root: &Path, folder: &Path, list: &mut String) -> io::Result<()> {
    let mut files = Vec::new();
    rule_files(folder, &mut files)?;
    let mut write = |text: &str| list.push_str(text);
    write(&format!("    Pack {{\n        manifest: {},\n        files: &[\n", text_of(root, &folder.join("pack.ron"))));
    for file in files {
        write(&format!("            {},\n", text_of(root, &file)));
    }
    write("        ],\n    },\n");
    Ok(())
}

fn rule_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in sorted(folder)? {
        if path.is_dir() {
            rule_files(&path, files)?;
        } else if path.to_string_lossy().ends_with("-tests.rules") {
            // Tests have no say in a diagnosis; they are run from the folder.
        } else if path.extension().is_some_and(|extension| extension == "rules") {
            files.push(path);
        }
    }
    Ok(())
}

/// The name of a file within this folder, with `/` on every system, and its text.
fn text_of(root: &Path, file: &Path) -> String {
    let mut name = String::new();
    for part in file.strip_prefix(root).unwrap_or(file) {
        let slash = if name.is_empty() { "" } else { "/" };
        let _ = write!(name, "{slash}{}", part.to_string_lossy());
    }
    format!("({name:?}, include_str!({:?}))", file.display().to_string())
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
