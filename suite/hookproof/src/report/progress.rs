//! How far a run has come: a line that moves on a terminal, now and then a plain line elsewhere.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

/// How often the line moves.
const ON_TERMINAL: Duration = Duration::from_millis(100);
/// How often a plain line comes.
const ELSEWHERE: Duration = Duration::from_secs(10);

/// How far a run has come.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    total: Option<u64>,
    done: u64,
    bad: usize,
    is_terminal: bool,
    last: Instant,
    is_shown: bool,
}

impl Progress {
    /// A display on stderr.
    #[must_use]
    pub fn new(what: &'static str, total: Option<u64>) -> Progress {
        let is_terminal = io::stderr().is_terminal();
        Progress { what, total, done: 0, bad: 0, is_terminal, last: Instant::now(), is_shown: false }
    }

    /// Moves on to so many of them, with so many failures.
    pub fn at(&mut self, done: u64, bad: usize) {
        (self.done, self.bad) = (done, bad);
        let pause = if self.is_terminal { ON_TERMINAL } else { ELSEWHERE };
        // The clock is read for every 16th case only: it costs as much as judging one.
        if done.is_multiple_of(16) && self.last.elapsed() >= pause {
            self.last = Instant::now();
            self.show();
        }
    }

    fn show(&mut self) {
        let line = words(self.what, self.done, self.total, self.bad);
        let mut err = io::stderr();
        if self.is_terminal {
            self.is_shown = true;
            drop(write!(err, "\r\x1b[2K{line}"));
        } else {
            drop(writeln!(err, "{line}"));
        }
        drop(err.flush());
    }

    /// Takes the line away, so that something else can be written.
    pub fn clear(&mut self) {
        if self.is_shown {
            self.is_shown = false;
            drop(write!(io::stderr(), "\r\x1b[2K"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn words(what: &str, done: u64, total: Option<u64>, bad: usize) -> String {
    const WIDTH: u64 = 24;
    let count = match total {
        Some(total) if total > 0 => {
            let full = usize::try_from(done.min(total) * WIDTH / total).unwrap_or(0);
            let empty = usize::try_from(WIDTH).unwrap_or(0) - full;
            format!("[{}{}] {done}/{total} {what}", "=".repeat(full), " ".repeat(empty))
        }
        _ => format!("{done} {what}"),
    };
    if bad == 0 { count } else { format!("{count}, {bad} failed") }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn progress_in_words() {
        assert_eq!(words("cases", 16, None, 0), "16 cases");
        assert_eq!(words("files", 12, Some(24), 3), "[============            ] 12/24 files, 3 failed");
        assert_eq!(words("files", 30, Some(24), 0), "[========================] 30/24 files");
    }
}
