//! Text with places where a line may break: a group is set on one line if it fits, else broken at all its own places.

/// Lines are broken where they would be longer than this.
const WIDTH: usize = 110;

/// A piece of a clause.
pub(super) enum Doc {
    /// Characters without a line end.
    Text(String),
    /// A blank, or a line end where its group is broken.
    Line,
    /// The lines of a `"""` text, quotes included.
    Block(Vec<String>),
    /// Pieces that are set together. The width is that on one line.
    Group(Vec<Doc>, usize),
    /// Items of a list, as many on a line as fit.
    Fill(Vec<Doc>),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Doc::Text(text.into())
    }

    /// Pieces that are set on one line if they fit.
    pub(super) fn group(parts: Vec<Doc>) -> Self {
        let width = parts.iter().map(Doc::width).sum();
        Doc::Group(parts, width)
    }

    /// `a, b, c` between `open` and `close`, each on a line of its own if not all fit on one.
    pub(super) fn list(open: &str, items: impl IntoIterator<Item = Doc>, close: &str) -> Self {
        let mut parts = vec![Doc::text(open)];
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                parts.extend([Doc::text(","), Doc::Line]);
            }
            parts.push(item);
        }
        parts.push(Doc::text(close));
        Doc::group(parts)
    }

    /// `a, b, c` between `open` and `close`, as many on a line as fit.
    pub(super) fn fill(open: &str, items: impl IntoIterator<Item = Doc>, close: &str) -> Self {
        let items: Vec<Doc> = items.into_iter().collect();
        let last = items.len().saturating_sub(1);
        let item = |(index, it)| {
            let before = if index == 0 { open } else { "" };
            let behind = if index == last { close } else { "," };
            Doc::group(vec![Doc::text(before), it, Doc::text(behind)])
        };
        Doc::Fill(items.into_iter().enumerate().map(item).collect())
    }

    /// Whether it can stand on one line that begins in column 1.
    pub(super) fn fits(&self) -> bool {
        self.width() <= WIDTH && !self.has_block()
    }

    fn has_block(&self) -> bool {
        match self {
            Doc::Block(_) => true,
            Doc::Group(parts, _) | Doc::Fill(parts) => parts.iter().any(Doc::has_block),
            Doc::Text(_) | Doc::Line => false,
        }
    }

    /// Its width on one line; of a block that of its opening quotes.
    pub(super) fn width(&self) -> usize {
        match self {
            Doc::Text(text) => text.chars().map(char_width).sum(),
            Doc::Line => 1,
            Doc::Block(_) => 3,
            Doc::Group(_, width) => *width,
            Doc::Fill(parts) => parts.iter().map(|it| it.width() + 1).sum::<usize>().saturating_sub(1),
        }
    }
}

/// Han characters, kana and the like are two columns wide.
fn char_width(it: char) -> usize {
    let wide = matches!(it, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}');
    1 + usize::from(wide)
}

/// A clause as lines.
pub(super) struct Rendered {
    pub(super) text: String,
    /// Whether its first line ends within a `"""` text, where no comment can stand.
    pub(super) opens_block: bool,
}

/// Sets a clause: its first line `indent` columns in, what goes on it `deeper` columns in.
pub(super) fn render(doc: &Doc, indent: usize, deeper: usize) -> Rendered {
    let mut out = Renderer { text: " ".repeat(indent), column: indent, deeper, lines: 0, opens_block: false };
    out.doc(doc, false);
    Rendered { text: out.text, opens_block: out.opens_block }
}

struct Renderer {
    text: String,
    column: usize,
    deeper: usize,
    lines: usize,
    opens_block: bool,
}

impl Renderer {
    fn doc(&mut self, doc: &Doc, broken: bool) {
        match doc {
            Doc::Text(text) => self.text(text, doc.width()),
            Doc::Line if broken => self.line_end(),
            Doc::Line => self.text(" ", 1),
            Doc::Block(lines) => self.block(lines),
            Doc::Group(parts, width) => {
                let broken = self.column + width > WIDTH;
                for part in parts {
                    self.doc(part, broken);
                }
            }
            Doc::Fill(parts) => self.fill(parts),
        }
    }

    fn fill(&mut self, parts: &[Doc]) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.doc(&Doc::Line, self.column + 1 + part.width() > WIDTH);
            }
            self.doc(part, false);
        }
    }

    fn text(&mut self, text: &str, width: usize) {
        self.text.push_str(text);
        self.column += width;
    }

    fn line_end(&mut self) {
        self.text.push('\n');
        self.text.push_str(&" ".repeat(self.deeper));
        self.column = self.deeper;
        self.lines += 1;
    }

    fn block(&mut self, lines: &[String]) {
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                self.opens_block |= self.lines == 0;
                self.text.push('\n');
                self.lines += 1;
                if !line.is_empty() {
                    self.text.push_str(&" ".repeat(self.deeper));
                }
            }
            self.text.push_str(line);
            self.column = self.deeper + line.chars().map(char_width).sum::<usize>();
        }
    }
}
