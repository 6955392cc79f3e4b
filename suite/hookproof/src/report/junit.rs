//! The report as JUnit XML, which CI servers read. A case is a test case, its chapter the class. What was not played or not decided is
//! skipped, with the reason; so is a failure that is known.

use super::{Again, Report, plain, text};
use crate::{
    baseline::Misfit,
    run::Tally,
    verdict::{CaseResult, Verdict},
};
use hookproof_contract::message::Hello;
use std::io::{self, Write};

/// The report: written at its end, since the counts come first.
pub struct Junit<'a> {
    out: &'a mut dyn Write,
    again: Again,
    suite: String,
    cases: String,
    counts: Counts,
    misfits: Vec<Misfit>,
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl<'a> Junit<'a> {
    /// Begins the report.
    pub fn begin(out: &'a mut dyn Write, hello: &Hello, again: Again) -> Junit<'a> {
        let who = format!("{} {}", hello.candidate.name, hello.candidate.version);
        let suite = format!("{}, contract {}", who.trim_end(), hello.revision);
        Junit { out, again, suite, cases: String::new(), counts: Counts::default(), misfits: Vec::new() }
    }

    fn body(&mut self, result: &CaseResult) -> io::Result<String> {
        let why = result.why.as_deref().unwrap_or_default();
        if result.is_known {
            self.counts.skipped += 1;
            return Ok("<skipped message=\"known failure\"/>".to_owned());
        }
        let kind = match result.verdict {
            Verdict::Pass => return Ok(String::new()),
            Verdict::NotTestable | Verdict::NotApplicable | Verdict::Undetermined => {
                self.counts.skipped += 1;
                return Ok(format!("<skipped message=\"{}\"/>", escaped(&format!("{}: {why}", result.verdict.name()))));
            }
            Verdict::Fail => {
                self.counts.failures += 1;
                "failure"
            }
            Verdict::Crashed | Verdict::TimedOut => {
                self.counts.errors += 1;
                "error"
            }
        };
        let what = result.headline();
        let rule = result.misses.first().map_or_else(String::new, |miss| format!(": {}", miss.rule));
        let told = plain(|out| text::failure(out, result, &self.again))?;
        Ok(format!(
            "<{kind} type=\"{what}\" message=\"{}\">{}</{kind}>",
            escaped(&format!("{what}{rule}")),
            escaped(told.trim())
        ))
    }
}

impl Report for Junit<'_> {
    fn case(&mut self, result: CaseResult) -> io::Result<()> {
        let body = self.body(&result)?;
        let (class, name) = result.name.split_once('/').unwrap_or(("", &result.name));
        self.counts.tests += 1;
        let (class, name) = (escaped(class), escaped(name));
        self.cases.push_str(&match body.as_str() {
            "" => format!("    <testcase classname=\"{class}\" name=\"{name}\"/>\n"),
            body => format!("    <testcase classname=\"{class}\" name=\"{name}\">{body}</testcase>\n"),
        });
        Ok(())
    }

    fn baseline(&mut self, _known: usize, misfits: &[Misfit]) -> io::Result<()> {
        // Failures that the list does not have are told as failures.
        self.misfits = misfits.iter().filter(|misfit| matches!(misfit, Misfit::Stale(_))).cloned().collect();
        Ok(())
    }

    fn end(&mut self, tally: &Tally) -> io::Result<()> {
        for misfit in &self.misfits {
            self.counts.tests += 1;
            self.counts.failures += 1;
            let what = escaped(&misfit.to_string());
            self.cases.push_str(&format!(
                "    <testcase classname=\"baseline\" name=\"{what}\"><failure type=\"stale\" message=\"{what}\"/></testcase>\n"
            ));
        }
        if let Some(trouble) = &tally.trouble {
            self.counts.tests += 1;
            self.counts.errors += 1;
            let (what, told) = (escaped(trouble.what), escaped(&trouble.to_string()));
            self.cases.push_str(&format!(
                "    <testcase classname=\"adapter\" name=\"{what}\"><error type=\"adapter\" message=\"{what}\">{told}</error></testcase>\n"
            ));
        }
        let Counts { tests, failures, errors, skipped } = self.counts;
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
        writeln!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hookproof\" {counts}>")?;
        writeln!(self.out, "  <testsuite name=\"{}\" {counts} skipped=\"{skipped}\">", escaped(&self.suite))?;
        write!(self.out, "{}", self.cases)?;
        writeln!(self.out, "  </testsuite>\n</testsuites>")?;
        self.out.flush()
    }
}

/// A text as XML has it, in an attribute or between tags. What XML cannot say becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        assert_eq!(
            escaped("a<b>&\"c\"\n\u{1b}[0m\u{0}\u{e9}"),
            "a&lt;b&gt;&amp;&quot;c&quot;\n\u{fffd}[0m\u{fffd}\u{e9}"
        );
    }
}
