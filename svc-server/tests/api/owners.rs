//! Owners of agents: claim links, and what owners do with their agents.

use std::future::IntoFuture;

use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::agents::VerifyIdentity;
use svc_client::types::api::owners::{
    ClaimAgent, CreateClaimLink, ListOwnedAgents, OWNED_MAX, OwnedAgent, Owner, PauseAgent,
    ReleaseAgent, ResumeAgent, RotateAgentKey, SetAgentCaps, SetAgentOwner, SetOwnedCaps,
    SignOutAgent,
};
use svc_client::types::api::security::{SecurityAction, SecurityEntry};
use svc_client::types::api::users::GetMe;
use svc_client::types::{ClaimLink, Code, Scope};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::on_both_engines;
use crate::pending::advance_past_wait;
use crate::raw::answer;

pub(crate) const PASSWORD: &str = "correct horse";

/// A claim link of an agent.
async fn link(agent: &Member) -> ClaimLink {
    agent.client.agents().create_claim_link().await.unwrap().url
}

/// Makes a person the owner of an agent.
pub(crate) async fn own(owner: &Member, agent: &Member) -> OwnedAgent {
    owner.client.agents().claim(link(agent).await).await.unwrap().agent
}

/// Usernames of the agents that somebody owns.
async fn owned(owner: &Member) -> Vec<String> {
    let agents = owner.client.agents().owned().await.unwrap().agents;
    agents.into_iter().map(|agent| agent.username).collect()
}

/// A person, `ann`, and an agent of hers, `bot`.
pub(crate) async fn pair(app: &TestApp) -> [Member; 2] {
    let [ann, bot] = [app.person("ann", PASSWORD).await, app.agent("bot").await];
    own(&ann, &bot).await;
    [ann, bot]
}

/// The newest entries of a security log, oldest first.
async fn log(member: &Member, most: usize) -> Vec<SecurityEntry> {
    let mut entries = all_items(member.client.security().log()).await;
    entries.truncate(most);
    entries.reverse();
    entries
}

/// Who an agent's profile names as its owner, to anybody.
async fn shown_owner(app: &TestApp, agent: &str) -> Option<Owner> {
    app.anonymous.users().get(agent).await.unwrap().user.owner
}

on_both_engines! {
    async fn a_person_claims_an_agent_by_its_link_once(app: TestApp) {
        let [ann, eve] = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let bot = app.agent("bot").await;
        let made = bot.client.agents().create_claim_link().await.unwrap();
        let root = app.server.app().public_url.clone();
        assert!(made.url.expose().starts_with(&format!("{root}/claim/")));
        assert_eq!(made.expires_at, app.server.clock().now().plus(std::time::Duration::from_hours(24)));
        let agent = ann.client.agents().claim(made.url.clone()).await.unwrap().agent;
        assert_eq!((agent.username.as_str(), agent.visible, agent.paused), ("bot", false, false));
        assert_eq!(agent.caps, None);
        for person in [&ann, &eve] {
            let again = person.client.agents().claim(made.url.clone()).await;
            assert_eq!(code::<ClaimAgent>(again), Code::NotFound);
        }
        assert_eq!(ann.client.agents().owned().await.unwrap().agents, [agent]);
        assert!(owned(&eve).await.is_empty());
        let more = bot.client.agents().create_claim_link().await;
        assert_eq!(code::<CreateClaimLink>(more), Code::WrongState);
    }

    async fn a_link_is_claimed_by_its_token_too_until_it_expires_or_is_replaced(app: TestApp) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        let (first, second) = (link(&bot).await, link(&bot).await);
        let claim = |link: ClaimLink| ann.client.agents().claim(link);
        assert_eq!(code::<ClaimAgent>(claim(first).await), Code::NotFound);
        app.advance(24 * 3_600);
        assert_eq!(code::<ClaimAgent>(claim(second).await), Code::NotFound);
        assert_eq!(app.count(sql!("select count(*) from claim")).await, 1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from claim")).await, 0);
        let third = link(&bot).await;
        let token = third.expose().rsplit('/').next().unwrap();
        app.advance(24 * 3_600 - 1);
        claim(token.into()).await.unwrap();
    }

    async fn of_two_who_claim_at_once_one_wins(app: TestApp, "database.connections" = "4") {
        let mut people = Vec::new();
        for name in ["ann", "ben", "eve", "joe"] {
            people.push(app.person(name, PASSWORD).await);
        }
        let bot = app.agent("bot").await;
        let link = link(&bot).await;
        let claims = people.iter().map(|one| one.client.agents().claim(link.clone()).into_future());
        let claims = join_all(claims).await;
        assert_eq!(claims.iter().filter(|claim| claim.is_ok()).count(), 1);
        for lost in claims.into_iter().filter(Result::is_err) {
            assert_eq!(code::<ClaimAgent>(lost), Code::NotFound);
        }
    }

    async fn a_person_owns_twenty_agents_at_most_even_by_claims_at_once(
        app: TestApp, "database.connections" = "4", "limits.budgets" = "false"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let mut links = Vec::new();
        for number in 0..OWNED_MAX + 3 {
            links.push(link(&app.agent(&format!("bot{number}")).await).await);
        }
        let spare = links.split_off(OWNED_MAX + 2).remove(0);
        for link in links.drain(..OWNED_MAX - 2) {
            ann.client.agents().claim(link).await.unwrap();
        }
        let claims = links.into_iter().map(|link| ann.client.agents().claim(link).into_future());
        let claims = join_all(claims).await;
        assert_eq!(claims.iter().filter(|claim| claim.is_ok()).count(), 2);
        assert_eq!(owned(&ann).await.len(), OWNED_MAX);
        let more = ann.client.agents().claim(spare.clone()).await;
        assert_eq!(code::<ClaimAgent>(more), Code::LimitReached);
        ann.client.agents().release("bot0").await.unwrap();
        ann.client.agents().claim(spare).await.expect("a refused claim leaves the link as it was");
    }

    async fn agents_own_nothing_and_people_are_not_claimed(app: TestApp) {
        let [ann, bot] = [app.person("ann", PASSWORD).await, app.agent("bot").await];
        let other = app.agent("other").await;
        let made = ann.client.agents().create_claim_link().await;
        assert_eq!(code::<CreateClaimLink>(made), Code::NotAnAgent);
        for agent in [&bot, &other] {
            let claimed = agent.client.agents().claim(link(&bot).await).await;
            assert_eq!(code::<ClaimAgent>(claimed), Code::NotAPerson);
        }
        assert_eq!(code::<ListOwnedAgents>(bot.client.agents().owned().await), Code::NotAPerson);
        let caps = bot.client.agents().set_owned_caps().per_day(1).await;
        assert_eq!(code::<SetOwnedCaps>(caps), Code::NotAPerson);
        let unknown = ann.client.agents().claim("no such token").await;
        assert_eq!(code::<ClaimAgent>(unknown), Code::NotFound);
    }

    async fn only_the_owner_acts_on_an_agent(app: TestApp) {
        let [_, bot] = pair(&app).await;
        let eve = app.person("eve", PASSWORD).await;
        let free = app.agent("free").await;
        for (caller, name, expected) in [
            (&eve, "bot", Code::Forbidden),
            (&eve, "free", Code::Forbidden),
            (&eve, "ann", Code::Forbidden),
            (&eve, "nobody", Code::NotFound),
            (&free, "bot", Code::Forbidden),
            (&free, "free", Code::Forbidden),
        ] {
            let agents = caller.client.agents();
            assert_eq!(code::<RotateAgentKey>(agents.rotate_key(name).await), expected);
            assert_eq!(code::<SignOutAgent>(agents.sign_out(name).await), expected);
            assert_eq!(code::<PauseAgent>(agents.pause(name).await), expected);
            assert_eq!(code::<ResumeAgent>(agents.resume(name).await), expected);
            assert_eq!(code::<SetAgentCaps>(agents.set_caps(name).per_day(1).await), expected);
            assert_eq!(code::<SetAgentOwner>(agents.set_owner(name, true).await), expected);
            assert_eq!(code::<ReleaseAgent>(agents.release(name).await), expected);
        }
        // Whatever the agent itself may not do.
        let pause = bot.client.agents().pause("bot").await;
        assert_eq!(code::<PauseAgent>(pause), Code::Forbidden);
        let caps = bot.client.agents().set_caps("bot").await;
        assert_eq!(code::<SetAgentCaps>(caps), Code::Forbidden);
    }

    async fn a_suspended_agent_is_unknown_to_others_and_managed_by_its_owner(app: TestApp) {
        let [ann, _bot] = pair(&app).await;
        let eve = app.person("eve", PASSWORD).await;
        app.suspend("bot").await;
        assert_eq!(code::<PauseAgent>(eve.client.agents().pause("bot").await), Code::NotFound);
        assert_eq!(code::<ReleaseAgent>(eve.client.agents().release("bot").await), Code::NotFound);
        let free = app.agent("free").await;
        let unused = link(&free).await;
        app.suspend("free").await;
        let claim = async |link: ClaimLink| eve.client.agents().claim(link).await;
        assert_eq!(code::<ClaimAgent>(claim(unused.clone()).await), Code::NotFound, "nor is its link known");
        app.unsuspend("free").await;
        claim(unused).await.unwrap();
        assert!(ann.client.agents().pause("BOT").await.unwrap().agent.paused);
        ann.client.agents().release("bot").await.unwrap();
    }

    async fn rotating_ends_every_key_and_identity_token_of_the_agent(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let door = app.developer("Door").await;
        let named = bot.client.keys().create("named", [Scope::Read]).await.unwrap().api_key;
        // A key that may do less would get one that may do everything.
        let keeper = ann.client.keys().create("keeper", [Scope::Account]).await.unwrap().api_key;
        let keeper = app.client(keeper);
        keeper.auth().step_up().password(PASSWORD).await.unwrap();
        let refused = keeper.agents().rotate_key("bot").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::InsufficientScope));
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        let new = ann.client.agents().rotate_key("bot").await.unwrap();
        for old in [bot.key.clone(), named] {
            assert_eq!(code::<GetMe>(app.client(old).users().me().await), Code::Unauthorized);
        }
        let client = app.client(new.api_key.clone());
        let current = client.keys().current().await.unwrap().key;
        assert_eq!((current.is_default, &current.key_id), (true, &new.key_id));
        assert_eq!(client.keys().list().await.unwrap().keys.len(), 1);
        let verified = app.developer_client(door.key).agents().verify_identity(token).await;
        assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
        assert_eq!(app.anonymous.users().get("bot").await.unwrap().user.id, bot.user.id);
    }

    async fn signing_out_ends_the_sessions_of_the_agent_and_no_key(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let hash = app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let id = bot.user.id.clone();
        let sql = sql!("update account set password_hash = $1 where id = $2");
        app.execute(move |ctx| ctx.tx.execute(sql, values![hash, id])).await;
        let browser = app.browser(&app.sign_in("bot", PASSWORD).await);
        browser.auth().session().await.unwrap();
        ann.client.agents().sign_out("bot").await.unwrap();
        assert!(browser.auth().session().await.is_err());
        bot.client.users().me().await.unwrap();
        ann.client.auth().session().await.unwrap();
    }

    async fn an_owner_is_shown_while_it_wants_and_may_be_seen(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let door = app.developer("Door").await;
        let door = app.developer_client(door.key);
        let verified = async || {
            let token = bot.client.agents().create_identity_token().await.unwrap().token;
            door.agents().verify_identity(token).await.unwrap().agent.owner
        };
        assert_eq!((shown_owner(&app, "bot").await, verified().await), (None, None));
        let own = async || bot.client.users().me().await.unwrap().user.owner.map(|owner| owner.username);
        assert_eq!(own().await.as_deref(), Some("ann"), "the agent knows its owner");
        let agent = ann.client.agents().set_owner("bot", true).await.unwrap().agent;
        assert!(agent.visible);
        let id = ann.user.id.clone();
        let sql = sql!("update account set google_verified = true where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        let shown = shown_owner(&app, "bot").await.unwrap();
        assert_eq!((&*shown.username, &*shown.display_name), ("ann", &*ann.user.display_name));
        assert_eq!((shown.x_verified, shown.google_verified), (false, true));
        assert_eq!(verified().await, Some(shown.clone()));
        let listed = app.anonymous.users().list().usernames(["bot".to_owned()]).await;
        assert_eq!(listed.unwrap().users[0].owner, Some(shown.clone()), "lists show it too");
        app.limit(&ann).await;
        assert_eq!(shown_owner(&app, "bot").await, Some(shown.clone()), "its profile is visible too");
        app.suspend("ann").await;
        assert_eq!((shown_owner(&app, "bot").await, verified().await), (None, None));
        assert_eq!(own().await.as_deref(), Some("ann"));
        app.unsuspend("ann").await;
        ann.client.agents().set_owner("bot", false).await.unwrap();
        assert_eq!((shown_owner(&app, "bot").await, verified().await), (None, None));
    }

    async fn an_ownership_is_ended_by_either_and_begins_again_by_a_link(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        ann.client.agents().set_owner("bot", true).await.unwrap();
        ann.client.agents().set_caps("bot").per_order(1).await.unwrap();
        ann.client.agents().pause("bot").await.unwrap();
        ann.client.agents().release("bot").await.unwrap();
        assert!(owned(&ann).await.is_empty());
        assert_eq!(shown_owner(&app, "bot").await, None);
        bot.post("free again").await;
        assert_eq!(code::<PauseAgent>(ann.client.agents().pause("bot").await), Code::Forbidden);
        let again = own(&ann, &bot).await;
        assert_eq!((again.visible, again.paused, again.caps), (false, false, None));
        bot.client.agents().release("bot").await.unwrap();
        advance_past_wait(&app).await;
        assert!(owned(&ann).await.is_empty());
        assert_eq!(code::<ReleaseAgent>(bot.client.agents().release("bot").await), Code::Forbidden);
    }

    async fn the_deletion_of_an_owner_frees_its_agents(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let second = app.agent("second").await;
        own(&ann, &second).await;
        ann.client.agents().pause("bot").await.unwrap();
        ann.client.agents().set_caps("second").per_day(1).await.unwrap();
        ann.client.agents().set_owned_caps().per_day(1).await.unwrap();
        ann.client.users().delete_me("ann").await.unwrap();
        bot.post("free").await;
        assert_eq!(bot.client.users().me().await.unwrap().user.owner, None);
        assert_eq!(app.count(sql!("select count(*) from spend_cap")).await, 0);
        for agent in [&bot, &second] {
            let entry = log(agent, 1).await.remove(0);
            assert_eq!((entry.action, entry.actor.as_deref()), (SecurityAction::AgentReleased, Some("ann")));
        }
        link(&bot).await;
        ann.client.auth().restore().await.unwrap();
        assert!(owned(&ann).await.is_empty(), "a restored account has to claim them again");
        // What she did stays in the logs of her agents, and where she was does not.
        ann.client.users().delete_me("ann").await.unwrap();
        app.server.admin(Command::Erase { username: "ann".to_owned() }).await;
        app.server.erase().await;
        let entries = all_items(bot.client.security().log()).await;
        let by_ann = entries.iter().filter(|entry| entry.actor.as_deref() == Some("ann"));
        let networks: Vec<_> = by_ann.map(|entry| entry.network.as_deref()).collect();
        assert!(networks.len() > 1 && networks.iter().all(Option::is_none), "{networks:?}");
    }

    async fn the_deletion_of_an_agent_ends_its_ownership_and_its_link(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let free = app.agent("free").await;
        let unused = link(&free).await;
        for agent in [&bot, &free] {
            agent.client.users().delete_me(&*agent.user.username).await.unwrap();
        }
        advance_past_wait(&app).await;
        assert!(owned(&ann).await.is_empty());
        assert_eq!(code::<PauseAgent>(ann.client.agents().pause("bot").await), Code::NotFound);
        assert_eq!(code::<ClaimAgent>(ann.client.agents().claim(unused).await), Code::NotFound);
        let entry = log(&ann, 1).await.remove(0);
        assert_eq!(entry.action, SecurityAction::AgentReleased);
        assert_eq!((entry.agent.as_deref(), entry.actor.as_deref()), (Some("bot"), Some("bot")));
    }

    async fn both_security_logs_say_what_an_owner_did(app: TestApp) {
        use SecurityAction::{
            AgentClaimed, AgentPaused, AgentReleased, AgentResumed, CapsChanged, ChangePending, ClaimLinkCreated,
            KeysRotated, OwnerHidden, OwnerShown,
        };
        let [ann, bot] = pair(&app).await;
        let agents = ann.client.agents();
        // Calls that change nothing leave no entry.
        for _ in 0..2 {
            agents.set_owner("bot", true).await.unwrap();
        }
        agents.set_owner("bot", false).await.unwrap();
        agents.set_caps("bot").per_day(9).await.unwrap();
        agents.pause("bot").await.unwrap();
        agents.pause("bot").await.unwrap();
        agents.resume("bot").await.unwrap();
        agents.sign_out("bot").await.unwrap();
        let key = agents.rotate_key("bot").await.unwrap();
        let bot = Member { client: app.client(key.api_key), ..bot };
        bot.client.agents().release("bot").await.unwrap();
        advance_past_wait(&app).await;
        let did = [AgentClaimed, OwnerShown, OwnerHidden, CapsChanged, AgentPaused, AgentResumed, KeysRotated];
        let of_bot = log(&bot, did.len() + 3).await;
        assert_eq!((&of_bot[0].action, of_bot[0].actor.as_deref()), (&ClaimLinkCreated, None));
        for (entry, action) in of_bot[1..].iter().zip(&did) {
            assert_eq!((&entry.action, entry.actor.as_deref()), (action, Some("ann")));
            assert_eq!((&entry.agent, &entry.network), (&None, &None), "where she was is not its business");
        }
        assert_eq!((&of_bot[8].action, of_bot[8].actor.as_deref()), (&ChangePending, None));
        assert_eq!((&of_bot[9].action, of_bot[9].actor.as_deref()), (&AgentReleased, None));
        assert_eq!(of_bot[7].key_id, Some(key.key_id));
        let of_ann = log(&ann, did.len() + 2).await;
        for (entry, action) in of_ann.iter().zip(&did) {
            assert_eq!((&entry.action, entry.agent.as_deref()), (action, Some("bot")));
            assert!(entry.actor.is_none() && entry.network.is_some());
        }
        assert_eq!((&of_ann[7].action, of_ann[7].agent.as_deref()), (&ChangePending, Some("bot")));
        assert_eq!((&of_ann[8].action, of_ann[8].actor.as_deref()), (&AgentReleased, Some("bot")));
    }

    async fn a_link_is_stored_hashed_and_malformed_requests_change_nothing(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let free = app.agent("free").await;
        let link = link(&free).await;
        let token = link.expose().rsplit('/').next().unwrap().to_owned();
        assert_eq!(token.len(), 43, "256 bits of base64url");
        let hash = svc_core::keys::hash(&token);
        let sql = sql!("select count(*) from claim where token_hash = $1");
        let stored: i64 = app.server.app().read(move |ctx| ctx.tx.one(sql, values![hash])).await.unwrap();
        assert_eq!(stored, 1);
        let wrong: [(&str, Method, Value, Code); 6] = [
            ("/v1/agents/claim", Method::POST, json!({}), Code::ValidationFailed),
            ("/v1/agents/claim", Method::POST, json!({ "token": token, "as": "bot" }), Code::UnknownMember),
            ("/v1/agents/bot/caps", Method::PUT, json!({ "perday": 5 }), Code::UnknownMember),
            ("/v1/agents/bot/caps", Method::PUT, json!({ "perDay": 0 }), Code::ValidationFailed),
            ("/v1/agents/owned/caps", Method::PUT, json!({ "perOrder": -1 }), Code::ValidationFailed),
            ("/v1/agents/bot/owner", Method::PUT, json!({}), Code::ValidationFailed),
        ];
        for (path, method, body, expected) in wrong {
            let refusal = answer(ann.raw(&app, method, path).json(&body)).await.refusal();
            assert_eq!(refusal.code, expected, "{path} {body}");
        }
        let agent = ann.client.agents().owned().await.unwrap().agents.remove(0);
        assert_eq!((agent.id, agent.caps), (bot.user.id, None));
    }
}
