//! What comes out of an adapter: stdout by lines, of stderr the end.

/// Splits bytes into lines. A line that is too long is reported once, and nothing after it is kept.
#[derive(Debug)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where there is no line feed.
    searched: usize,
    longest: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// No more bytes will come.
    Complete,
    /// A line was too long and this is still to be told.
    TooLong,
    /// Nobody listens any more.
    Deaf,
}

/// What a line turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its line feed.
    Whole(Vec<u8>),
    /// More than the longest line, and no end in sight: its beginning.
    TooLong(Vec<u8>),
}

impl Lines {
    pub(super) fn new(longest: usize) -> Lines {
        Lines { bytes: Vec::new(), start: 0, searched: 0, longest, state: State::Open }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.state == State::Open {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// No more bytes will come: what is left is the last line.
    pub(super) fn complete(&mut self) {
        if self.state == State::Open {
            self.state = State::Complete;
        }
    }

    /// Forgets everything, now and from now on.
    pub(super) fn deafen(&mut self) {
        *self = Lines { state: State::Deaf, ..Lines::new(self.longest) };
    }

    pub(super) fn next(&mut self) -> Option<Line> {
        if matches!(self.state, State::TooLong | State::Deaf) {
            return None;
        }
        match self.bytes[self.searched..].iter().position(|b| *b == b'\n') {
            Some(offset) => {
                let end = self.searched + offset;
                let line = self.take(end);
                self.start = end + 1;
                self.searched = self.start;
                self.compact();
                Some(line)
            }
            None if self.bytes.len() - self.start > self.longest => Some(self.take(self.bytes.len())),
            None if self.state == State::Complete && self.start < self.bytes.len() => {
                let line = self.take(self.bytes.len());
                self.start = self.bytes.len();
                self.searched = self.start;
                Some(line)
            }
            None => {
                self.searched = self.bytes.len();
                None
            }
        }
    }

    fn take(&mut self, end: usize) -> Line {
        let line = &self.bytes[self.start..end];
        if line.len() <= self.longest {
            return Line::Whole(line.to_vec());
        }
        let beginning = line[..line.len().min(1024)].to_vec();
        self.state = State::TooLong;
        self.bytes = Vec::new();
        (self.start, self.searched) = (0, 0);
        Line::TooLong(beginning)
    }

    fn compact(&mut self) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
            (self.start, self.searched) = (0, 0);
        } else if self.start > 1 << 16 {
            self.bytes.drain(..self.start);
            (self.start, self.searched) = (0, 0);
        }
    }
}

/// Keeps the last bytes of a stream, and knows how many there were.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    total: u64,
    kept: usize,
}

impl Tail {
    pub(super) fn new(kept: usize) -> Tail {
        Tail { bytes: Vec::new(), total: 0, kept }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(self.kept)..]);
        // Twice the room is used, so that the bytes are not moved at each push.
        if self.bytes.len() > self.kept * 2 {
            self.bytes.drain(..self.bytes.len() - self.kept);
        }
    }

    /// How many bytes there were until now.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The end of what came after the first `mark` bytes.
    pub(super) fn since(&self, mark: u64) -> String {
        let new = usize::try_from(self.total - mark.min(self.total)).unwrap_or(usize::MAX);
        let shown = new.min(self.kept).min(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[self.bytes.len() - shown..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines, Tail};

    fn all(lines: &mut Lines) -> Vec<String> {
        std::iter::from_fn(|| lines.next())
            .map(|line| match line {
                Line::Whole(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Line::TooLong(bytes) => format!("too long: {}", String::from_utf8_lossy(&bytes).into_owned()),
            })
            .collect()
    }

    #[test]
    fn lines_come_whole_however_the_bytes_come() {
        let text = b"one\n\ntwo and more\nthree";
        for size in 1..text.len() {
            let mut lines = Lines::new(100);
            let mut got = Vec::new();
            for chunk in text.chunks(size) {
                lines.push(chunk);
                got.extend(all(&mut lines));
            }
            assert_eq!(got, ["one", "", "two and more"], "by {size}");
            lines.complete();
            assert_eq!(all(&mut lines), ["three"], "by {size}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_nothing_after_it_is_kept() {
        for text in ["12345678901", "12345678901\nshort\n"] {
            let mut lines = Lines::new(10);
            lines.push(b"ok\n");
            lines.push(text.as_bytes());
            assert_eq!(all(&mut lines), ["ok", "too long: 12345678901"]);
            lines.push(b"more\n");
            assert_eq!(all(&mut lines), [""; 0]);
            assert!(lines.bytes.is_empty());
        }
    }

    #[test]
    fn the_tail_is_the_end_of_what_came_since() {
        let mut tail = Tail::new(4);
        tail.push(b"abc");
        let mark = tail.total();
        assert_eq!(tail.since(mark), "");
        tail.push(b"d");
        assert_eq!((tail.since(mark), tail.since(0)), ("d".to_owned(), "abcd".to_owned()));
        for _ in 0..100 {
            tail.push(b"0123456789");
        }
        assert_eq!((tail.since(mark), tail.total()), ("6789".to_owned(), 1004));
        assert!(tail.bytes.len() <= 8);
    }
}
