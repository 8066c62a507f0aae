//! The authorization requests of external brokers, each in its format, and one reply that all
//! of them understand.

use serde::Serialize;
use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::identity;
use svc_store::error::Result;
use svc_types::UserId;
use svc_types::api::users::AccountStatus;

use super::External;
use crate::policy::{self, Action, Authentication, Principal, Topic};

/// Seconds after which a broker that supports it authenticates a session again. This bounds how
/// long a regenerated key keeps its connections.
const EXPIRES_AFTER_SECONDS: i64 = 3_600;

/// The request format of a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// EMQX 5.
    Emqx,
    /// rmqtt.
    Rmqtt,
    /// mosquitto-go-auth.
    Goauth,
    /// Custom hooks, such as those of aedes.
    Aedes,
}

/// A decoded request.
pub enum Ask {
    /// May this client connect?
    Auth {
        /// The user name.
        username: String,
        /// The password.
        password: String,
        /// The client id.
        client_id: String,
        /// The broker that asks.
        dialect: Dialect,
    },
    /// May this connected client act on this topic?
    Acl {
        /// The user name.
        username: String,
        /// The client id.
        client_id: String,
        /// The action.
        action: Action,
        /// The topic.
        topic: String,
    },
}

/// The reply: each broker reads the members it knows and ignores the others.
#[derive(Debug, Serialize)]
pub struct Verdict {
    result: &'static str,
    is_superuser: bool,
    superuser: bool,
    #[serde(rename = "Ok")]
    ok: bool,
    #[serde(rename = "Error")]
    error: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expire_at: Option<i64>,
    /// Local rules, always empty. rmqtt respects `expire_at` only when they are present.
    #[serde(skip_serializing_if = "Option::is_none")]
    acl: Option<[(); 0]>,
}

impl Verdict {
    /// A refusal.
    pub const DENY: Self = Self {
        result: "deny",
        is_superuser: false,
        superuser: false,
        ok: false,
        error: "not allowed",
        expire_at: None,
        acl: None,
    };

    const ALLOW: Self = Self { result: "allow", ok: true, error: "", ..Self::DENY };

    /// Admits an account until `expire_at`, in seconds since 1970.
    fn until(expire_at: i64, dialect: Dialect) -> Self {
        let acl = (dialect == Dialect::Rmqtt).then_some([]);
        Self { expire_at: Some(expire_at), acl, ..Self::ALLOW }
    }
}

impl Dialect {
    /// The dialect of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "emqx" => Some(Self::Emqx),
            "rmqtt" => Some(Self::Rmqtt),
            "goauth" => Some(Self::Goauth),
            "aedes" => Some(Self::Aedes),
            _ => None,
        }
    }

    /// Reads a question about connecting, for which all have the same words.
    pub fn auth(self, body: &Value) -> Option<Ask> {
        let (username, password) = (text(body, "username")?, text(body, "password")?);
        Some(Ask::Auth { username, password, client_id: text(body, "clientid")?, dialect: self })
    }

    /// Reads a question about a topic.
    pub fn acl(self, body: &Value) -> Option<Ask> {
        let (username, topic) = (text(body, "username")?, text(body, "topic")?);
        let client_id = text(body, "clientid")?;
        let asked = match self {
            Self::Emqx | Self::Aedes => text(body, "action")?,
            Self::Rmqtt => text(body, "access")?,
            Self::Goauth => body.get("acc")?.as_i64()?.to_string(),
        };
        let action = match (self, &*asked) {
            // mosquitto-go-auth asks once at the subscription, and again for each message.
            (Self::Emqx | Self::Aedes, "subscribe")
            | (Self::Rmqtt, "1")
            | (Self::Goauth, "4" | "1") => Action::Subscribe,
            (Self::Emqx | Self::Aedes, "publish") | (Self::Rmqtt | Self::Goauth, "2") => {
                Action::Publish
            }
            _ => return None,
        };
        Some(Ask::Acl { username, client_id, action, topic })
    }
}

fn text(body: &Value, name: &str) -> Option<String> {
    body.get(name)?.as_str().map(str::to_owned)
}

/// Answers what a broker asks.
pub fn judge(ctx: &mut Ctx<'_, '_>, external: &External, ask: &Ask) -> Result<Verdict> {
    let is_allowed = match ask {
        Ask::Auth { username, password, .. } if external.is_service(username) => {
            external.is_password(password)
        }
        // Here the user name is what later questions are about, so that it can't be left out; nor
        // the client id, which the broker would replace by one without an account.
        Ask::Auth { username, password, client_id, .. } => {
            match policy::authenticate(ctx, Some(username), Some(password), client_id)? {
                Authentication::Granted(Principal(account)) => {
                    !client_id.is_empty() && account.as_str() == username
                }
                Authentication::Denied(_) => false,
            }
        }
        Ask::Acl { username, action, topic, .. } if external.is_service(username) => {
            *action == Action::Publish && Topic::parse(topic).is_some()
        }
        // Through the broker a client could publish with any sender it likes.
        Ask::Acl { action: Action::Publish, .. } => false,
        Ask::Acl { username, client_id, action, topic } => {
            let account = UserId::from(username.as_str());
            policy::is_of(client_id, &account)
                && may_act(ctx, &account)?
                && policy::authorize(ctx, &Principal(account), *action, topic)?
        }
    };
    if !is_allowed {
        return Ok(Verdict::DENY);
    }
    Ok(match ask {
        // The server's own connection does not expire.
        Ask::Auth { username, dialect, .. } if !external.is_service(username) => {
            Verdict::until(ctx.now().as_millis() / 1_000 + EXPIRES_AFTER_SECONDS, *dialect)
        }
        _ => Verdict::ALLOW,
    })
}

fn may_act(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let found = identity::acting(ctx, account)?;
    Ok(found.is_some_and(|account| account.status != AccountStatus::Suspended))
}
