//! What an evaluator is asked (chapter *evaluators*): its prompt, with the event's JSON in it. How the JSON is laid out there is not
//! said, so that it is known by one word of it.

use super::given::Part;
use crate::{claims::Claims, voice::Voice};
use hookproof_contract::{Field, Must, RuleId, Say, Text, bare, canary, rule};

/// How long a value of the event may be that is looked for: whether longer ones arrive whole is not said.
const LONGEST: usize = 4_096;

/// A part of a prompt as the settings have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Text(&'t str),
    /// A dollar sign that a backslash keeps from meaning anything.
    Dollar,
    /// The place of the event's JSON.
    Input,
}

/// What one evaluator is asked. `input` is what is certain of the event's JSON.
pub(super) fn claims(voice: &Voice<'_>, input: &[Part], claims: &mut Claims) {
    let prompt = bare(voice.handler.name);
    let Some(pieces) = pieces(prompt) else { return };
    for passage in pieces.split(|piece| *piece == Piece::Input).filter(|passage| passage.contains(&Piece::Dollar)) {
        let text: String = passage.iter().map(|piece| if let Piece::Text(text) = piece { text } else { "$" }).collect();
        asks(voice, Must::Say(say(vec![Text::from(text)])), rule!("PROMPT-CONF-04"), claims);
        asks(voice, Must::NotSay(say(vec![Text::from("\\$")])), rule!("PROMPT-CONF-04"), claims);
    }
    let word = Text::from(word(voice, input));
    let text = |piece: &Piece<'_>| if let Piece::Text(text) = piece { Some(Text::from(*text)) } else { None };
    let mut parts = pieces.split(|piece| *piece == Piece::Input);
    let before = parts.next().into_iter().flatten().filter_map(text);
    let mut asked: Vec<Text> = before.chain([word]).collect();
    match (parts.next(), parts.next()) {
        // Whether the word counts as being there is not said where it stands for itself.
        (None, _) if prompt.contains("\\$ARGUMENTS") => {}
        (None, _) => asks(voice, Must::Say(say(asked)), rule!("PROMPT-CONF-03"), claims),
        (Some(after), None) => {
            asked.extend(after.iter().filter_map(text));
            asks(voice, Must::Say(say(asked)), rule!("PROMPT-CONF-02"), claims);
            asks(voice, Must::NotSay(say(vec![Text::from("$ARGUMENTS")])), rule!("PROMPT-CONF-02"), claims);
        }
        // Nor whether each of several places is one.
        (Some(_), Some(_)) => asks(voice, Must::Say(say(asked)), rule!("PROMPT-CONF-02"), claims),
    }
}

fn asks(voice: &Voice<'_>, must: Must, rule: RuleId, claims: &mut Claims) {
    claims.given(&voice.name, Field::Prompt, None, must, rule);
}

fn say(parts: Vec<Text>) -> Say {
    Say { parts, ..Say::default() }
}

/// A word by which the event's JSON is known: one that stands nowhere else, or at least the name of the event.
fn word(voice: &Voice<'_>, input: &[Part]) -> String {
    let values = input.iter().filter_map(|(_, must, _)| if let Must::Be(value) = must { Some(value) } else { None });
    let short = values.map(ToString::to_string).filter(|json| json.len() <= LONGEST);
    let mut told = short.filter_map(|json| canary::canaries(json.as_bytes()).next().map(str::to_owned));
    told.find(|word| !voice.handler.name.contains(word)).unwrap_or_else(|| event(input))
}

/// The name of the event.
fn event(input: &[Part]) -> String {
    let named = input.iter().find(|(at, ..)| at == "/hook_event_name");
    let name = named.and_then(|(_, must, _)| if let Must::Be(value) = must { value.as_str() } else { None });
    name.unwrap_or_default().to_owned()
}

/// A prompt in its parts; nothing where it is not certain what something in it stands for.
fn pieces(prompt: &str) -> Option<Vec<Piece<'_>>> {
    const PLACE: &str = "$ARGUMENTS";
    let mut all = Vec::new();
    let mut rest = prompt;
    while let Some(at) = rest.find(['\\', '$']) {
        if at > 0 {
            all.push(Piece::Text(&rest[..at]));
        }
        rest = &rest[at..];
        let (piece, length) = match rest.strip_prefix(PLACE) {
            _ if rest.starts_with("\\$") => (Piece::Dollar, 2),
            Some(after) if !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '[')) => {
                (Piece::Input, PLACE.len())
            }
            _ => return None,
        };
        all.push(piece);
        rest = &rest[length..];
    }
    if !rest.is_empty() {
        all.push(Piece::Text(rest));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{
        Piece::{Dollar, Input, Text},
        pieces,
    };

    #[test]
    fn a_prompt_is_known_where_nothing_in_it_is_in_doubt() {
        for (prompt, wanted) in [
            ("is it right?", Some(vec![Text("is it right?")])),
            ("weigh $ARGUMENTS.", Some(vec![Text("weigh "), Input, Text(".")])),
            ("\\$1.00: $ARGUMENTS", Some(vec![Dollar, Text("1.00: "), Input])),
            ("the word \\$ARGUMENTS", Some(vec![Text("the word "), Dollar, Text("ARGUMENTS")])),
            ("$1.00", None),
            ("$ARGUMENTS[0]", None),
            ("${ARGUMENTS}", None),
            ("a \\ b", None),
            ("\\\\$ARGUMENTS", None),
        ] {
            assert_eq!(pieces(prompt), wanted, "{prompt}");
        }
    }
}
