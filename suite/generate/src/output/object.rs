//! The inside of an output object: fields with right, wrong, null and misplaced values, and keys that nobody knows.

use super::{LENGTHS, Pieces, Reader};
use crate::{
    draw::Draw,
    fields::{self, CONTENT, DECISION, Field, Kind, PERMISSION_REASON, REASON, STOP_REASON, UNIVERSAL, Words},
};
use hookproof_contract::Event;

/// What a field holds, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    Right,
    WrongType,
    Null,
    Misplaced,
}

const VARIANTS: [(u8, Variant); 4] =
    [(222, Variant::Right), (11, Variant::WrongType), (6, Variant::Null), (17, Variant::Misplaced)];

/// How long a long note for the classifier is: beyond the limit, at it, and one beyond it.
const NOTE_LENGTHS: [usize; 3] = [2_100, 2_000, 2_001];

/// Lists of paths to watch: one, several, none, some that are not as they should be.
const PATHS: [&str; 6] =
    [r#"["/work/project/.env"]"#, r#"["/work/a","/work/b"]"#, "[]", r#"["/work/project/.env"]"#, r#"[".env"]"#, "[5]"];

/// Entries that change permissions: of each type, and some that change nothing or are none.
const UPDATES: [&str; 24] = [
    r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"}"#,
    r#"{"type":"setMode","mode":"acceptEdits","destination":"userSettings"}"#,
    r#"{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test"}],"behavior":"allow","destination":"session"}"#,
    r#"{"type":"setMode","mode":"acceptEdits","destination":"session"}"#,
    r#"{"type":"addRules","rules":[{"toolName":"WebFetch"}],"behavior":"deny","destination":"localSettings"}"#,
    r#"{"type":"replaceRules","rules":[{"toolName":"Bash"}],"behavior":"ask","destination":"projectSettings"}"#,
    r#"{"type":"removeRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"userSettings"}"#,
    r#"{"type":"setMode","mode":"bypassPermissions","destination":"session"}"#,
    r#"{"type":"setMode","mode":"bypassPermissions","destination":"userSettings"}"#,
    r#"{"type":"setMode","mode":"bypassPermissions","destination":"userSettings"}"#,
    r#"{"type":"setMode","mode":"bypassPermissions","destination":"session"}"#,
    r#"{"type":"setMode","mode":"bypassPermissions","destination":"localSettings"}"#,
    r#"{"type":"setMode","mode":"manual","destination":"session"}"#,
    r#"{"type":"setMode","mode":"plan","destination":"session"}"#,
    r#"{"type":"setMode","mode":"dontAsk","destination":"localSettings"}"#,
    r#"{"type":"addDirectories","directories":["/work/other"],"destination":"session"}"#,
    r#"{"type":"addDirectories","directories":["/work/more"],"destination":"projectSettings"}"#,
    r#"{"type":"replaceRules","rules":[{"toolName":"Edit"}],"behavior":"allow","destination":"userSettings"}"#,
    r#"{"type":"replaceRules","rules":[{"toolName":"Grep"}],"behavior":"deny","destination":"session"}"#,
    r#"{"type":"addDirectories","directories":["/work/project/sub"],"destination":"session"}"#,
    r#"{"type":"removeDirectories","directories":["/work/other"],"destination":"session"}"#,
    r#"{"type":"setMode","mode":"auto","destination":"session"}"#,
    r#"{"type":"setMode","mode":"careful","destination":"session"}"#,
    r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow"}"#,
];

/// An object in the making: its top level, and its `hookSpecificOutput`.
struct Object<'o, 'u, 'b, 'd> {
    draw: &'d mut Draw<'u, 'b>,
    reader: Reader,
    top: &'o mut Pieces,
    inner: Pieces,
    has_inner: bool,
}

/// Writes the members of an output object, without its braces. Tells whether everything that was drawn is in it.
pub(super) fn draw(draw: &mut Draw<'_, '_>, reader: Reader, out: &mut Pieces) -> bool {
    let mut inner = Pieces::default();
    inner.push("{");
    let mut object = Object { draw, reader, top: out, inner, has_inner: false };
    object.name();
    object.older_decision();
    object.universal();
    object.specific();
    object.unknown();
    object.close()
}

impl Object<'_, '_, '_, '_> {
    /// `hookEventName`: right, missing, or another event's.
    fn name(&mut self) {
        let own = self.reader.subject.event.name();
        if self.reader.calm {
            self.inner.key("hookEventName");
            self.inner.push("\"");
            self.inner.push(own);
            return self.inner.push("\"");
        }
        let other = if own == "PostToolUse" { "PreToolUse" } else { "PostToolUse" };
        let Some(name) =
            self.draw.weighted(&[(226, Some(own)), (14, None), (12, Some(other)), (3, Some("NoSuchEvent"))])
        else {
            return;
        };
        self.inner.key("hookEventName");
        self.inner.push("\"");
        self.inner.push(name);
        self.inner.push("\"");
    }

    fn older_decision(&mut self) {
        if self.draw.chance(fields::decides_at_the_top(self.reader.subject.event)) {
            self.place(DECISION, false);
            if self.draw.chance(88) {
                self.place(REASON, false);
            }
        } else if self.draw.chance(3) {
            self.place(REASON, false);
        }
    }

    fn universal(&mut self) {
        let (few, many) = ([(160, 0), (74, 1), (22, 2)], [(124, 0), (100, 1), (32, 2)]);
        let count = self.draw.weighted(if self.reader.calm { &many } else { &few });
        self.several(count, &UNIVERSAL, false);
    }

    fn specific(&mut self) {
        let (few, many) = ([(140, 1), (54, 2), (44, 0), (18, 3)], [(150, 1), (80, 2), (0, 0), (26, 3)]);
        let count = self.draw.weighted(if self.reader.calm { &many } else { &few });
        self.several(count, fields::specific(self.reader.subject.event), true);
    }

    /// Writes so many fields of a table, each once, and often what goes with them.
    fn several(&mut self, count: usize, table: &[Field], inside: bool) {
        let mut taken = 0;
        for _ in 0..count {
            let Some(field) = self.choose(table, &mut taken) else { return };
            self.place(field, inside);
            let (companion, percent) = match field.name {
                "permissionDecision" => (PERMISSION_REASON, 75),
                "action" => (CONTENT, 60),
                "continue" if !self.reader.keeps_going => (STOP_REASON, 70),
                _ => continue,
            };
            let Some(at) = table.iter().position(|f| *f == companion) else { continue };
            if taken & (1 << at) == 0 && self.draw.chance(percent) {
                taken |= 1 << at;
                self.place(companion, inside);
            }
        }
    }

    /// A field of the table that has not been taken.
    fn choose(&mut self, table: &[Field], taken: &mut u32) -> Option<Field> {
        let free = table.iter().enumerate().filter(|(at, _)| *taken & (1 << at) == 0);
        let (at, field) = self.draw.weighted_of(free.map(|(at, field)| (field.weight, (at, *field))))?;
        *taken |= 1 << at;
        Some(field)
    }

    /// Writes one field.
    fn place(&mut self, field: Field, inside: bool) {
        let variant = if self.reader.calm { Variant::Right } else { self.draw.weighted(&VARIANTS) };
        let inside = inside != (variant == Variant::Misplaced);
        self.has_inner |= inside;
        let mut value = Pieces::default();
        match variant {
            Variant::Right | Variant::Misplaced => self.right(field, &mut value),
            Variant::WrongType => self.wrong(field, &mut value),
            Variant::Null => value.push("null"),
        }
        let out = if inside { &mut self.inner } else { &mut *self.top };
        out.key(field.name);
        out.append(value);
    }

    fn right(&mut self, field: Field, out: &mut Pieces) {
        match field.kind {
            Kind::Bool(_) if self.reader.keeps_going => out.push("true"),
            Kind::Bool(percent) => out.push(if self.draw.chance(percent) { "true" } else { "false" }),
            Kind::Text(label) => self.text(label, out),
            Kind::Words(words) => {
                out.push("\"");
                out.push(self.word(words));
                out.push("\"");
            }
            Kind::Input => match self.reader.subject.tool {
                Some(tool) => tool.new_input(self.draw, out),
                None => out.push("{}"),
            },
            Kind::Output => match self.reader.subject.tool {
                // Not what a built-in tool returns, but what an MCP tool may.
                Some(_) if self.draw.chance(16) => out.around("\"", self.draw, "OUTPUT", "\""),
                Some(tool) => tool.new_output(self.draw, out),
                None => out.push("{}"),
            },
            Kind::Content => out.around(r#"{"project_key":""#, self.draw, "FORM", r#""}"#),
            Kind::Sequence => self.sequence(out),
            Kind::Path => self.path(out),
            Kind::Paths => out.push(self.draw.pick(&PATHS)),
            Kind::Request => self.answer(out),
        }
    }

    fn wrong(&mut self, field: Field, out: &mut Pieces) {
        match field.kind {
            Kind::Bool(_) => out.push(self.draw.pick(&["\"false\"", "0", "[]"])),
            Kind::Input | Kind::Content | Kind::Paths | Kind::Request => out.around("\"", self.draw, "WRONG", "\""),
            Kind::Output => out.push("7"),
            Kind::Text(label) if self.draw.chance(40) => out.around("[\"", self.draw, label, "\"]"),
            Kind::Text(_) | Kind::Words(_) | Kind::Sequence | Kind::Path => {
                out.push(self.draw.pick(&["5", "{}", "true", "[]"]))
            }
        }
    }

    fn text(&mut self, label: &str, out: &mut Pieces) {
        if label == "NOTE" && self.draw.chance(28) {
            let length = self.draw.pick(&NOTE_LENGTHS);
            return self.long(label, length, out);
        }
        let (before, after) = match self.draw.byte() {
            0..=150 => ("", ""),
            151..=180 => ("it says ", ", and no more"),
            181..=205 => ("", "\\nand a second line"),
            206..=222 => ("", " \u{2013} \\u00e9t\u{e9}"),
            223..=234 => (" ", " "),
            235..=240 => return out.push("\"\""),
            _ => {
                let length = self.draw.pick(&LENGTHS);
                return self.long(label, length, out);
            }
        };
        out.push("\"");
        out.around(before, self.draw, label, after);
        out.push("\"");
    }

    fn long(&mut self, label: &str, length: usize, out: &mut Pieces) {
        out.push("\"");
        out.long(self.draw, label, length);
        out.push("\"");
    }

    fn word(&mut self, words: Words) -> &'static str {
        match words {
            Words::Permission => self.draw.weighted(&[
                (72, "deny"),
                (72, "allow"),
                (58, "ask"),
                (40, "defer"),
                (5, "block"),
                (4, "approve"),
                (4, "Deny"),
            ]),
            Words::Switch => {
                self.draw.weighted(&[(74, "deny"), (74, "allow"), (74, "ask"), (20, "defer"), (6, "block"), (4, "Ask")])
            }
            Words::Decision => {
                self.draw.weighted(&[(200, "block"), (30, "approve"), (8, "deny"), (6, "allow"), (6, "Block")])
            }
            Words::Action => self.draw.weighted(&[(90, "accept"), (70, "decline"), (70, "cancel"), (8, "reject")]),
        }
    }

    /// What a request for permission is answered: the behavior and, mostly, what goes with it.
    fn answer(&mut self, out: &mut Pieces) {
        let behavior = self.draw.weighted(&[(120, "allow"), (110, "deny"), (8, "ask"), (6, "Deny"), (8, "")]);
        out.push("{");
        if !behavior.is_empty() {
            out.key("behavior");
            out.push("\"");
            out.push(behavior);
            out.push("\"");
        }
        // What goes with the other behavior is drawn once in a while, and so is a value that is none.
        let allows = (behavior == "allow") != (!self.reader.calm && self.draw.chance(4));
        if allows && self.draw.chance(60) {
            out.key("updatedInput");
            match self.reader.subject.tool {
                Some(tool) if !self.draw.chance(4) => tool.new_input(self.draw, out),
                _ => out.push("\"ls\""),
            }
        }
        if allows && self.draw.chance(70) {
            out.key("updatedPermissions");
            out.push("[");
            out.push(self.draw.pick(&UPDATES));
            if self.draw.chance(25) {
                out.push(",");
                out.push(self.draw.pick(&UPDATES));
            }
            out.push("]");
        }
        if !allows && self.draw.chance(75) {
            out.key("message");
            self.text("WHY", out);
        }
        if !allows && self.draw.chance(35) {
            out.key("interrupt");
            out.push(self.draw.pick(&["true", "true", "true", "false", "1"]));
        }
        out.push("}");
    }

    fn sequence(&mut self, out: &mut Pieces) {
        if self.draw.chance(4) {
            // The bell alone, which no canary marks.
            return out.push(r#""\u0007""#);
        }
        let (before, after) = self.draw.weighted(&[
            (50, ("\\u001b]0;", "\\u0007")),
            (26, ("\\u001b]2;", "\\u001b\\\\")),
            (34, ("\\u001b]9;", "\\u0007")),
            (8, ("", "")),
            (8, ("\\u001bP1;", "\\u001b\\\\")),
            (10, ("\\u001b]9;4;1;50\\u0007\\u001b]1;", "\\u0007")),
            (16, ("\\u001b]777;notify;", ";done\\u0007")),
            (12, ("\\u001b]99;;", "\\u001b\\\\")),
            (12, ("\\u0007\\u001b]0;", "\\u0007")),
            (14, ("\\u001b[31m ", "")),
            (12, ("\\u001b]8;;http://x.test/", "\\u0007")),
            (12, ("\\u001b]52;c;", "\\u0007")),
            (8, ("\\u001b]1337;", "\\u0007")),
            (12, ("\\u001b]0;title\\u0007 ", "")),
            (8, ("\\u001b]4;1;", "\\u0007")),
            (4, ("\\u001b]0;", "")),
        ]);
        out.push("\"");
        out.around(before, self.draw, "TERM", after);
        out.push("\"");
    }

    fn path(&mut self, out: &mut Pieces) {
        let before = self.draw.weighted(&[
            (180, "\"/work/trees/"),
            (26, "\"trees/"),
            (20, "\"./trees/../"),
            (20, "\"/work/trees/../"),
            (8, "\"/work/./trees/"),
        ]);
        out.around(before, self.draw, "TREE", "\"");
    }

    /// A key that no schema knows; often one that is nearly right.
    fn unknown(&mut self) {
        if self.reader.calm || !self.draw.chance(10) {
            return;
        }
        let name = self.draw.pick(&[
            "comment",
            "permission_decision",
            "additional_context",
            "Decision",
            "exitCode",
            "message",
            "updatedPrompt",
        ]);
        let out = if self.draw.chance(40) {
            self.has_inner = true;
            &mut self.inner
        } else {
            &mut *self.top
        };
        out.key(name);
        out.around("\"", self.draw, "STRAY", "\"");
    }

    fn close(mut self) -> bool {
        if self.draw.chance(2) {
            self.top.key("hookSpecificOutput");
            let wrong = self.draw.pick(&["[]", "\"deny\"", "null", "7"]);
            self.top.push(wrong);
            return false;
        }
        if self.has_inner || self.draw.chance(4) {
            self.inner.push("}");
            self.top.key("hookSpecificOutput");
            self.top.append(self.inner);
        }
        true
    }
}

/// An object that surely keeps an agent from stopping, so that the event may follow again.
pub(crate) fn blocking(draw: &mut Draw<'_, '_>, event: Event) -> Pieces {
    let mut out = Pieces::default();
    if draw.chance(30) {
        out.push(r#"{"hookSpecificOutput":{"hookEventName":""#);
        out.push(event.name());
        out.around(r#"","additionalContext":""#, draw, "CTX", r#""}}"#);
    } else {
        out.around(r#"{"decision":"block","reason":""#, draw, "WHY", r#""}"#);
    }
    out
}
