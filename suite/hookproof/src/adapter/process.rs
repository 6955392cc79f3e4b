//! A running adapter: its pipes, its life and its end.
//!
//! All three pipes are served by one `poll` without blocking, in the thread that plays the cases. So an adapter that does not
//! read, does not write, or writes without end can stop neither the other pipes nor the clock, and when it is gone no thread
//! is left that waits for it.

use super::{
    command::{Command, Limits, Trace},
    diagnosis::Diagnosis,
    stream::{Line, Lines, Tail},
};
use crate::{candidate::Trouble, interrupt};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};
use std::{
    fmt,
    io::{ErrorKind, Read, Write},
    os::fd::AsFd,
    process::{Child, ChildStderr, ChildStdin, ChildStdout},
    time::{Duration, Instant},
};

/// How often it is looked whether a silent adapter still lives.
const TICK: Duration = Duration::from_millis(50);
/// How long a pipe that outlives the adapter may stay silent.
const QUIET: Duration = Duration::from_millis(100);
/// How long an adapter has to end when the harness was told to.
const HASTE: Duration = Duration::from_millis(200);
/// How much is read of one pipe at a time.
const CHUNK: usize = 64 << 10;

/// A running adapter.
pub(super) struct Process {
    child: Child,
    pid: Pid,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What is to be written, and how much of it has been.
    requests: Vec<u8>,
    written: usize,
    /// stdin is to be closed as soon as all is written.
    last_words: bool,
    /// When it closed stdin.
    refused: Option<Instant>,
    /// It closed stdin before it had taken all.
    lost: bool,
    lines: Lines,
    /// The end of its stderr.
    pub(super) tail: Tail,
    /// What it has been through.
    pub(super) course: Course,
    ended: Option<(Ended, Instant)>,
    held: bool,
    reaped: bool,
    chunk: Box<[u8]>,
    grace: Duration,
    trace: Option<Trace>,
}

/// What a process has been through.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// How many cases it was sent.
    pub(super) sent: usize,
    /// It has answered a later case before an earlier one.
    pub(super) out_of_order: bool,
    /// How much there was on stderr when the replies before the present ones had come.
    pub(super) stderr: u64,
    /// A reply came since then.
    pub(super) replied: bool,
    /// The first thing on stdout, since the last reply, that is no message.
    pub(super) talk: Option<(Diagnosis, String)>,
    /// How much came on stdout, since the last reply, that is no message.
    pub(super) talked: usize,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Code(i32),
    Signal(i32),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Code(code) => write!(f, "it ended with exit code {code}"),
            Ended::Signal(signal) => write!(f, "signal {signal} ended it"),
        }
    }
}

/// Why no reply can come any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    Ended(Ended),
    /// It lives, without a stdout.
    ClosedStdout,
    /// It ended, and something that it started has its stdout.
    PipeHeld(Ended),
    /// It lives, and takes no more requests.
    ClosedStdin,
}

/// How an adapter took its leave.
#[derive(Debug, Default)]
pub(super) struct Parting {
    pub(super) ignored_bye: bool,
    pub(super) ignored_signal: bool,
    pub(super) pipe_held: bool,
    /// The first line that came when nothing was left to say.
    pub(super) afterwards: Option<Vec<u8>>,
}

impl Process {
    pub(super) fn start(command: &Command, limits: &Limits) -> Result<Process, Trouble> {
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        for pipe in
            [stdin.as_ref().map(AsFd::as_fd), stdout.as_ref().map(AsFd::as_fd), stderr.as_ref().map(AsFd::as_fd)]
        {
            // A pipe of ours cannot refuse; if one did, a read would block and no more.
            let _set = pipe.map(|pipe| rustix::io::ioctl_fionbio(pipe, true));
        }
        Ok(Process {
            pid: Pid::from_child(&child),
            child,
            stdin,
            stdout,
            stderr,
            requests: Vec::new(),
            written: 0,
            last_words: false,
            refused: None,
            lost: false,
            lines: Lines::new(limits.max_line),
            tail: Tail::new(limits.stderr_tail),
            course: Course::default(),
            ended: None,
            held: false,
            reaped: false,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            grace: Duration::from_millis(limits.grace_ms),
            trace: command.trace.clone(),
        })
    }

    /// Puts a request, a whole line, among what is to be written. It is written as fast as the adapter reads.
    pub(super) fn send(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        if let Some(trace) = &self.trace {
            trace.note("→", line);
        }
        match self.stdin {
            Some(_) => self.requests.extend_from_slice(line),
            None => self.lost = true,
        }
    }

    /// Closes stdin as soon as all is written.
    pub(super) fn no_more(&mut self) {
        self.last_words = true;
        self.write();
    }

    /// It takes no more requests.
    pub(super) fn refuses(&self) -> bool {
        self.refused.is_some()
    }

    /// It closed stdin some time ago, and did not take all that it was to read.
    pub(super) fn deaf_for(&self, grace: Duration) -> bool {
        self.lost && self.refused.is_some_and(|since| since.elapsed() > grace)
    }

    /// How many bytes it has not yet taken.
    pub(super) fn unwritten(&self) -> usize {
        self.requests.len() - self.written
    }

    /// The next line of stdout that is here already.
    pub(super) fn line(&mut self) -> Option<Line> {
        let line = self.lines.next()?;
        if let (Some(trace), Line::Whole(bytes) | Line::TooLong(bytes)) = (&self.trace, &line) {
            trace.note("←", bytes);
        }
        Some(line)
    }

    /// Waits until something can be read or written, for `patience` at most, and does so. True if something came from stdout.
    pub(super) fn step(&mut self, patience: Duration) -> bool {
        self.write();
        let patience = patience.min(TICK);
        let timeout = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
        let asked = if self.unwritten() > 0 { PollFlags::OUT } else { PollFlags::empty() };
        let mut fds = Vec::with_capacity(3);
        fds.extend(self.stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, asked)));
        let ready = poll(&mut fds, Some(&timeout)).unwrap_or(0);
        let refused = self.stdin.is_some() && fds.last().is_some_and(|fd| fd.revents().contains(PollFlags::ERR));
        if refused {
            self.refuse();
        }
        if ready == 0 {
            self.look();
            return false;
        }
        self.write();
        // In this order: what was written to stderr before a reply is then here with the reply.
        let came = self.read_stdout();
        self.read_stderr();
        came
    }

    /// Writes what the pipe can take now.
    pub(super) fn write(&mut self) {
        while let (Some(stdin), true) = (&mut self.stdin, self.written < self.requests.len()) {
            match stdin.write(&self.requests[self.written..]) {
                Ok(taken) => self.written += taken,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.refuse(),
            }
        }
        self.requests.clear();
        self.written = 0;
        if self.last_words {
            self.stdin = None;
        }
    }

    fn refuse(&mut self) {
        self.stdin = None;
        self.refused = Some(Instant::now());
        self.lost = self.unwritten() > 0;
    }

    fn read_stdout(&mut self) -> bool {
        let Some(stdout) = &mut self.stdout else { return false };
        let (came, open) = read(stdout, &mut self.chunk, |bytes| self.lines.push(bytes));
        if !open {
            self.stdout = None;
            self.lines.complete();
        }
        came
    }

    fn read_stderr(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        if !read(stderr, &mut self.chunk, |bytes| self.tail.push(bytes)).1 {
            self.stderr = None;
        }
    }

    /// Looks whether it has ended. It stays a zombie until its group is ended too, so that nobody else can get its number.
    fn look(&mut self) {
        if let Some((_, since)) = self.ended {
            self.held = self.stdout.is_some() && since.elapsed() >= QUIET;
            return;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        if let Ok(Some(status)) = waitid(WaitId::Pid(self.pid), options) {
            let ended = match status.terminating_signal() {
                Some(signal) => Ended::Signal(signal),
                None => Ended::Code(status.exit_status().unwrap_or(-1)),
            };
            self.ended = Some((ended, Instant::now()));
        }
    }

    /// Why no reply can come any more, if so. To be asked when all lines have been taken.
    pub(super) fn gone(&mut self) -> Option<Gone> {
        if self.stdout.is_some() {
            return self.ended.filter(|_| self.held).map(|(ended, _)| Gone::PipeHeld(ended));
        }
        if self.ends_within(self.grace) {
            self.read_stderr();
        }
        Some(self.ended.map_or(Gone::ClosedStdout, |(ended, _)| Gone::Ended(ended)))
    }

    /// The same of a process that has nothing to do: then it must take requests, too.
    pub(super) fn unfit(&mut self) -> Option<Gone> {
        match self.gone() {
            None if self.refused.is_none() => None,
            None if self.ends_within(self.grace) => self.ended.map(|(ended, _)| Gone::Ended(ended)),
            None => Some(Gone::ClosedStdin),
            gone => gone,
        }
    }

    /// How much time it has to end. When somebody wants an end of all, they do not want to wait for it.
    fn grace(&self) -> Duration {
        if interrupt::caught().is_some() { self.grace.min(HASTE) } else { self.grace }
    }

    fn ends_within(&mut self, grace: Duration) -> bool {
        let until = Instant::now() + grace;
        loop {
            self.look();
            let left = until.saturating_duration_since(Instant::now());
            if self.ended.is_some() || left.is_zero() {
                return self.ended.is_some();
            }
            self.step(left.min(Duration::from_millis(2)));
        }
    }

    /// Takes leave: `bye`, the end of stdin, and time to end by itself.
    pub(super) fn part(mut self, bye: &[u8]) -> Parting {
        self.send(bye);
        self.no_more();
        let mut parting = Parting::default();
        let until = Instant::now() + self.grace();
        while !self.ends_within(Duration::from_millis(2)) && Instant::now() < until {
            self.leftovers(&mut parting);
        }
        parting.ignored_bye = self.ended.is_none();
        while self.step(Duration::ZERO) && Instant::now() < until {
            self.leftovers(&mut parting);
        }
        self.leftovers(&mut parting);
        parting.pipe_held = self.ended.is_some() && self.stdout.is_some();
        parting.ignored_signal = self.end();
        parting
    }

    fn leftovers(&mut self, parting: &mut Parting) {
        while let Some(Line::Whole(line) | Line::TooLong(line)) = self.line() {
            if parting.afterwards.is_none() && !line.trim_ascii().is_empty() {
                parting.afterwards = Some(line);
            }
        }
    }

    /// Ends it, with all that it started: first politely, then not. True if politeness did not help.
    pub(super) fn end(&mut self) -> bool {
        if self.reaped {
            return false;
        }
        self.lines.deafen();
        (self.stdin, self.requests, self.written) = (None, Vec::new(), 0);
        let mut ignored = false;
        if !self.ends_within(Duration::ZERO) {
            let _gone = kill_process_group(self.pid, Signal::TERM);
            ignored = !self.ends_within(self.grace());
        }
        // The group may have outlived its head, and keeps the head's number for as long as the head is not waited for.
        let _gone = kill_process_group(self.pid, Signal::KILL);
        let _status = self.child.wait();
        self.reaped = true;
        self.read_stderr();
        (self.stdout, self.stderr) = (None, None);
        ignored
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads what is there, four chunks at most: whether something was, and whether the pipe is still open.
fn read(pipe: &mut impl Read, chunk: &mut [u8], mut take: impl FnMut(&[u8])) -> (bool, bool) {
    let mut came = false;
    for _ in 0..4 {
        match pipe.read(chunk) {
            Ok(0) => return (came, false),
            Ok(length) => {
                came = true;
                take(&chunk[..length]);
                if length < chunk.len() {
                    break;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(_) => return (came, false),
        }
    }
    (came, true)
}
