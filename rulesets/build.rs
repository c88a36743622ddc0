//! Compiles the packs beside this file into an image, and keeps their texts, so that a new rule file needs no code and a
//! start of the program no parsing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rulecheck::{PackSource, Ruleset, Source};

/// The best that the compression of texts can do; it is done once.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // Cargo looks into folders: files that come, go and change are all seen.
    println!("cargo::rerun-if-changed={}", root.display());
    let mut packs = Vec::new();
    for folder in sorted(&root)? {
        if folder.join("pack.ron").is_file() {
            packs.push(pack(&root, &folder)?);
        }
    }
    // A mistake in a pack shall not keep the program from being built that explains it: then there is no image.
    let image = Ruleset::from_sources(&packs).map(|ruleset| ruleset.to_image()).unwrap_or_else(|mistakes| {
        println!("cargo::warning=the packs are not compiled: {}", mistakes.to_string().replace('\n', "; "));
        Vec::new()
    });
    fs::write(out.join("image"), image)?;
    fs::write(out.join("packs.rs"), texts(&out, &packs)?)
}

/// The list of all texts, each compressed in a file of its own, and of the packs: each the range of its texts.
fn texts(out: &Path, packs: &[PackSource]) -> io::Result<String> {
    let mut list = String::new();
    let mut ranges = String::new();
    let mut count = 0;
    for pack in packs {
        let start = count;
        for source in pack.manifest.iter().chain(&pack.files) {
            let file = out.join(format!("text{count}"));
            fs::write(&file, miniz_oxide::deflate::compress_to_vec(source.text.as_bytes(), LEVEL))?;
            let _ = writeln!(list, "    ({:?}, include_bytes!({:?})),", source.name, file.display().to_string());
            count += 1;
        }
        let _ = writeln!(ranges, "    {start}..{count},");
    }
    Ok(format!("const TEXTS: &[(&str, &[u8])] = &[\n{list}];\nconst PACKS: &[Range<usize>] = &[\n{ranges}];\n"))
}

fn pack(root: &Path, folder: &Path) -> io::Result<PackSource> {
    let mut files = Vec::new();
    rule_files(folder, &mut files)?;
    let files = files.iter().map(|file| source(root, file)).collect::<io::Result<_>>()?;
    Ok(PackSource { manifest: Some(source(root, &folder.join("pack.ron"))?), files })
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

/// A file with its name within this folder, with `/` on every system.
fn source(root: &Path, file: &Path) -> io::Result<Source> {
    let parts = file.strip_prefix(root).unwrap_or(file).iter().map(|part| part.to_string_lossy());
    Ok(Source::new(parts.collect::<Vec<_>>().join("/"), fs::read_to_string(file)?))
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
