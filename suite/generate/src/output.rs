//! What a handler writes on stdout, or sends as a body: the grammar that a runtime's reading is tried with.

mod object;
mod pieces;

pub(crate) use object::blocking;
pub(crate) use pieces::Pieces;

use crate::{draw::Draw, plan::Subject};
use hookproof_contract::{Event, Text};

/// For whom a handler writes.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) subject: Subject,
    /// It is an HTTP body.
    pub(crate) http: bool,
    /// Nothing in it may stop the agent.
    pub(crate) keeps_going: bool,
    /// It is an object that is all right.
    pub(crate) calm: bool,
}

/// What the whole of an output is.
#[derive(Clone, Copy)]
enum Shape {
    Nothing,
    Object,
    Plain,
    Blank,
    OtherJson,
    Long,
    Braces,
    NotUtf8,
}

const AFTER_SUCCESS: [(u8, Shape); 8] = [
    (46, Shape::Nothing),
    (140, Shape::Object),
    (26, Shape::Plain),
    (4, Shape::Blank),
    (7, Shape::OtherJson),
    (10, Shape::Long),
    (9, Shape::Braces),
    (6, Shape::NotUtf8),
];
const AFTER_FAILURE: [(u8, Shape); 8] = [
    (130, Shape::Nothing),
    (84, Shape::Object),
    (18, Shape::Plain),
    (3, Shape::Blank),
    (4, Shape::OtherJson),
    (4, Shape::Long),
    (8, Shape::Braces),
    (3, Shape::NotUtf8),
];

/// How long a long text is: beyond the limit, at it, and one beyond it.
const LENGTHS: [usize; 3] = [12_000, 10_000, 10_001];

/// What stands before and after the canary of a plain text.
const PLAIN: [(&str, &str); 6] = [
    ("", ""),
    ("the branch is ", "\n"),
    ("  ", "  \n"),
    ("two lines: ", "\nand the second\n"),
    ("", " with {braces} inside\n"),
    ("- a list ", "\r\n"),
];
/// The same for JSON that is no object.
const OTHER_JSON: [(&str, &str); 4] = [
    (r#"[{"decision":"block","reason":""#, r#""}]"#),
    (r#"""#, r#"""#),
    (r#"[""#, r#""]"#),
    (r#""{\"decision\":\"block\",\"reason\":\""#, r#"\"}""#),
];
/// The same for braces around something that is not JSON.
const BRACES: [(&str, &str); 6] = [
    ("{not json ", "}"),
    (r#"{"decision":"block","reason":""#, r#"",}"#),
    ("{decision:'block',reason:'", "'}"),
    (r#"{"systemMessage":""#, "\"}\n}"),
    (r#"{"reason":""#, r#"" /* a remark */}"#),
    (r#"{"systemMessage":"broken "#, "\nin two\"}"),
];

/// A whole output; handlers that failed are silent more often.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, reader: Reader, failed: bool) -> Text {
    if reader.subject.event == Event::WorktreeCreate && !reader.http && !draw.chance(28) {
        return path_lines(draw);
    }
    if reader.calm && reader.subject.event == Event::UserPromptSubmit && !failed && draw.chance(20) {
        return between(draw, &PLAIN, "PLAIN");
    }
    if reader.calm {
        return if failed { Text::default() } else { framed(draw, reader) };
    }
    match draw.weighted(if failed { &AFTER_FAILURE } else { &AFTER_SUCCESS }) {
        Shape::Nothing => Text::default(),
        Shape::Object => framed(draw, reader),
        Shape::Plain => between(draw, &PLAIN, "PLAIN"),
        Shape::Blank => Text::from(draw.pick(&["\n", " \t\n", "\r\n", "\u{a0}\n"])),
        Shape::OtherJson => between(draw, &OTHER_JSON, "JSON"),
        Shape::Long => {
            let mut out = Pieces::default();
            let length = draw.pick(&LENGTHS);
            out.long(draw, "LONG", length);
            out.finish()
        }
        Shape::Braces => between(draw, &BRACES, "BRACES"),
        Shape::NotUtf8 => not_utf8(draw),
    }
}

/// An object with something to say for later, most often all right.
pub(crate) fn late(draw: &mut Draw<'_, '_>, event: Event) -> Text {
    let mut out = Pieces::default();
    let (before, after) = draw.weighted(&[
        (150, (r#"{"systemMessage":""#, r#"""#)),
        (50, (r#"{"systemMessage":[""#, r#""]"#)),
        (30, (r#"{"continue":false,"stopReason":""#, r#"""#)),
        (20, (r#"{"decision":"block","reason":""#, r#"""#)),
    ]);
    out.around(before, draw, "MSG", after);
    let knows = |name: &str| crate::fields::specific(event).iter().any(|field| field.name == name);
    if knows("additionalContext") && draw.chance(75) {
        out.push(r#","hookSpecificOutput":{"hookEventName":""#);
        out.push(event.name());
        out.around(r#"","additionalContext":""#, draw, "CTX", "\"");
        if knows("classifierContext") && draw.chance(30) {
            out.around(r#","classifierContext":""#, draw, "NOTE", "\"");
        }
        out.push("}");
    }
    out.push("}");
    out.finish()
}

/// What an allow adds, or takes away again: rules or directories.
pub(crate) fn granting(how: &str, of_rules: bool) -> Text {
    let (what, rest) = if of_rules {
        ("Rules", r#""rules":[{"toolName":"WebFetch"}],"behavior":"allow""#)
    } else {
        ("Directories", r#""directories":["/work/other"]"#)
    };
    let entry = format!(r#"{{"type":"{how}{what}",{rest},"destination":"session"}}"#);
    let decision = format!(r#"{{"behavior":"allow","updatedPermissions":[{entry}]}}"#);
    Text::from(format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PermissionRequest","decision":{decision}}}}}"#))
}

/// A decision to put the call off.
pub(crate) fn deferring(draw: &mut Draw<'_, '_>) -> Text {
    let mut out = Pieces::default();
    out.push(r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer""#);
    out.around(r#","permissionDecisionReason":""#, draw, "WHY", r#""}}"#);
    out.finish()
}

/// A canary between two strings.
fn between<const N: usize>(draw: &mut Draw<'_, '_>, ends: &[(&str, &str); N], label: &str) -> Text {
    let mut out = Pieces::default();
    let (before, after) = draw.pick(ends);
    out.around(before, draw, label, after);
    out.finish()
}

fn not_utf8(draw: &mut Draw<'_, '_>) -> Text {
    let (before, bytes, after): (_, &[u8], _) = draw.pick(&[
        ("", &[0xff, 0xfe][..], " and on\n"),
        (r#"{"systemMessage":""#, &[0xc3, 0x28][..], r#""}"#),
        (r#"{"decision":"block","reason":""#, &[0xff][..], r#""}"#),
    ]);
    let mut out = Pieces::default();
    out.around(before, draw, "BYTES", " ");
    out.bytes(bytes);
    out.push(after);
    out.finish()
}

/// What a worktree's maker prints: lines, of which the last that is not empty is the path.
fn path_lines(draw: &mut Draw<'_, '_>) -> Text {
    let mut out = Pieces::default();
    if draw.chance(25) {
        out.around("preparing ", draw, "BANNER", "\n");
    }
    let (before, after) = draw.weighted(&[
        (120, ("/work/trees/", "\n")),
        (40, ("/work/trees/", "")),
        (16, ("trees/", "\n")),
        (10, ("./trees/../", "\n")),
        (10, ("/work/trees/../", "\n")),
        (6, ("/work/./trees/", "\n")),
        (12, ("\u{1b}[32m/work/trees/", "\u{1b}[0m\n")),
        (10, ("/work/trees/", "\n\n\n")),
        (8, ("/work/trees/", "\r\n")),
        (4, ("  /work/trees/", "  \n")),
    ]);
    if draw.chance(6) {
        return out.finish();
    }
    out.around(before, draw, "TREE", after);
    out.finish()
}

/// What stands around an output object.
#[derive(Clone, Copy)]
enum Frame {
    Bare,
    WhiteSpace,
    Crlf,
    ByteOrderMark,
    Banner,
    After,
    TwoOnOneLine,
    TwoLines,
    Truncated,
}

const FRAMES: [(u8, Frame); 9] = [
    (184, Frame::Bare),
    (14, Frame::WhiteSpace),
    (6, Frame::Crlf),
    (6, Frame::ByteOrderMark),
    (10, Frame::Banner),
    (8, Frame::After),
    (7, Frame::TwoOnOneLine),
    (12, Frame::TwoLines),
    (7, Frame::Truncated),
];

fn framed(draw: &mut Draw<'_, '_>, reader: Reader) -> Text {
    let frame = if reader.calm { Frame::Bare } else { draw.weighted(&FRAMES) };
    let minted = draw.minted();
    let mut out = Pieces::default();
    match frame {
        Frame::WhiteSpace => out.push("\n  "),
        Frame::ByteOrderMark => out.push("\u{feff}"),
        // It stands on a line of its own; an HTTP body may begin with it all the same.
        Frame::Banner => out.around("loading ", draw, "BANNER", if reader.http { ": " } else { "\n" }),
        _ => {}
    }
    // An object that may be taken for plain text must hold a canary.
    let marked = !matches!(frame, Frame::Bare | Frame::WhiteSpace | Frame::Crlf);
    out.push("{");
    let whole = object::draw(draw, reader, &mut out);
    if marked && (!whole || draw.minted() == minted) {
        out.key("note");
        out.around("\"", draw, "MARK", "\"");
    }
    match frame {
        // Cut off inside a string, or only the last brace is missing.
        Frame::Truncated if draw.chance(60) => {
            out.key("note");
            out.around("\"", draw, "CUT", "");
        }
        Frame::Truncated => {}
        _ => out.push("}"),
    }
    match frame {
        Frame::WhiteSpace => out.push("  \n\n"),
        Frame::Crlf => out.push("\r\n"),
        Frame::After => out.around("\n", draw, "AFTER", "\n"),
        Frame::TwoOnOneLine => second(draw, &mut out),
        Frame::TwoLines => {
            out.push("\n");
            second(draw, &mut out);
        }
        Frame::Bare | Frame::ByteOrderMark | Frame::Banner | Frame::Truncated => {}
    }
    out.finish()
}

/// A second document after the first.
fn second(draw: &mut Draw<'_, '_>, out: &mut Pieces) {
    match draw.below(6) {
        0 => out.push("{}"),
        1 => out.around(r#"{"note":""#, draw, "SECOND", r#""}"#),
        2 => out.around(r#"{"systemMessage":""#, draw, "SECOND", r#""}"#),
        3 => out.around(r#"{"decision":"block","reason":""#, draw, "SECOND", r#""}"#),
        4 => out.around(r#"{"systemMessage":[""#, draw, "SECOND", r#""]}"#),
        _ => out.around("{second ", draw, "SECOND", "}"),
    }
}
