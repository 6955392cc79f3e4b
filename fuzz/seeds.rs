//! Writes the seeds of the fuzz targets into `corpus/fuzz/`: a few small files for each target, from the corpus of cases and from
//! the generator. Run it from the top of the repository: `cargo run --manifest-path fuzz/Cargo.toml --example seeds`.

use hookproof::corpus::Corpus;
use hookproof_contract::{Case, HandlerResult, Readings, Revision, Text, message::Outcomes};
use hookproof_fuzz::{WAYS, one_handler};
use hookproof_generate::from_bytes;
use hookproof_reference::Runtime;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// How many seeds a target gets at most.
const MOST: usize = 48;
/// How long a seed may be, in bytes.
const LONGEST: usize = 2048;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let top = Path::new("corpus/fuzz");
    let cases = corpus()?;
    write(&top.join("read_stdout"), outputs(&cases))?;
    write(&top.join("resolve"), generated())?;
    write(&top.join("protocol"), replies(&cases)?)
}

fn corpus() -> Result<Vec<Case>, Box<dyn Error>> {
    let corpus = Corpus::embedded()?;
    let mut cases = Vec::new();
    for entry in corpus.entries() {
        let file = entry.read()?;
        cases.extend(file.variants()?.into_iter().map(|(_, case, _)| case));
    }
    Ok(cases)
}

/// What the handlers of the corpus print, on one event and another.
fn outputs(cases: &[Case]) -> Vec<Vec<u8>> {
    let texts = cases.iter().flat_map(|case| case.results.values().map(|result: &HandlerResult| &result.out));
    let mut texts: Vec<Vec<u8>> = texts.map(Text::bytes).map(|bytes| bytes.into_owned()).collect();
    texts.retain(|text| text.len() < LONGEST);
    texts.sort_by_key(Vec::len);
    let kinds = WAYS * hookproof_reference::hello().events.len();
    let turns = (0..kinds).flat_map(|turn| texts.iter().enumerate().map(move |(at, text)| ((turn + at) % kinds, text)));
    let seeds = turns.map(|(at, text)| [&[(at / WAYS) as u8, (at % WAYS) as u8], text.as_slice()].concat());
    spread(seeds, |seed| {
        let (revision, case) = one_handler(seed[0], seed[1], &seed[2..]);
        rules(revision, &case)
    })
}

/// Bytes of cases that between them touch many rules.
fn generated() -> Vec<Vec<u8>> {
    let mut state = 1_u64;
    let seeds = (0..20_000).map(|_| {
        let bytes: Vec<u8> = (0..256).map(|_| next(&mut state)).collect();
        short(bytes)
    });
    spread(seeds, |seed| rules(Revision::NEWEST, &from_bytes(seed)))
}

/// The shortest beginning that still makes the same case.
fn short(bytes: Vec<u8>) -> Vec<u8> {
    let case = from_bytes(&bytes);
    let (mut too_short, mut enough) = (0, bytes.len());
    while too_short + 1 < enough {
        let middle = too_short.midpoint(enough);
        if from_bytes(&bytes[..middle]) == case {
            enough = middle;
        } else {
            too_short = middle;
        }
    }
    bytes[..enough].to_vec()
}

fn next(state: &mut u64) -> u8 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.to_be_bytes()[0]
}

/// What adapters write: good replies, and every way in which one can be wrong. The first byte is the longest line, by 16.
fn replies(cases: &[Case]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut hello = serde_json::to_value(hookproof_reference::hello())?;
    hello["type"] = Value::from("hello");
    let mut seeds = vec![[b"\xff", hello.to_string().as_bytes()].concat()];
    let long_enough = b"\xff";
    for case in cases.iter().step_by(1 + cases.len() / 16) {
        let mut reply = serde_json::to_value(Outcomes { id: "7f".to_owned(), steps: Runtime::new().play(case) })?;
        reply["type"] = Value::from("outcome");
        seeds.push([long_enough, reply.to_string().as_bytes()].concat());
    }
    seeds.retain(|seed| seed.len() < LONGEST);
    let wrong: [&[u8]; 12] = [
        b"\xffloading\n{\"type\":\"errored\",\"id\":\"1\",\"message\":\"no\"}\n",
        b"\x01a line of more than sixteen bytes\n{}",
        b"\xff{\"type\":\"outcome\",\"id\":\"1\",\"steps\":[{\"said\":[{\"to\":\"user\",\"text\":\"\\ud800\"}]}]}",
        b"\xff{\"type\":\"outcome\",\"id\":1,\"steps\":[]}",
        b"\xff{\"type\":\"outcome\",\"id\":\"1\",\"steps\":{}}",
        b"\xff{\"type\":\"outcome\",\"id\":\"1\",\"steps\":[{\"fate\":\"blocked\"}]}",
        b"\xff{\"type\":\"errored\",\"id\":\"1\",\"message\":\"\xff\"}\r\n\r\n",
        b"\xff{\"type\":\"hello\",\"protocol\":2}",
        b"\xff{\"type\":\"outcome\",\"type\":\"errored\",\"id\":\"1\"}",
        b"\xff[1]\n\"text\"\nnull\n\xff\xfe",
        b"\xff\n\n\n",
        b"\xff{\"type\":\"outcome\",\"id\":\"1\",\"steps\":[{\"said\":[{\"to\":\"model\",\"text\":{\"base64\":\"//79\"}}]}]}",
    ];
    seeds.extend(wrong.map(<[u8]>::to_vec));
    Ok(seeds)
}

fn rules(revision: Revision, case: &Case) -> BTreeSet<String> {
    let expectation = hookproof_model::expect(revision, &Readings::default(), case).unwrap_or_default();
    let worlds = expectation.worlds.into_iter().flat_map(|world| world.claims);
    expectation.claims.into_iter().chain(worlds).map(|claim| claim.rule.to_string()).collect()
}

/// The seeds that each touch a rule that none before them did.
fn spread(seeds: impl Iterator<Item = Vec<u8>>, rules: impl Fn(&[u8]) -> BTreeSet<String>) -> Vec<Vec<u8>> {
    let mut touched = BTreeSet::new();
    seeds
        .filter(|seed| rules(seed).into_iter().filter(|rule| touched.insert(rule.clone())).count() > 0)
        .take(MOST)
        .collect()
}

fn write(folder: &Path, seeds: Vec<Vec<u8>>) -> Done {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (number, seed) in seeds.iter().enumerate() {
        let file: PathBuf = folder.join(format!("{number:02}"));
        fs::write(file, seed)?;
    }
    println!("{}: {} seeds, {} bytes", folder.display(), seeds.len(), seeds.iter().map(Vec::len).sum::<usize>());
    Ok(())
}
