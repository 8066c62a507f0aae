//! Parameters in Stripe's encoding: `a[b][0]=c`, in the body or in the query.

use std::fmt::Display;

use url::form_urlencoded::Serializer;

/// Parameters in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// Adds a parameter; `name` is its path, such as `line_items[0][quantity]`.
    pub(super) fn with(mut self, name: impl Into<String>, value: impl Display + Copy) -> Self {
        self.0.push((name.into(), value.to_string()));
        self
    }

    /// Adds a parameter if there is a value.
    pub(super) fn with_some(self, name: &str, value: Option<impl Display + Copy>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a list.
    pub(super) fn with_list(self, name: &str, values: &[&str]) -> Self {
        let indexed = values.iter().enumerate();
        indexed.fold(self, |form, (index, value)| form.with(format!("{name}[{index}]"), value))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parameters as text.
    pub(super) fn encode(&self) -> String {
        Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_encoded_in_order() {
        let form = Form::default()
            .with("amount", 500)
            .with("metadata[svc]", "a b&c=ü")
            .with_some("email", None::<&str>)
            .with_list("expand", &["data.charge", "data.refund"]);
        let text = "amount=500&metadata%5Bsvc%5D=a+b%26c%3D%C3%BC\
            &expand%5B0%5D=data.charge&expand%5B1%5D=data.refund";
        assert_eq!(form.encode(), text);
        assert!(!form.is_empty() && Form::default().is_empty());
    }
}
