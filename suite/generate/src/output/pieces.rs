//! A text that is written piece by piece, long runs and bytes included, without ever being spelt out.

use crate::draw::Draw;
use hookproof_contract::Text;

/// A text in the making.
#[derive(Default)]
pub(crate) struct Pieces {
    done: Vec<Text>,
    tail: String,
}

impl Pieces {
    /// Adds a string.
    pub(crate) fn push(&mut self, text: &str) {
        self.tail.push_str(text);
    }

    /// Adds a JSON key, with a comma before it where one is needed.
    pub(crate) fn key(&mut self, name: &str) {
        if !self.tail.ends_with('{') {
            self.tail.push(',');
        }
        self.tail.push('"');
        self.tail.push_str(name);
        self.tail.push_str("\":");
    }

    /// Adds a new canary between two strings.
    pub(crate) fn around(&mut self, before: &str, draw: &mut Draw<'_, '_>, label: &str, after: &str) {
        self.tail.reserve(before.len() + label.len() + after.len() + 3);
        self.tail.push_str(before);
        draw.mint_into(label, &mut self.tail);
        self.tail.push_str(after);
    }

    /// Adds a text of exactly so many characters, with a canary at each end.
    pub(crate) fn long(&mut self, draw: &mut Draw<'_, '_>, label: &str, length: usize) {
        let (mut head, mut end) = (draw.mint(label), " ".to_owned());
        head.push(' ');
        draw.mint_into("END", &mut end);
        let fill = length.saturating_sub(head.len() + end.len());
        self.tail.push_str(&head);
        self.part(Text::Fill("x".to_owned(), fill));
        self.tail.push_str(&end);
    }

    /// Adds bytes that are not UTF-8.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.part(Text::Bytes(bytes.to_vec()));
    }

    /// Adds all of another text.
    pub(crate) fn append(&mut self, mut other: Pieces) {
        if !other.done.is_empty() {
            self.cut();
            self.done.append(&mut other.done);
        }
        self.tail.push_str(&other.tail);
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> Text {
        if self.done.is_empty() {
            return Text::Plain(self.tail);
        }
        self.cut();
        Text::Join(self.done)
    }

    fn part(&mut self, part: Text) {
        self.cut();
        self.done.push(part);
    }

    fn cut(&mut self) {
        if !self.tail.is_empty() {
            self.done.push(Text::Plain(std::mem::take(&mut self.tail)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pieces;
    use crate::draw::Draw;
    use arbitrary::Unstructured;

    #[test]
    fn a_long_text_has_the_length_that_was_asked_for() {
        let mut bytes = Unstructured::new(&[]);
        let mut draw = Draw::new(&mut bytes);
        let mut pieces = Pieces::default();
        pieces.long(&mut draw, "LONG", 10_001);
        let text = pieces.finish();
        assert_eq!(text.len(), 10_001);
        assert!(text.lossy().starts_with("LONG-00 xx") && text.lossy().ends_with("x END-01"));
    }

    #[test]
    fn keys_are_parted_by_commas_across_long_texts_too() {
        let mut bytes = Unstructured::new(&[]);
        let mut draw = Draw::new(&mut bytes);
        let mut pieces = Pieces::default();
        pieces.push("{");
        pieces.key("a");
        pieces.push("\"");
        pieces.long(&mut draw, "LONG", 30);
        pieces.push("\"");
        let mut inner = Pieces::default();
        inner.push("{");
        inner.key("b");
        inner.push("1}");
        pieces.key("c");
        pieces.append(inner);
        pieces.push("}");
        let text = pieces.finish();
        let value: serde_json::Value = serde_json::from_str(&text.lossy()).expect("JSON");
        assert_eq!(value["c"]["b"], 1);
    }
}
