//! HTML as a browser parses it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// An element with all the text in it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
}

/// The elements of a page in order.
#[derive(Debug, Default)]
pub(crate) struct Html(pub(crate) Vec<Element>);

#[derive(Default)]
struct Sink {
    elements: RefCell<Vec<Element>>,
    open: RefCell<Vec<usize>>,
    errors: RefCell<Vec<String>>,
}

impl Sink {
    fn begin(&self, tag: &Tag) {
        let attribute =
            |one: &html5ever::Attribute| (one.name.local.to_string(), one.value.to_string());
        let name = tag.name.to_string();
        let mut elements = self.elements.borrow_mut();
        if !["base", "meta", "link", "img", "br", "input"].contains(&&*name) {
            self.open.borrow_mut().push(elements.len());
        }
        let attributes = tag.attrs.iter().map(attribute).collect();
        elements.push(Element { name, attributes, text: String::new() });
    }

    fn end_of(&self, tag: &Tag) {
        let last =
            self.open.borrow_mut().pop().map(|last| self.elements.borrow()[last].name.clone());
        assert_eq!(last.as_deref(), Some(&*tag.name), "elements end in order");
    }

    fn say(&self, text: &str) {
        for open in self.open.borrow().iter() {
            self.elements.borrow_mut()[*open].text.push_str(text);
        }
    }
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => self.end_of(&tag),
            Token::TagToken(tag) => {
                self.begin(&tag);
                match &*tag.name {
                    "title" | "textarea" => return TokenSinkResult::RawData(RawKind::Rcdata),
                    "style" => return TokenSinkResult::RawData(RawKind::Rawtext),
                    _ => {}
                }
            }
            Token::CharacterTokens(text) => self.say(&text),
            Token::ParseError(error) => self.errors.borrow_mut().push(error.into_owned()),
            Token::CommentToken(_) | Token::NullCharacterToken => {
                panic!("the page holds {token:?}")
            }
            Token::DoctypeToken(_) | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

impl Html {
    /// Reads a page, which must be without a fault but odd characters of its texts.
    #[track_caller]
    pub(crate) fn read(page: &str) -> Self {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(page));
        let options = TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(Sink::default(), options);
        let _ = tokenizer.feed(&input);
        assert!(input.is_empty(), "the page is read to its end");
        tokenizer.end();
        let Sink { elements, open, errors } = tokenizer.sink;
        assert!(open.borrow().is_empty(), "every element ends");
        let errors = errors.into_inner();
        assert!(errors.iter().all(|error| error.contains("Bad character")), "{errors:?}");
        Self(elements.into_inner())
    }

    /// The texts of all elements of this class.
    pub(crate) fn of_class(&self, class: &str) -> Vec<&str> {
        let of_class = |one: &&Element| one.attributes.get("class").is_some_and(|of| of == class);
        self.0.iter().filter(of_class).map(|one| &*one.text).collect()
    }

    /// All elements of this name.
    pub(crate) fn named(&self, name: &str) -> Vec<&Element> {
        self.0.iter().filter(|one| one.name == name).collect()
    }

    /// The names of all elements, in order.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|one| &*one.name).collect()
    }
}
