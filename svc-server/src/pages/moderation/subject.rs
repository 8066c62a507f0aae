//! What a moderator acts on: whose it is, what it says, and which acts are possible.

use serde_json::{Map, Value};
use svc_core::ids;
use svc_core::services::moderation::InForce;
use svc_store::error::{Error, Result};
use svc_types::Code;
use svc_types::api::bots::GetCapabilities;
use svc_types::api::channels::{GetChannel, GetChannelMessage};
use svc_types::api::messages::GetMessage;
use svc_types::api::moderation::{
    GetModerationReport, ListModerationActions, ModerationActionType as Act,
};
use svc_types::api::posts::GetPost;
use svc_types::api::reports::{Subject as Reported, SubjectType};
use svc_types::api::users::GetUser;

use super::place;
use super::snapshot::Snapshot;
use crate::http::{PageContext, PageRequest};
use crate::language::Language;
use crate::pages::letter::Letter;
use crate::pages::text;

/// Former acts that are read to learn whether another one is possible.
const ACTS_READ: u32 = 1;

/// Acts that last, each with the one that ends it.
const LASTING: [(Act, Act); 3] =
    [(Act::Hide, Act::Restore), (Act::Limit, Act::Unlimit), (Act::Suspend, Act::Unsuspend)];

/// A subject as the link to the page names it.
pub(super) struct Named<'a> {
    pub(super) kind: SubjectType,
    pub(super) id: &'a str,
    /// The seller of a service, or the channel of a message; may be empty.
    pub(super) of: &'a str,
    /// The report that led here; may be empty.
    pub(super) report: &'a str,
}

/// A subject, and what holds for it.
pub(super) struct Subject<'a> {
    pub(super) named: Named<'a>,
    /// `None` if moderators can't read it.
    pub(super) shown: Option<Shown>,
    /// Whether it was deleted or removed, or is unknown here, so that nothing can be done to it.
    pub(super) is_gone: bool,
    /// Whether it belongs to the moderator, to an agent of theirs, or to somebody of the same or a higher role.
    pub(super) is_protected: bool,
    measures: Vec<InForce>,
}

/// A subject for display.
#[derive(Default)]
pub(super) struct Shown {
    id: Option<String>,
    pub(super) name: Option<String>,
    /// The username of its author.
    pub(super) author: Option<String>,
    /// Its content warning.
    pub(super) warning: Option<String>,
    /// The beginning of its text.
    pub(super) text: String,
    pub(super) labels: Vec<String>,
    /// The path of its page.
    pub(super) place: Option<String>,
}

impl<'a> Named<'a> {
    /// The subject of a request, if it has one of a known kind.
    pub(super) fn of(request: &'a PageRequest) -> Option<Self> {
        let field = |name| request.field(name).filter(|text| ids::can_exist(text));
        let (kind, id) = (SubjectType::from(field("subject.type")?), field("subject.id")?);
        let of = field("of").unwrap_or_default();
        let report = field("reportId").unwrap_or_default();
        (!matches!(kind, SubjectType::Other(_))).then_some(Self { kind, id, of, report })
    }
}

impl<'a> Subject<'a> {
    /// Reads a subject as it is now, else as it was when it was reported.
    pub(super) fn read(
        context: &mut PageContext<'_>,
        language: Language,
        named: Named<'a>,
    ) -> Result<Self> {
        let shown = found(present(context, language, &named))?;
        let id = shown.as_ref().and_then(|shown| shown.id.as_deref()).unwrap_or(named.id);
        let is_gone = is_gone(context, &named, id)?;
        let is_protected = context.is_protected(&Reported::new(named.kind.clone(), id))?;
        let measures = context.in_force(id)?;
        let shown = match shown {
            None => reported(context, &named)?,
            shown => shown,
        };
        Ok(Self { named, shown, is_gone, is_protected, measures })
    }

    /// Whether an act is for subjects of this kind, and would change something: of what holds for a time, its end.
    pub(super) fn takes(&self, act: &Act) -> bool {
        if !act.fits(&self.named.kind) {
            return false;
        }
        if *act == Act::Unlabel {
            return self.shown.as_ref().is_none_or(|shown| !shown.labels.is_empty());
        }
        let lasting = LASTING.iter().find(|(begin, end)| act == begin || act == end);
        lasting.is_none_or(|(begin, end)| {
            let held = self.held(begin);
            if act == end { held.is_some() } else { held.is_none_or(|it| it.expires_at.is_some()) }
        })
    }

    /// What this act began and holds, whether a moderator or the operator began it.
    fn held(&self, begin: &Act) -> Option<&InForce> {
        self.measures.iter().find(|measure| measure.kind == *begin)
    }
}

/// What was found; `None` for what is not.
fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a subject was deleted or removed, or is unknown here.
fn is_gone(context: &mut PageContext<'_>, named: &Named<'_>, id: &str) -> Result<bool> {
    let asked = ListModerationActions {
        subject_type: Some(named.kind.clone()),
        subject_id: Some(id.into()),
        actor: None,
        kind: None,
        limit: Some(ACTS_READ.into()),
        cursor: None,
    };
    Ok(context.ask(&asked)?.subject_gone == Some(true))
}

fn present(context: &mut PageContext<'_>, language: Language, named: &Named<'_>) -> Result<Shown> {
    match named.kind {
        SubjectType::Post => post(context, named.id),
        SubjectType::User => user(context, named.id),
        SubjectType::Message => message(context, language, named.id),
        SubjectType::Channel => channel(context, named.id),
        SubjectType::ChannelMessage => channel_message(context, named),
        SubjectType::Service => service(context, named),
        _ => Err(Error::not_found("subject")),
    }
}

fn post(context: &mut PageContext<'_>, id: &str) -> Result<Shown> {
    let post = context.ask(&GetPost { post_id: id.into(), include: None })?.post;
    Ok(Shown {
        place: place(&SubjectType::Post, post.id.as_str()),
        warning: post.content_warning,
        text: text::short(&post.content).into_owned(),
        author: Some(post.author.username),
        labels: post.labels,
        ..Shown::default()
    })
}

fn user(context: &mut PageContext<'_>, id: &str) -> Result<Shown> {
    let user = context.ask(&GetUser { username: id.into() })?.user;
    Ok(Shown {
        id: Some(user.id.to_string()),
        place: place(&SubjectType::User, &user.username),
        text: text::short(&user.bio).into_owned(),
        name: Some(user.display_name),
        author: Some(user.username),
        ..Shown::default()
    })
}

fn message(context: &mut PageContext<'_>, language: Language, id: &str) -> Result<Shown> {
    let letter = Letter::of(context.ask(&GetMessage { message_id: id.into() })?.message);
    let text = letter.line(language);
    let message = letter.message;
    // Moderators read orders in dispute too, but not the conversations of their parties.
    let is_own = context.signed_in()?.id == message.recipient.id;
    let place = is_own.then(|| {
        let (talk, id) = (&message.conversation_id, &message.message_id);
        format!("/messages/{talk}#{id}")
    });
    Ok(Shown { text, place, author: Some(message.sender.username), ..Shown::default() })
}

fn channel(context: &mut PageContext<'_>, id: &str) -> Result<Shown> {
    let channel = context.ask(&GetChannel { channel_id: id.into() })?.channel;
    Ok(Shown {
        place: Some(format!("/channels/{}", channel.id)),
        name: Some(channel.title.unwrap_or(channel.name)),
        text: channel.description.map(|about| text::short(&about).into_owned()).unwrap_or_default(),
        author: Some(channel.owner.username),
        ..Shown::default()
    })
}

/// Messages have no address but that of their channel.
fn channel_message(context: &mut PageContext<'_>, named: &Named<'_>) -> Result<Shown> {
    if named.of.is_empty() {
        return Err(Error::not_found("message"));
    }
    let asked = GetChannelMessage { channel_id: named.of.into(), message_id: named.id.into() };
    let message = context.ask(&asked)?.message;
    Ok(Shown {
        place: Some(format!("/channels/{}#{}", message.channel_id, message.message_id)),
        text: text::short(&message.content).into_owned(),
        author: Some(message.sender.username),
        ..Shown::default()
    })
}

/// Services have no address but that of their seller.
fn service(context: &mut PageContext<'_>, named: &Named<'_>) -> Result<Shown> {
    if named.of.is_empty() {
        return Err(Error::not_found("service"));
    }
    let offered = context.ask(&GetCapabilities { username: named.of.into() })?.capabilities;
    let service = offered.into_iter().find(|service| service.id.as_str() == named.id);
    let service = service.ok_or_else(|| Error::not_found("service"))?;
    Ok(Shown {
        place: Some(format!("/@{}/services/{}", named.of, service.id)),
        text: text::short(&service.description).into_owned(),
        name: Some(service.name),
        author: Some(named.of.to_owned()),
        ..Shown::default()
    })
}

/// The copy in the report.
fn reported(context: &mut PageContext<'_>, named: &Named<'_>) -> Result<Option<Shown>> {
    if named.report.is_empty() {
        return Ok(None);
    }
    let asked = GetModerationReport { report_id: named.report.into() };
    let report = found(context.ask(&asked))?.map(|found| found.report);
    let report = report.filter(|report| report.subject.id.as_str() == named.id);
    Ok(report.and_then(|report| report.snapshot).map(|copy| of_copy(&named.kind, &copy)))
}

fn of_copy(kind: &SubjectType, copy: &Map<String, Value>) -> Shown {
    let copy = Snapshot::of(kind, copy);
    Shown {
        name: copy.name.map(str::to_owned),
        author: copy.author.map(str::to_owned),
        warning: copy.warning.map(str::to_owned),
        text: text::short(copy.text).into_owned(),
        ..Shown::default()
    }
}
