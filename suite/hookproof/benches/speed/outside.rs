//! The program as a user starts it: how soon the first case is sent, and how much memory it takes.

use crate::{Row, Rows};
use std::{
    error::Error,
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The program.
const HOOKPROOF: &str = env!("CARGO_BIN_EXE_hookproof");
/// How often it is started.
const STARTS: usize = 20;

pub(crate) fn rows() -> Rows {
    let folder = tempfile::tempdir()?;
    let mut starts = (0..STARTS).map(|_| start(folder.path())).collect::<Result<Vec<f64>, _>>()?;
    starts.sort_by(f64::total_cmp);
    let median = starts[starts.len() / 2];
    Ok(vec![
        Row::at_most("from the start to the first case that arrives, median", median, 30.0, "ms"),
        Row::at_most(
            "resident memory, 100,000 generated cases, adapter outside",
            memory(folder.path(), true)?,
            64.0,
            "MiB",
        ),
        Row::at_most(
            "resident memory, 100,000 generated cases, reference inside",
            memory(folder.path(), false)?,
            64.0,
            "MiB",
        ),
    ])
}

/// Milliseconds until an adapter gets its first case, its own start included.
fn start(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let (answers, stamp) = (folder.join("answers"), folder.join("stamp"));
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    fs::write(&answers, "[]\n")?;
    let mut command = Command::new(HOOKPROOF);
    command.args(["run", "--fail-fast", "--"]).arg(std::env::current_exe()?).arg("canned").arg(answers).arg(&stamp);
    let started = SystemTime::now().duration_since(UNIX_EPOCH)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let arrived = Duration::from_nanos(fs::read_to_string(&stamp)?.parse()?);
    Ok(arrived.saturating_sub(started).as_secs_f64() * 1e3)
}

/// The most memory that the program ever had, in MiB.
fn memory(folder: &Path, outside: bool) -> Result<f64, Box<dyn Error>> {
    let mut command = Command::new(HOOKPROOF);
    command.args(["fuzz", "--cases", "100000", "--seed", "1", "--out"]).arg(folder.join("failures"));
    if outside {
        command.arg("--").arg(std::env::current_exe()?).arg("reference");
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut most = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        most = high_water(child.id()).unwrap_or(most);
        thread::sleep(Duration::from_millis(5));
    };
    if status.success() { Ok(most) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The mark only ever rises, so the last one that was read is all but the highest.
fn high_water(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<f64>().ok().map(|kib| kib / 1024.0)
}
