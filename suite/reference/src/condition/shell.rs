//! Which commands a Bash input runs, as far as that can be told from its text.

use std::{iter::Peekable, str::CharIndices};

/// Words that make a command of several parts; such an input is not worked out.
const RESERVED: [&str; 16] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "select", "function", "time",
    "!", "{",
];

/// How many lists may lie in each other.
const DEEPEST: u8 = 50;

/// The commands that an input runs, those in its substitutions included and each without the assignments at its beginning.
/// Nothing where they cannot be worked out.
pub(crate) fn commands(input: &str) -> Option<Vec<&str>> {
    let mut reader = Reader { input, rest: input.char_indices().peekable(), found: Vec::new(), depth: 0 };
    reader.list(None)?;
    let commands = reader.found.into_iter().map(without_assignments).filter(|command| !command.is_empty());
    commands.map(|command| is_plain(command).then_some(command)).collect()
}

/// Whether the shell fills something in: a variable, or the output of a command.
pub(crate) fn substitutes(input: &str) -> bool {
    let begins_a_name = |c: char| c.is_ascii_alphabetic() || "_{(".contains(c);
    input.contains('`') || input.split('$').skip(1).any(|after| after.starts_with(begins_a_name))
}

/// Whether a command tells by its first word what it is.
fn is_plain(command: &str) -> bool {
    let name = command.split_whitespace().next().unwrap_or_default();
    !name.contains(['$', '`', '\'', '"', '\\']) && !RESERVED.contains(&name)
}

/// A command without `NAME=value` at its beginning.
pub(crate) fn without_assignments(command: &str) -> &str {
    let mut rest = command.trim();
    while let Some((name, _)) = rest.split_once('=') {
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() || !is_name || name.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        rest = after_word(rest).trim_start();
    }
    rest
}

/// What follows the first word, which may hold blanks in quotes and in substitutions.
fn after_word(text: &str) -> &str {
    let mut quote = None;
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) if c.is_whitespace() && depth == 0 => return &text[at..],
            _ => {}
        }
    }
    ""
}

/// Reads an input and finds its commands.
struct Reader<'a> {
    input: &'a str,
    rest: Peekable<CharIndices<'a>>,
    found: Vec<&'a str>,
    /// How many lists are being read, one in another.
    depth: u8,
}

impl<'a> Reader<'a> {
    /// Reads commands up to a character that ends them, or to the end of the input. Nothing where the text makes no sense, or
    /// more than is understood here.
    fn list(&mut self, end: Option<char>) -> Option<()> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?;
        let mut start = self.rest.peek().map_or(self.input.len(), |(at, _)| *at);
        while let Some((at, c)) = self.rest.next() {
            let so_far = &self.input[start..at];
            match c {
                _ if Some(c) == end => {
                    self.found.push(so_far);
                    self.depth -= 1;
                    return Some(());
                }
                '&' | '|' if so_far.ends_with('>') || self.redirects_all(c) => {}
                ';' | '&' | '|' | '\n' => {
                    self.found.push(so_far);
                    start = at + 1;
                }
                // A group of commands; elsewhere it is a function, a list or a file made of commands.
                '(' if so_far.trim().is_empty() => {
                    self.list(Some(')'))?;
                    start = self.rest.peek().map_or(self.input.len(), |(at, _)| *at);
                }
                '(' | ')' => return None,
                '<' if self.rest.peek().is_some_and(|(_, next)| *next == '<') => return None,
                '#' if so_far.is_empty() || so_far.ends_with(char::is_whitespace) => {
                    self.found.push(so_far);
                    self.rest.find(|(_, c)| *c == '\n');
                    start = self.rest.peek().map_or(self.input.len(), |(at, _)| *at);
                }
                _ => self.part(c)?,
            }
        }
        self.found.push(&self.input[start..]);
        end.is_none().then_some(())
    }

    /// Whether this is the first half of `&>`.
    fn redirects_all(&mut self, c: char) -> bool {
        c == '&' && self.rest.peek().is_some_and(|(_, next)| *next == '>')
    }

    /// Reads what belongs to a word and begins with this character.
    fn part(&mut self, c: char) -> Option<()> {
        match c {
            '\\' => self.rest.next().map(drop),
            '\'' => self.rest.find(|(_, c)| *c == '\'').map(drop),
            '"' => self.quoted(),
            '`' => self.list(Some('`')),
            '$' if self.rest.next_if(|(_, next)| *next == '(').is_some() => self.list(Some(')')),
            _ => Some(()),
        }
    }

    /// Reads to the end of a text in double quotes, in which the shell still fills things in.
    fn quoted(&mut self) -> Option<()> {
        loop {
            match self.rest.next()?.1 {
                '"' => return Some(()),
                '\'' => {}
                c => self.part(c)?,
            }
        }
    }
}
