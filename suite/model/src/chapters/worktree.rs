//! WorktreeCreate (chapter *worktrees*): the hook's success and the path that it returns decide.

use super::{Scene, envelope};
use crate::{
    claims::Claims,
    read::has_odd_ends,
    select::HandlerKind,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Fate, Must, RuleId, Say, Slot, Text, bare, reading, rule};
use serde_json::Value;

/// What a hook comes to.
enum Returned {
    /// The worktree is at this path, by this rule.
    At(String, RuleId),
    /// The creation fails, by this rule.
    Fails(RuleId),
    /// It fails since this path is not usable, by this rule; the error names it.
    Unusable(String, RuleId),
    /// The contract does not say.
    Unknown,
}

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    let [voice] = scene.voices.as_slice() else {
        return several(scene, claims);
    };
    match returned(scene, voice) {
        Returned::At(path, rule) => {
            if voice.stops() {
                // Where the creation fails the session may end for that reason.
                claims.agent(Agent::GoesOn, rule!("WTCREATE-05"), &[]);
            }
            claims.fate(Fate::Proceeds, rule!("WTCREATE-OUT-01"), &[rule]);
            claims.set(Slot::WorktreePath, Must::Be(Value::from(path)), rule, &[]);
        }
        Returned::Fails(rule) => {
            claims.fate(Fate::Prevented, rule, &[rule!("WTCREATE-OUT-01")]);
            claims.set(Slot::WorktreePath, Must::Absent, rule, &[]);
        }
        Returned::Unusable(path, rule) => {
            claims.fate(Fate::Prevented, rule, &[]);
            claims.set(Slot::WorktreePath, Must::Absent, rule, &[]);
            let plain = path_is_plain(&path);
            let say = Say { parts: vec![Text::from(path)], ..Say::default() };
            if rule == rule!("WTCREATE-OUT-08") && plain {
                claims.say(Audience::User, say, rule, &[]);
            }
        }
        Returned::Unknown => {}
    }
}

/// Which of several hooks' paths counts is not described; where none of them succeeds there is none.
fn several(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let fails = |voice: &Voice<'_>| match returned(scene, voice) {
        Returned::Fails(rule) => Some(rule),
        _ => None,
    };
    let rules: Option<Vec<RuleId>> = scene.voices.iter().map(fails).collect();
    if let Some(rule) = rules.as_deref().and_then(<[RuleId]>::first) {
        claims.fate(Fate::Prevented, *rule, &[rule!("WTCREATE-OUT-01")]);
        claims.set(Slot::WorktreePath, Must::Absent, *rule, &[]);
    }
}

fn returned(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Returned {
    match voice.end {
        Ended::Two => return Returned::Fails(rule!("EXIT-2-EV-WorktreeCreate")),
        Ended::Other(_) => return Returned::Fails(rule!("EXIT-N-11")),
        Ended::NotStarted => return Returned::Fails(rule!("WTCREATE-OUT-06")),
        Ended::Failed(_) if voice.handler.kind == HandlerKind::McpTool => {
            return Returned::Fails(rule!("WTCREATE-OUT-06"));
        }
        Ended::Failed(_) => return Returned::Fails(rule!("HTTP-02")),
        // What it printed is discarded, so that there is no path.
        Ended::TimedOut => return Returned::Fails(rule!("WTCREATE-OUT-06")),
        Ended::Zero | Ended::HttpOk | Ended::Answered => {}
    }
    match voice.handler.kind {
        HandlerKind::Http => match &voice.word {
            Word::Object(output) => match output.text("worktreePath").filter(|p| !p.is_empty()) {
                // Whether white space at its ends is part of it is not said, nor whether white space alone is a path.
                Some(path) if path != bare(path) => Returned::Unknown,
                Some(path) => screened(scene, path, rule!("WTCREATE-OUT-05")),
                None => Returned::Fails(rule!("WTCREATE-OUT-06")),
            },
            Word::Silent => Returned::Fails(rule!("WTCREATE-OUT-06")),
            _ => Returned::Fails(rule!("HTTP-02")),
        },
        HandlerKind::Command => printed(scene, voice),
        HandlerKind::McpTool | HandlerKind::Prompt | HandlerKind::Agent => Returned::Unknown,
    }
}

/// A command's path is the last line of stdout that is not empty, escape codes aside.
fn printed(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Returned {
    // What is left of a line with half a code in it is anybody's guess.
    let Some(clean) = strip_ansi(&voice.out) else {
        return Returned::Unknown;
    };
    // A line of nothing but codes is empty after they are removed, and not before.
    let codes_only = |(raw, clean): (&str, &str)| clean.trim().is_empty() && !raw.trim().is_empty();
    if voice.out.split('\n').zip(clean.split('\n')).any(codes_only) {
        return Returned::Unknown;
    }
    let mut lines: Vec<&str> = clean.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // Whether these are white space is for each platform to say.
    if lines.iter().any(|line| has_odd_ends(line)) {
        return Returned::Unknown;
    }
    let doubtful = lines.iter().any(|line| *line != line.trim());
    if !doubtful || scene.oracle().is(reading!("A-160", "trimmed")) {
        lines = lines.into_iter().map(str::trim).collect();
    }
    lines.retain(|line| !line.is_empty());
    let Some(path) = lines.last() else {
        return Returned::Fails(rule!("WTCREATE-OUT-06"));
    };
    if path.starts_with('~') || path.chars().any(|c| c.is_control() || c == '\u{fffd}') {
        return Returned::Unknown;
    }
    let rule = match () {
        () if clean != *voice.out => rule!("WTCREATE-OUT-03"),
        () if lines.len() > 1 => rule!("WTCREATE-OUT-04"),
        () => rule!("WTCREATE-OUT-02"),
    };
    screened(scene, path, rule)
}

/// A path is resolved, refused, or found not to be a directory.
fn screened(scene: &Scene<'_, '_>, path: &str, rule: RuleId) -> Returned {
    let host = &scene.session.case.host;
    if path.contains('\\') || path.contains("//") || path.ends_with('/') {
        // Whether such a spelling is kept or normalised is not said.
        return Returned::Unknown;
    }
    if host.directories.is_none() && !path_is_plain(path) {
        // That every path is a directory is not meant of whatever a hook prints.
        return Returned::Unknown;
    }
    let dotted = path.split('/').any(|part| matches!(part, "." | ".."));
    let absolute = path.starts_with('/');
    if absolute && dotted {
        return Returned::Unusable(path.to_owned(), rule!("WTCREATE-OUT-09"));
    }
    let (resolved, rule) = match ran_in(scene) {
        _ if absolute => (path.to_owned(), rule),
        Some(cwd) => (resolve(path, cwd), rule!("WTCREATE-OUT-07")),
        None => return Returned::Unknown,
    };
    match &host.directories {
        Some(known) if !known.contains(&resolved) => Returned::Unusable(resolved, rule!("WTCREATE-OUT-08")),
        _ => Returned::At(resolved, rule),
    }
}

/// The directory in which the hook ran: another one than it seems, where the agent has gone to one that is not there.
fn ran_in<'s>(scene: &Scene<'s, '_>) -> Option<&'s str> {
    let host = &scene.session.case.host;
    let is_there = |cwd: &str| host.directories.as_ref().is_none_or(|known| known.iter().any(|path| path == cwd));
    scene.session.cwd.filter(|cwd| *cwd == host.cwd || is_there(cwd))
}

/// Whether an error can show a path only as it is.
fn path_is_plain(path: &str) -> bool {
    path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_'))
}

/// A relative path against the directory in which the hook ran, `.` and `..` collapsed.
fn resolve(path: &str, cwd: &str) -> String {
    let mut parts: Vec<&str> = cwd.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The text without ANSI escape codes, or nothing where one of them is not whole.
fn strip_ansi(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        rest = &rest[code(rest)?..];
    }
    out.push_str(rest);
    Some(out)
}

/// How long the code is that an ESC begins, if it is whole: `[` with parameters and a final byte, `]` with a text and BEL or ST,
/// or intermediate bytes and a final one.
fn code(text: &str) -> Option<usize> {
    let after = |start: usize, among: std::ops::RangeInclusive<u8>| {
        start + text.as_bytes()[start..].iter().take_while(|b| among.contains(b)).count()
    };
    let ends_at =
        |end: usize, among: &dyn Fn(u8) -> bool| text.as_bytes().get(end).filter(|b| among(**b)).map(|_| end + 1);
    match text.bytes().next()? {
        b'[' => ends_at(after(after(1, b'0'..=b'?'), b' '..=b'/'), &|b| matches!(b, b'@'..=b'~')),
        b']' => {
            let end = 1 + text[1..].find(char::is_control)?;
            match &text.as_bytes()[end..] {
                [7, ..] => Some(end + 1),
                [0x1b, b'\\', ..] => Some(end + 2),
                _ => None,
            }
        }
        _ => {
            let end = after(0, b' '..=b'/');
            // These begin strings of their own, which nobody prints.
            ends_at(end, &|b| matches!(b, b'0'..=b'~') && (end > 0 || !b"PX^_".contains(&b)))
        }
    }
}

/// Universal fields are dropped, but for a terminal sequence in an HTTP body; stderr of success is for the debug log.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    // Without a path its success is a failure, of which the error may tell anything.
    if scene.voices.iter().all(|voice| matches!(returned(scene, voice), Returned::At(..))) {
        envelope::stderr(voice, claims);
    }
    match voice.handler.kind {
        HandlerKind::Http => {
            let Some(output) = voice.object() else { return };
            for text in [&output.system_message, &output.stop_reason].into_iter().flatten() {
                claims.keep_from(Audience::User, text, rule!("WTCREATE-05"));
            }
            envelope::terminal_sequence(scene, voice, output, claims);
        }
        HandlerKind::McpTool | HandlerKind::Prompt | HandlerKind::Agent => {}
        HandlerKind::Command => {
            for line in voice.out.lines() {
                let Ok(Value::Object(object)) = serde_json::from_str::<Value>(line.trim()) else {
                    continue;
                };
                if let Some(sequence) = object.get("terminalSequence").and_then(Value::as_str).filter(|s| !s.is_empty())
                {
                    claims.keep_from(Audience::Terminal, sequence, rule!("TERM-17"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::strip_ansi;

    #[test]
    fn whole_codes_are_removed_and_half_ones_are_anybody_s_guess() {
        for (text, left) in [
            ("/w", Some("/w")),
            ("\u{1b}[1;32m/w\u{1b}[0m\u{1b}[?25h\u{1b}[2 q", Some("/w")),
            ("\u{1b}]0;title\u{7}/w\u{1b}]8;;x\u{1b}\\", Some("/w")),
            ("\u{1b}(B/w\u{1b}7\u{1b}c", Some("/w")),
            ("\u{1b}(X/w", Some("/w")),
            ("\u{1b}[1\n/w", None),
            ("\u{1b}[\u{e9}m/w", None),
            ("\u{1b}]0;title\n/w", None),
            ("\u{1b}]0;title", None),
            ("\u{1b}Pq/w", None),
            ("/w\u{1b}", None),
            ("\u{1b}\u{e9}", None),
        ] {
            assert_eq!(strip_ansi(text).as_deref(), left, "{text:?}");
        }
    }
}
