//! Names of inputs without the files, and reports about them, for `scripts/ten-million.sh`.
//!
//! Usage:
//!
//!     names list COUNT FILE           an input list of COUNT names below `models`
//!     names sort COUNT I/N            what a run without a list does with the names: keep, sort, choose a shard
//!     names select FILE I/N           what a run with a list does: read it and choose a shard
//!     names reports FILE N DIR        the reports that N shards of the list would write, one line for each input
//!     names files COUNT DIR           COUNT empty files of these names

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rigy_batch::io::{Found, InputList, InputListWriter, Listed, ListedKind};
use rigy_batch::run::batch::{LastLine, ReportWriter, Shard, Summary};

/// Files of a directory, and directories of a directory.
const FAN: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list", count, file] => list(count.parse()?, Path::new(file)),
        ["sort", count, shard] => sort(count.parse()?, shard),
        ["select", file, shard] => select(Path::new(file), shard),
        ["reports", file, shards, directory] => {
            reports(Path::new(file), shards.parse()?, Path::new(directory))
        }
        ["files", count, directory] => files(count.parse()?, Path::new(directory)),
        _ => Err("see the beginning of examples/names.rs".into()),
    }
}

/// The path of file number `n`; in order, paths are sorted.
fn path(n: u64) -> PathBuf {
    let (directory, file) = (n / FAN, n % FAN);
    let (outer, inner) = (directory / FAN, directory % FAN);
    format!("batch-{outer:05}/robot-{inner:03}/part-{file:03}.rigy.yaml").into()
}

fn list(count: u64, file: &Path) -> Result<(), Box<dyn Error>> {
    let out = BufWriter::new(File::create(file)?);
    let roots = [PathBuf::from("models")];
    let mut list = InputListWriter::begin("list", out, ListedKind::Documents, &roots)?;
    for n in 0..count {
        list.add(0, &path(n), 1000 + n % 997)?;
    }
    list.end()?;
    Ok(())
}

fn shard(text: &str) -> Result<Shard, Box<dyn Error>> {
    Ok(Shard::parse(text, |_| None)?)
}

fn sort(count: u64, text: &str) -> Result<(), Box<dyn Error>> {
    let root: Arc<Path> = Path::new("models").into();
    // A directory gives its files in any order: here the numbers come in a permutation (7919 is prime).
    let numbers = (0..count).map(|n| n * 7919 % count);
    let mut paths: Vec<PathBuf> = numbers.map(|n| root.join(path(n))).collect();
    paths.sort_unstable();
    let found = |path| Found {
        path,
        root: root.clone(),
    };
    let found: Vec<Found> = paths.into_iter().map(found).collect();
    let shard = shard(text)?;
    let (own, others): (Vec<Found>, Vec<Found>) =
        found.into_iter().partition(|input| shard.takes(input));
    println!("{} of {}", own.len(), own.len() + others.len());
    Ok(())
}

fn select(file: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let mut list = InputList::open(file)?;
    let (shard, root) = (shard(text)?, Path::new("models"));
    let (mut own, mut all) = (Vec::new(), 0);
    while let Some(listed) = list.next()? {
        all += 1;
        if shard.takes_path(Path::new(&*listed.path)) {
            own.push(root.join(&*listed.path));
        }
    }
    println!("{} of {all}", own.len());
    Ok(())
}

fn reports(file: &Path, shards: u64, directory: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    let all = (0..shards).map(|index| {
        let file = File::create(directory.join(format!("{index}.json")))?;
        let writer = ReportWriter::begin(BufWriter::with_capacity(64 << 10, file))?;
        let shard = Shard::parse(&format!("{index}/{shards}"), |_| None)?;
        Ok((shard, writer, Summary::default()))
    });
    let mut all: Vec<_> = all.collect::<Result<_, Box<dyn Error>>>()?;
    let mut list = InputList::new("list".into(), BufReader::new(File::open(file)?))?;
    let mut number = 0_u64;
    while let Some(Listed { path, bytes, .. }) = list.next()? {
        let path = Path::new(&*path);
        let owner = Shard::owner(path, shards);
        let (_, writer, summary) = &mut all[owner as usize];
        let stem = path.display().to_string().replace(".rigy.yaml", "");
        // Hashes of files look like random digits.
        let hash = format!(
            "{:064x}",
            u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).pow(2)
        );
        writer.line(&format!(
            "{{\"input\":\"models/{stem}.rigy.yaml\",\"pose\":null,\"output\":\"out/{stem}.glb\",\"status\":\"written\",\
             \"sha256\":\"{hash}\",\"bytes\":{bytes},\"warnings\":[],\"errors\":[]}}"
        ))?;
        summary.inputs += 1;
        summary.written += 1;
        number += 1;
    }
    for (shard, writer, summary) in all {
        let last = LastLine {
            shard: Some(shard.to_string()),
            ..LastLine::of(summary)
        };
        writer.end(&last)?.flush()?;
    }
    Ok(())
}

fn files(count: u64, directory: &Path) -> Result<(), Box<dyn Error>> {
    for n in 0..count {
        let path = directory.join(path(n));
        if n % FAN == 0 {
            fs::create_dir_all(path.parent().unwrap_or(directory))?;
        }
        File::create(path)?;
    }
    Ok(())
}
