//! What a command has that its endpoint does not say.

use super::{Alternative, Body, Choice, EndpointCommand, Given, LIFT, Question, argument};
use crate::error::Error;
use crate::time;

impl EndpointCommand {
    /// Makes an optional member positional.
    pub(crate) fn positional(mut self, member: &'static str) -> Self {
        self.positionals.push(member);
        self
    }

    /// Makes a member a flag of this name.
    pub(crate) fn flag(mut self, member: &'static str, name: &'static str) -> Self {
        self.names.push((member, name));
        self
    }

    /// Leaves out members that the command does not offer.
    pub(crate) fn without(mut self, members: &'static [&'static str]) -> Self {
        self.without = members;
        self
    }

    /// Takes all members from a file with a JSON object.
    pub(crate) fn body(mut self, body: Body) -> Self {
        self.body = Some(body);
        self
    }

    /// Adds a flag that changes only what is printed.
    pub(crate) fn switch(mut self, name: &'static str, help: &'static str) -> Self {
        self.switches.push((name, help));
        self
    }

    /// Adds `--lift` to a command whose request removes what it omits: without a member, only that does.
    pub(crate) fn or_lift(mut self, help: &'static str) -> Self {
        self.lifts = true;
        self.switch(LIFT, help)
    }

    /// Adds `--show-warned`, for lists of posts.
    pub(crate) fn with_warned(self) -> Self {
        self.switch("show-warned", "Show texts that have a content warning")
    }

    /// Offers `--agents` and `--people` for `isAgent`.
    pub(crate) fn with_kinds(mut self) -> Self {
        for (flag, help, value) in
            [("agents", "Only agents", true), ("people", "Only people", false)]
        {
            self.choices.push(Choice { member: "isAgent", flag, help, value });
        }
        self
    }

    /// Offers `--in` for a time, which counts from now; `at` is the flag of the time itself.
    pub(crate) fn or_in(mut self, member: &'static str, at: &'static str) -> Self {
        self.alternatives.push(Alternative {
            member,
            instead_of: at,
            flag: "in",
            value_name: "TIME",
            help: "The same as a time from now, such as 90m or 2h",
            parse: |text| argument::json(text.parse().map(time::from_now)),
        });
        self
    }

    /// Takes several values of a member, and sends one request for each.
    pub(crate) fn each(mut self, member: &'static str) -> Self {
        self.repeated = Some(member);
        self
    }

    /// Uses your account when the member is omitted.
    pub(crate) fn or_yourself(mut self, member: &'static str) -> Self {
        self.yourself = Some(member);
        self
    }

    /// Flags of which each requires the others.
    pub(crate) fn together(mut self, flags: &'static [&'static str]) -> Self {
        self.together = flags;
        self
    }

    /// Asks this before the request is sent, instead of the words of its endpoint.
    pub(crate) fn ask(mut self, question: Question) -> Self {
        self.question = Some(question);
        self
    }

    /// Completes the errors of the command.
    pub(crate) fn explain(mut self, explain: fn(Box<Error>, &Given<'_>) -> Box<Error>) -> Self {
        self.explain = explain;
        self
    }
}
