//! What can be wrong with an adapter, each thing with a name of its own and a word on what to do about it.

use crate::{candidate::Trouble, words::visible};
use std::fmt::Display;

/// What is wrong with an adapter. The name never changes, so that people can look it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// There is no such program.
    MissingProgram,
    /// There is no such working directory.
    MissingDirectory,
    /// The file is there but cannot be run.
    NotExecutable,
    /// The system could not start it for another reason.
    NotStarted,
    /// It ended before it wrote anything.
    SilentExit,
    /// Its first line is no message.
    Banner,
    /// It runs and never answers the handshake.
    HelloNeverComes,
    /// Its first message is not the answer to the handshake.
    NoHello,
    /// It speaks another version of the protocol.
    WrongVersion,
    /// After a restart it says something else of itself.
    HelloChanges,
    /// It ended, as if all were well, with cases unanswered.
    ExitMidRun,
    /// One case, played alone, ends it.
    Crash,
    /// It broke down with several cases, none of which breaks it alone.
    OnlyInCompany,
    /// Case after case ends it.
    CrashAfterCrash,
    /// A case gets no reply in time.
    NeverAnswers,
    /// A case gets a second reply.
    AnswersTwice,
    /// It answers what was never asked.
    UnknownId,
    /// A reply has a wrong shape.
    WrongTypes,
    /// It writes to stdout what is no message.
    TalksOnStdout,
    /// It takes no more requests.
    ClosesStdin,
    /// It lives on and can give no more replies.
    ClosesStdout,
    /// It writes to stdout without end what is no message.
    FloodsStdout,
    /// It writes to stderr far too much.
    FloodsStderr,
    /// It did not end when it was told so.
    IgnoresBye,
    /// It did not end when it was asked to by a signal.
    IgnoresSignal,
    /// It ended, and a process that it left behind has its stdout.
    ChildHoldsPipe,
    /// A line is longer than any message can be.
    GiganticLine,
    /// A line is no UTF-8.
    InvalidUtf8,
    /// It cannot play a case that its own hello allows.
    DeclaresTooMuch,
}

impl Diagnosis {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().0
    }

    /// What to do about it.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        self.entry().1
    }

    const fn entry(self) -> (&'static str, &'static str) {
        match self {
            Self::MissingProgram => ("missing program", "check the path behind `--`, or that PATH leads to it"),
            Self::MissingDirectory => ("missing directory", "name a directory that exists"),
            Self::NotExecutable => (
                "not executable",
                "make the file executable and begin it with a `#!` line, or put its interpreter before it",
            ),
            Self::NotStarted => ("not started", "see what the system says, and start it by hand"),
            Self::SilentExit => {
                ("says nothing and exits at once", "start it by hand: it should wait for a line on stdin")
            }
            Self::Banner => {
                ("banner before the protocol", "stdout is for messages only: send everything else to stderr")
            }
            Self::HelloNeverComes => {
                ("hello that never comes", "answer the first line at once, and flush stdout after every line")
            }
            Self::NoHello => (
                "hello that is no hello",
                "the first line must be one message of type `hello`, complete and of the right types",
            ),
            Self::WrongVersion => (
                "wrong protocol version",
                "write the adapter for the version that the harness sends, and repeat that number",
            ),
            Self::HelloChanges => {
                ("hello that changes", "say the same of yourself at every start; what was said first counts")
            }
            Self::ExitMidRun => {
                ("exit in mid-run", "read lines until `bye` or the end of stdin; do not end after a case")
            }
            Self::Crash => ("crash on one case", "replay this case and look at the runtime's stderr"),
            Self::OnlyInCompany => (
                "crash only in company",
                "look for state that one case leaves to the next, or for cases that disturb each other",
            ),
            Self::CrashAfterCrash => ("crash after crash", "replay one of these cases and mend the cause first"),
            Self::NeverAnswers => (
                "never answers",
                "flush stdout after every reply, answer every case, or give it more time with `--deadline`",
            ),
            Self::AnswersTwice => ("answers twice", "send one reply for each `run`"),
            Self::UnknownId => ("unknown id", "repeat the `id` of the `run` message, character by character"),
            Self::WrongTypes => ("wrong types", "make the reply as the schema of the messages has it"),
            Self::TalksOnStdout => ("talks on stdout", "stdout is for messages only: send everything else to stderr"),
            Self::ClosesStdin => ("closes stdin", "keep stdin open and read it until `bye`"),
            Self::ClosesStdout => ("closes stdout", "keep stdout open until `bye`"),
            Self::FloodsStdout => ("floods stdout", "stdout is for messages only, one line each"),
            Self::FloodsStderr => ("floods stderr", "make the runtime quieter while it is tested"),
            Self::IgnoresBye => ("ignores the farewell", "end at `bye` or at the end of stdin"),
            Self::IgnoresSignal => ("ignores the polite signal", "let SIGTERM end it, or end at `bye`; it was killed"),
            Self::ChildHoldsPipe => {
                ("child holds the pipe", "end what you started before you end, or start it with a stdout of its own")
            }
            Self::GiganticLine => {
                ("gigantic line", "a message is one line of moderate length, with a line feed at its end")
            }
            Self::InvalidUtf8 => {
                ("invalid UTF-8", "write messages in UTF-8; escape what you cannot encode, or give the text in base64")
            }
            Self::DeclaresTooMuch => {
                ("declares what it cannot do", "play it, or take out of the hello what the runtime does not do")
            }
        }
    }

    /// The whole diagnosis as one text: the name, what happened, what to do.
    pub(super) fn tell(self, happened: impl Display) -> String {
        format!("{}: {}; {}", self.name(), shown(happened), self.advice())
    }

    /// The diagnosis as the end of the run.
    pub(super) fn trouble(self, happened: impl Display, stderr: String) -> Trouble {
        Trouble { what: self.name(), detail: format!("{}; {}", shown(happened), self.advice()), stderr }
    }
}

/// What happened, fit for a person: it may quote an adapter, who may write anything, of any length.
fn shown(happened: impl Display) -> String {
    const LONGEST: usize = 2_000;
    let text = happened.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => visible(&text[..end]) + "…",
        None => visible(&text),
    }
}

/// The beginning of something that an adapter wrote, fit for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 120;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN * 4)]);
    let shown = visible(&text.chars().take(SHOWN).collect::<String>());
    let more = if text.chars().nth(SHOWN).is_some() || bytes.len() > SHOWN * 4 { "…" } else { "" };
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use super::{Diagnosis, excerpt};

    #[test]
    fn what_an_adapter_wrote_neither_moves_the_cursor_nor_fills_the_report() {
        let told = Diagnosis::WrongTypes.tell("unknown field `\u{1b}[2J\n`");
        assert!(told.starts_with(r"wrong types: unknown field `\u{1b}[2J\n`; "), "{told}");
        assert!(Diagnosis::NoHello.trouble("x".repeat(1 << 20), String::new()).detail.len() < 3_000);
    }

    #[test]
    fn an_excerpt_is_short_and_printable() {
        assert_eq!(excerpt(b"a\tb\xff"), "`a\\tb\u{fffd}`");
        assert_eq!(excerpt("\u{feff}{}".as_bytes()), r"`\u{feff}{}`");
        assert!(excerpt(&[b'x'; 1 << 20]).chars().count() < 130);
    }
}
