//! Bash commands, as far as it is beyond doubt which programs they run: plain words, parts in a row, and what is put in for `$()` and
//! backticks. Quotes, redirections and the like are not looked into.

use std::borrow::Cow;

/// Programs that run another, of which a filter may look at either.
const WRAPPERS: [&str; 36] = [
    "bash", "builtin", "busybox", "chroot", "command", "dash", "doas", "entr", "env", "eval", "exec", "fd", "find",
    "flock", "ionice", "ksh", "ltrace", "nice", "nohup", "parallel", "pkexec", "runuser", "script", "setsid", "sh",
    "ssh", "stdbuf", "strace", "su", "sudo", "taskset", "timeout", "trap", "watch", "xargs", "zsh",
];

/// Words of the shell's own grammar: what follows one is a command, or part of no command.
const KEYWORDS: [&str; 16] = [
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "select", "then", "time",
    "until", "while",
];

/// What a text stands for.
pub(crate) enum Script<'t> {
    /// It runs these commands.
    Known(Vec<Command<'t>>),
    /// No shell can parse it.
    Broken,
    /// It is not looked into; `open` where something in it is certainly put in when it runs.
    Unknown { open: bool },
}

/// One command of a script.
pub(crate) struct Command<'t> {
    /// Its program and what that is given, without the variables that are set before.
    pub(crate) words: Vec<&'t str>,
    /// Whether variables are set before it.
    pub(crate) assigned: bool,
    /// Whether its output is put in for it.
    pub(crate) substituted: bool,
    /// Whether there are more blanks than one between its words, or before the script. What a filter makes of them is not said.
    pub(crate) spaced: bool,
}

impl Command<'_> {
    /// Whether it may run what it is given.
    pub(crate) fn wraps(&self) -> bool {
        let program = self.words.first().and_then(|program| program.rsplit('/').next());
        program.is_some_and(|program| WRAPPERS.contains(&program))
    }

    /// Whether its first word is no program, but one of the shell's grammar.
    pub(crate) fn is_grammar(&self) -> bool {
        self.words.first().is_some_and(|word| KEYWORDS.contains(word))
    }
}

/// A script without the quotes that stand right around a substitution: it runs the same programs.
pub(crate) fn without_quotes(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once("\"$(") {
        let Some((substituted, after)) = inside.split_once(')') else { return Cow::Borrowed(text) };
        let Some(after) = after.strip_prefix('"') else { return Cow::Borrowed(text) };
        out.extend([before, "$(", substituted, ")"]);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads a script.
pub(crate) fn read(text: &str) -> Script<'_> {
    let open = is_open(text);
    if is_broken(text) {
        return Script::Broken;
    }
    // A place in quotes need not be put in.
    let unknown = Script::Unknown { open: open && !text.contains(['\'', '"', '\\', '#', '\n']) };
    let Some((outer, inner)) = parts(text) else { return unknown };
    let mut commands = Vec::new();
    for (part, substituted) in outer.into_iter().map(|p| (p, false)).chain(inner.into_iter().map(|p| (p, true))) {
        let Some(command) = command(part, substituted) else { return unknown };
        commands.push(Command { spaced: command.spaced || text.starts_with(' '), ..command });
    }
    Script::Known(commands)
}

/// Whether a quotation or a substitution has no end.
fn is_broken(text: &str) -> bool {
    if text.contains(['\'', '\\', '`', '#', '<', '\n']) {
        return false;
    }
    match text.matches('"').count() {
        0 => text.contains("$(") && !text.contains(')'),
        quotes => quotes % 2 == 1 && !text.contains('$'),
    }
}

/// Whether something in a script without quotes is put in when it runs.
pub(crate) fn is_open(text: &str) -> bool {
    let named = |rest: &str| rest.starts_with(|c: char| c == '(' || c == '_' || c.is_ascii_alphabetic());
    text.contains('`') || text.split('$').skip(1).any(named)
}

/// The commands of a script, and those whose output is put in. A substitution stands in its command as it was written, and no other
/// may lie in it.
fn parts(text: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    let (mut begin, mut at) = (0, 0);
    while at < text.len() {
        let rest = text.get(at..)?;
        if let Some((inside, closing)) = opened(rest) {
            let inside = &inside[..inside.find(closing)?];
            if inside.contains(['`', '(']) || inside.starts_with(' ') {
                return None;
            }
            inner.extend(in_a_row(inside));
            at += if closing == ')' { 3 } else { 2 } + inside.len();
            continue;
        }
        let separator = ["&&", "||", ";", "|"].into_iter().find(|separator| rest.starts_with(separator));
        if let Some(separator) = separator {
            outer.push(&text[begin..at]);
            begin = at + separator.len();
        }
        at += separator.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), str::len);
    }
    outer.push(&text[begin..]);
    Some((outer, inner))
}

/// What follows the beginning of a substitution, and what closes that.
fn opened(text: &str) -> Option<(&str, char)> {
    let in_brackets = text.strip_prefix("$(").map(|inside| (inside, ')'));
    in_brackets.or_else(|| text.strip_prefix('`').map(|inside| (inside, '`')))
}

fn in_a_row(text: &str) -> impl Iterator<Item = &str> {
    text.split("&&").flat_map(|part| part.split("||")).flat_map(|part| part.split([';', '|']))
}

/// A command of plain words; nothing where anything in it may mean more than itself.
fn command(text: &str, substituted: bool) -> Option<Command<'_>> {
    let mut words = Vec::new();
    let mut rest = text.trim_matches(' ');
    let spaced = rest.contains("  ");
    while !rest.is_empty() {
        let end = word(rest)?;
        words.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(' ');
    }
    let is_set = |word: &&str| {
        let name = word.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let set = words.iter().take_while(|word| is_set(word)).count();
    let is_plain = |word: &&str| !word.contains(['$', '`']);
    let (before, command) = words.split_at(set);
    // The program, and what is set before it, are there to be read.
    let known = before.iter().all(is_plain) && command.first().is_some_and(is_plain);
    known.then(|| Command { words: command.to_vec(), assigned: set > 0, substituted, spaced })
}

/// How long the first word is, with the substitutions in it.
fn word(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next().filter(|c| *c != ' ') {
        let rest = &text[at..];
        at += match c {
            '`' => rest[1..].find('`')? + 2,
            '$' if rest.starts_with("$(") => rest.find(')')? + 1,
            '$' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => 1,
            _ if c.is_ascii_alphanumeric()
                || matches!(c, '-' | '_' | '.' | '/' | ':' | '=' | ',' | '@' | '%' | '+') =>
            {
                1
            }
            _ => return None,
        };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::{Script, read};

    #[test]
    fn what_sets_a_variable_is_a_name_and_a_sign() {
        let first = |text| match read(text) {
            Script::Known(commands) => commands.into_iter().next().map(|command| (command.words, command.assigned)),
            Script::Broken | Script::Unknown { .. } => None,
        };
        for set in ["A=1 ls", "_=1 ls", "_A=1 ls", "A_B=1 ls", "A1=1 ls"] {
            assert_eq!(first(set), Some((vec!["ls"], true)), "{set}");
        }
        for program in ["1A=1", "A-B=1", "=1", "./a=1"] {
            assert_eq!(first(program), Some((vec![program], false)), "{program}");
        }
    }
}
