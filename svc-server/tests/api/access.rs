//! Who may call what: the access matrix, checked for every endpoint.

mod matrix;

use std::collections::BTreeSet;

use http::Method;
use svc_client::types::{Code, Who};
use svc_store::{sql, values};

use self::matrix::{
    Anon, Caller, Cell, Dev, FINISHES, Fine, Is, KEYS_ONLY, MATRIX, Mod, OF_DELETED, Other, Own,
    Party, SECURES, row,
};
use crate::app::Names;
use crate::on_both_engines;
use crate::raw::{Raw, answer, code_of};
use crate::world::{Ask, Credential, Scene, Side, World, asks};

#[test]
fn every_endpoint_has_one_row_and_every_row_an_endpoint() {
    let mut declared = Names(Vec::new());
    svc_client::types::api::visit(&mut declared);
    let sampled: Vec<_> = asks().iter().map(|ask| ask.name).collect();
    assert_eq!(sampled, declared.0, "each endpoint needs a sample");
    let in_rows: Vec<_> = MATRIX.iter().flat_map(|(names, _)| *names).copied().collect();
    let unique: BTreeSet<_> = in_rows.iter().copied().collect();
    assert_eq!(unique.len(), in_rows.len(), "an endpoint has two rows");
    assert_eq!(unique, declared.0.into_iter().collect(), "rows and endpoints differ");
}

/// One request: who calls, and whose private things may not be in the answer.
struct Call {
    ask: Ask,
    credential: Credential,
    strangers: Vec<String>,
}

fn marks(sides: &[&Side]) -> Vec<String> {
    let marks = sides.iter().flat_map(|side| side.marks());
    marks.map(str::to_owned).collect()
}

/// Subjects and callers of an endpoint, reused until a call may have changed them.
#[derive(Default)]
struct Stage {
    scene: Option<Scene>,
    other: Option<Side>,
    moderator: Option<Side>,
}

impl Stage {
    async fn scene(&mut self, world: &World, ask: &Ask) -> &Scene {
        if self.scene.is_none() {
            self.scene = Some(world.scene_of(ask).await);
        }
        self.scene.as_ref().unwrap()
    }

    async fn other(&mut self, world: &World) -> Side {
        if self.other.is_none() {
            self.other = Some(world.side("other").await);
        }
        self.other.clone().unwrap()
    }

    async fn moderator(&mut self, world: &World) -> Side {
        if self.moderator.is_none() {
            let side = world.side("moderator").await;
            world.app.grant_role(side.name(), "moderator").await;
            self.moderator = Some(side);
        }
        self.moderator.clone().unwrap()
    }

    /// A call by an account, by key or by cookie.
    async fn by_account(
        &mut self,
        world: &World,
        ask: &Ask,
        caller: Caller,
        by_cookie: bool,
    ) -> Call {
        let party = self.scene(world, ask).await.party.clone();
        let side = match caller {
            Party => party.clone(),
            Mod => self.moderator(world).await,
            _ => self.other(world).await,
        };
        let credential = if by_cookie {
            Credential::Cookie(world.cookie(&side.member.user.id).await)
        } else {
            Credential::Key(side.member.key.clone())
        };
        let strangers = match caller {
            Party => marks(&[&world.bystander]),
            _ => marks(&[&world.bystander, &party]),
        };
        let ask = world.fit(ask, self.scene(world, ask).await, side.name());
        Call { ask, credential, strangers }
    }

    /// A call without an account, or by an app.
    async fn by_no_account(&mut self, world: &World, ask: &Ask, caller: Caller) -> Call {
        let credential = match caller {
            Dev => Credential::DeveloperKey(world.app.developer("Door").await.key),
            _ => Credential::None,
        };
        let scene = self.scene(world, ask).await;
        let mut strangers = marks(&[&world.bystander]);
        strangers.push(world.gate.app.id.to_string());
        Call { ask: world.fit(ask, scene, scene.party.name()), credential, strangers }
    }

    /// Calls an endpoint and checks that the answer is what the cell says.
    async fn check_cell(&mut self, world: &World, ask: &Ask, caller: Caller, expected: Cell) {
        let credentials: &[bool] = match caller {
            Anon | Dev => &[false],
            Other | Party | Mod => &[false, true],
        };
        for by_cookie in credentials {
            if *by_cookie && KEYS_ONLY.contains(&ask.name) {
                continue;
            }
            let call = match caller {
                Anon | Dev => self.by_no_account(world, ask, caller).await,
                _ => self.by_account(world, ask, caller, *by_cookie).await,
            };
            let request = call.credential.sign(call.ask.request(&world.app));
            check(&call, caller, expected, &answer(request).await);
            if !ask.method.is_safe() && !matches!(expected, Is(_)) {
                *self = Self::default();
            }
        }
    }
}

/// Whether an answer is what the cell says.
fn check(call: &Call, caller: Caller, expected: Cell, received: &Raw) {
    let what = format!("{} by {caller:?} {:?}: {}", call.ask.name, call.credential, received.text);
    match expected {
        Fine => assert_eq!(received.status, call.ask.status, "{what}"),
        Own => {
            assert_eq!(received.status, call.ask.status, "{what}");
            let leaked = call.strangers.iter().find(|mark| received.text.contains(&***mark));
            assert_eq!(leaked, None, "{what}");
        }
        Is(status) => {
            assert_eq!(received.status.as_u16(), status, "{what}");
            let code = received.refusal().code;
            let of_kind = match (caller, call.ask.who) {
                (Dev, who) if who != Who::Anyone => code == Code::DeveloperKeyRefused,
                (Anon, Who::Developer) => code == Code::InvalidDeveloperKey,
                (Anon, _) if status == 401 => code == Code::Unauthorized,
                (_, Who::Developer) => code == Code::DeveloperKeyRequired,
                _ => true,
            };
            assert!(of_kind, "{what}");
        }
    }
}

/// Each endpoint that accounts call by key or cookie, called by a party with the required role.
async fn each_of_accounts(world: &World) -> Vec<(Ask, Scene)> {
    let mut all = Vec::new();
    let with_cookie = |ask: &Ask| ask.is_of_accounts() && !KEYS_ONLY.contains(&ask.name);
    for ask in asks().into_iter().filter(with_cookie) {
        let scene = world.scene_of(&ask).await;
        if matches!(ask.who, Who::Moderator | Who::Admin) {
            world.app.grant_role(scene.party.name(), "admin").await;
        }
        all.push((world.fit(&ask, &scene, scene.party.name()), scene));
    }
    all
}

on_both_engines! {
    async fn every_caller_is_answered_as_in_the_matrix_at_every_endpoint(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "mail.url" = "smtp://127.0.0.1:9",
        "links.x.client_id" = "svc", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01",
        "billing.stripe.api_url" = "http://127.0.0.1:9",
        "public_url" = "http://localhost"
    ) {
        app.server.record_mails();
        let world = World::new(app).await;
        for ask in asks() {
            let mut stage = Stage::default();
            for (caller, expected) in [Anon, Other, Party, Dev, Mod].into_iter().zip(row(ask.name)) {
                stage.check_cell(&world, &ask, caller, expected).await;
            }
        }
    }

    async fn no_cookie_request_from_another_site_changes_anything(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        for (ask, scene) in each_of_accounts(&world).await {
            let cookie = world.cookie(&scene.party.member.user.id).await;
            let request = ask.request(&world.app).header("cookie", cookie);
            let received = answer(request.header("origin", "https://evil.example")).await;
            if ask.method.is_safe() {
                // Scripts of other origins read by key or token only.
                let anonymous = answer(ask.request(&world.app)).await;
                assert_eq!(received.status, anonymous.status, "{}", ask.name);
            } else {
                assert_eq!(received.refusal().code, Code::CrossSiteRequest, "{}", ask.name);
            }
        }
    }

    async fn a_revoked_or_mistyped_key_grants_no_access(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let world = World::new(app).await;
        let key = world.bystander.member.key.expose().to_owned();
        world.bystander.member.client.auth().regenerate_api_key().await.unwrap();
        let developer_key = world.gate.key.expose().to_owned();
        world.gate.client.developers().rotate_key().await.unwrap();
        let mistyped = |key: &str| {
            let (rest, last) = key.split_at(key.len() - 1);
            format!("{rest}{}", if last == "0" { "1" } else { "0" })
        };
        let scene = world.scene().await;
        for ask in asks() {
            let expected = match ask.who {
                Who::Anyone => continue,
                Who::Developer => Code::InvalidDeveloperKey,
                _ => Code::Unauthorized,
            };
            let ask = world.fit(&ask, &scene, scene.party.name());
            for key in [&key, &mistyped(&key), &developer_key, &mistyped(&developer_key)] {
                let request = ask.request(&world.app).bearer_auth(key);
                assert_eq!(code_of(request).await, expected, "{}", ask.name);
            }
        }
    }

    async fn a_suspended_account_may_read_and_finish_open_deals_but_start_none(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "public_url" = "http://localhost"
    ) {
        let world = World::new(app).await;
        for (ask, scene) in each_of_accounts(&world).await {
            if OF_DELETED.contains(&ask.name) {
                continue;
            }
            world.app.suspend(scene.party.name()).await;
            let credentials = [
                Credential::Key(scene.party.member.key.clone()),
                Credential::Cookie(world.cookie(&scene.party.member.user.id).await),
            ];
            for (number, credential) in credentials.iter().enumerate() {
                let received = answer(credential.sign(ask.request(&world.app))).await;
                let finishes = FINISHES.contains(&ask.name);
                let is_work = matches!(ask.who, Who::Moderator | Who::Admin);
                let ended = number > 0
                    && (ask.name.ends_with("Escrow") && ask.name != "DeliverEscrow"
                        || matches!(ask.name, "InputOrder" | "CancelOrder" | "AcceptSplit"));
                if SECURES.contains(&ask.name) {
                    let is_refused = received.text.contains("account_suspended");
                    assert!(!is_refused, "{}: {}", ask.name, received.text);
                } else if number > 0 && ask.name == "ReleaseAgent" {
                    assert_eq!(received.refusal().code, Code::Forbidden, "it is released");
                } else if number > 0 && ask.name == "CreateExport" {
                    assert_eq!(received.refusal().code, Code::LimitReached, "it was asked for");
                } else if number > 0 && ask.name == "AnswerOrder" {
                    assert_eq!(received.refusal().code, Code::RequestClosed, "it is answered");
                } else if finishes && ended {
                    assert_eq!(received.refusal().code, Code::WrongState, "{}", ask.name);
                } else if finishes || ask.method.is_safe() && !is_work {
                    assert_eq!(received.status, ask.status, "{}: {}", ask.name, received.text);
                } else {
                    assert_eq!(received.refusal().code, Code::AccountSuspended, "{}", ask.name);
                }
            }
        }
    }

    async fn a_paused_agent_may_read_and_finish_open_deals_but_start_none(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "public_url" = "http://localhost"
    ) {
        let world = World::new(app).await;
        for (ask, scene) in each_of_accounts(&world).await {
            let id = scene.party.member.user.id.clone();
            let sql = sql!("update account set paused_at = 1 where id = $1");
            world.app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
            let credential = Credential::Key(scene.party.member.key.clone());
            let received = answer(credential.sign(ask.request(&world.app))).await;
            // Leaving its owner would lift the pause.
            let finishes = FINISHES.contains(&ask.name) && ask.name != "ReleaseAgent";
            if finishes || ask.method.is_safe() {
                assert_eq!(received.status, ask.status, "{}: {}", ask.name, received.text);
            } else {
                assert_eq!(received.refusal().code, Code::AccountPaused, "{}", ask.name);
            }
        }
    }

    async fn an_id_of_another_kind_is_not_found(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        for (ask, scene) in each_of_accounts(&world).await {
            // The name of a hashtag is no id: any may be followed. Providers and queues are a few words.
            let is_id = |name: &&str| !["name", "provider", "queue"].contains(name);
            for parameter in ask.parameters().filter(is_id) {
                let own = ask.members[parameter].clone();
                let ids = ["post_", "msg_", "conv_", "app_"].map(|prefix| {
                    format!("{prefix}{}", own.as_str().unwrap().rsplit('_').next().unwrap())
                });
                let odd = ["post_", "usr_", "%20", "-1", "\u{1f980}", "x'or'1'='1"];
                let wrong = ids.iter().map(String::as_str).chain(odd).filter(|id| own != *id);
                for id in wrong {
                    let mut ask = ask.clone();
                    ask.members.insert(parameter.to_owned(), id.into());
                    let request = ask.request(&world.app).bearer_auth(scene.party.member.key.expose());
                    assert_eq!(code_of(request).await, Code::NotFound, "{} {id}", ask.name);
                }
            }
        }
    }

    async fn a_bad_header_is_refused_despite_a_valid_cookie(app: TestApp) {
        let world = World::new(app).await;
        let scene = world.scene().await;
        let cookie = Credential::Cookie(world.cookie(&scene.party.member.user.id).await);
        for ask in asks().iter().filter(|ask| ask.who != Who::Anyone) {
            let ask = world.fit(ask, &scene, scene.party.name());
            let request = cookie.sign(ask.request(&world.app)).bearer_auth("svc_ak_nonsense");
            assert_eq!(answer(request).await.refusal().code.status(), 401, "{}", ask.name);
        }
    }

    async fn documents_and_pictures_are_public(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let picture = format!("/users/{}/avatar", ada.user.id);
        let pages = [
            ("/openapi.json", "application/json"),
            ("/asyncapi.json", "application/json"),
            ("/docs/", "text/html"),
            // These two are outside the API.
            ("/../skill.md", "text/markdown"),
            ("/../llms.txt", "text/plain"),
            (picture.as_str(), "image/svg+xml"),
        ];
        for (path, content_type) in pages {
            for key in ["", "svc_ak_nonsense", ada.key.expose(), gate.key.expose()] {
                let received = answer(app.raw(Method::GET, path).bearer_auth(key)).await;
                assert_eq!(received.status, 200, "{path}");
                assert!(received.header("content-type").unwrap().starts_with(content_type), "{path}");
                assert_eq!(received.header("x-content-type-options"), Some("nosniff"), "{path}");
            }
        }
        let docs = answer(app.raw(Method::GET, "/docs/")).await;
        let policy = docs.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        let moved = answer(app.raw(Method::GET, "/docs")).await;
        assert_eq!((moved.status.as_u16(), moved.header("location")), (308, Some("/api/docs/")));
    }

    async fn the_contact_for_vulnerabilities_is_where_the_operator_says(
        app: TestApp, "security.contact" = "mailto:security@example.org"
    ) {
        let received = answer(app.raw(Method::GET, "/../.well-known/security.txt")).await;
        assert_eq!(received.header("content-type"), Some("text/plain; charset=utf-8"));
        let expires = app.server.clock().now().plus(std::time::Duration::from_hours(180 * 24));
        let lines = [
            "Contact: mailto:security@example.org".to_owned(),
            format!("Expires: {expires}"),
            format!("Canonical: {}/.well-known/security.txt", app.server.url().trim_end_matches("/api")),
        ];
        assert_eq!(received.text.lines().collect::<Vec<_>>(), lines);
    }

    async fn without_a_contact_there_is_no_security_txt(app: TestApp) {
        assert_eq!(answer(app.raw(Method::GET, "/../.well-known/security.txt")).await.status, 404);
    }

    async fn agents_can_read_the_skill_guide(app: TestApp) {
        let read = async |path| app.raw(Method::GET, path).send().await.unwrap().text().await.unwrap();
        let skill = read("/../skill.md").await;
        assert!(skill.starts_with("---\nname: svc\n"), "{skill}");
        let post = "- `POST /posts` Publish a post. Needs an account";
        assert!(skill.contains(post), "{skill}");
        let llms = read("/../llms.txt").await;
        assert!(llms.contains("(/skill.md)") && llms.contains("(/api/openapi.json)"), "{llms}");
    }
}
