//! The adapters at the other end: this program, started again.

use hookproof_contract::{Case, message::Outcomes};
use hookproof_reference::Runtime;
use serde_json::{Value, json};
use std::{
    error::Error,
    fs,
    io::{self, BufRead, BufWriter, Write},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

type Done = Result<(), Box<dyn Error>>;

/// Answers the n-th case with the n-th line of a file, in a circle, and reads of a request no more than its id. With `stamp`:
/// writes into that file when the first case came, in nanoseconds since 1970; a file that is there was written by the process before.
pub(crate) fn canned(answers: &str, stamp: Option<&str>) -> Done {
    let answers = fs::read_to_string(answers)?;
    let answers: Vec<&str> = answers.lines().collect();
    let mut first = stamp;
    let mut next = answers.iter().cycle();
    serve(|line, out| {
        if let Some(stamp) = first.take().filter(|stamp| !Path::new(stamp).exists()) {
            fs::write(stamp, SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos().to_string())?;
        }
        let id = between(line, "\"id\":\"", "\"").ok_or("a request without an id")?;
        let steps = next.next().ok_or("no answers")?;
        writeln!(out, "{{\"type\":\"outcome\",\"id\":\"{id}\",\"steps\":{steps}}}")?;
        Ok(())
    })
}

/// Plays every case on the reference.
pub(crate) fn reference() -> Done {
    let runtime = Runtime::new();
    serve(|line, out| {
        let mut request: Value = serde_json::from_str(line)?;
        let case: Case = serde_json::from_value(request["case"].take())?;
        let id = request["id"].as_str().unwrap_or_default().to_owned();
        let mut reply = serde_json::to_value(Outcomes { id, steps: runtime.play(&case) })?;
        reply["type"] = json!("outcome");
        writeln!(out, "{reply}")?;
        Ok(())
    })
}

fn serve(mut answer: impl FnMut(&str, &mut dyn Write) -> Done) -> Done {
    let mut input = io::stdin().lock();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if line.starts_with("{\"type\":\"hello\"") {
            writeln!(out, "{}", hello()?)?;
        } else if line.starts_with("{\"type\":\"bye\"") {
            return Ok(());
        } else {
            answer(&line, &mut out)?;
        }
        line.clear();
        out.flush()?;
    }
    Ok(())
}

/// How the reference introduces itself, as a line.
pub(crate) fn hello() -> Result<String, Box<dyn Error>> {
    let mut hello = serde_json::to_value(hookproof_reference::hello())?;
    hello["type"] = json!("hello");
    Ok(hello.to_string())
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}
