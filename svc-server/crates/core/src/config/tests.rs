use super::*;

fn load(overrides: &[(&str, &str)]) -> Result<Config, SetupError> {
    let owned = overrides.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
    Config::load(None, &owned.collect())
}

#[test]
fn the_defaults_are_valid() {
    let config = load(&[]).unwrap();
    assert_eq!(config.limits.posts.free_window, Duration::from_mins(30));
    assert_eq!(config.limits.posts.pro_window, Duration::from_mins(10));
}

#[test]
fn dev_gives_credits_and_lifts_budgets_by_default() {
    let of = |overrides: &[(&str, &str)]| {
        let config = load(overrides).unwrap();
        (config.exchange.signup_grant.to_string(), config.limits.budgets)
    };
    assert_eq!(of(&[]), ("0".to_owned(), true));
    assert_eq!(of(&[("dev", "true")]), ("100".to_owned(), false));
    let strict = [("limits.budgets", "true"), ("exchange.signup_grant", "5"), ("dev", "true")];
    assert_eq!(of(&strict), ("5".to_owned(), true));
}

#[test]
fn a_grant_needs_a_condition_in_writing() {
    let grant = ("exchange.signup_grant", "5");
    let error = load(&[grant]).unwrap_err().to_string();
    assert!(error.contains("exchange.grant_requires"), "{error}");
    for condition in ["linked", "invite", "approval", "nothing"] {
        load(&[grant, ("exchange.grant_requires", condition)]).unwrap();
    }
    let error = load(&[("exchange.grant_requires", "luck")]).unwrap_err().to_string();
    assert!(error.contains("linked, invite, approval or nothing"), "{error}");
}

#[test]
fn a_grant_that_no_account_can_get_is_explained() {
    let unmet = |condition, more: &[(&str, &str)]| {
        let grant = [("exchange.signup_grant", "5"), ("exchange.grant_requires", condition)];
        load(&[&grant[..], more].concat()).unwrap().unmet_grant()
    };
    for mode in ["open", "invite", "closed"] {
        let why = unmet("approval", &[("signup.mode", mode)]).unwrap();
        assert!(why.contains("signup.mode = \"approval\""), "{why}");
    }
    let why = unmet("linked", &[]).unwrap();
    assert!(why.contains("links.google.client_id or links.x.client_id"), "{why}");
    assert_eq!(unmet("linked", &[("exchange.signup_grant", "0")]), None);
    assert_eq!(unmet("approval", &[("signup.mode", "approval")]), None);
    for provider in ["links.google.client_id", "links.x.client_id"] {
        assert_eq!(unmet("linked", &[(provider, "svc")]), None);
    }
    assert_eq!([unmet("invite", &[]), unmet("nothing", &[])], [None, None]);
}

#[test]
fn the_mode_of_sign_up_and_the_cost_of_a_proof_are_checked() {
    for mode in ["open", "invite", "approval", "closed"] {
        load(&[("signup.mode", mode)]).unwrap();
    }
    let error = load(&[("signup.mode", "ajar")]).unwrap_err().to_string();
    assert!(error.contains("ajar") && error.contains("approval"), "{error}");
    let error = load(&[("signup.proof_cost", "0")]).unwrap_err().to_string();
    assert_eq!(error, "signup.proof_cost must be from 1 to 200000");
}

#[test]
fn strictness_is_one_of_two_words() {
    assert_eq!(load(&[]).unwrap().api.strict, Strictness::Declared);
    assert_eq!(load(&[("api.strict", "all")]).unwrap().api.strict, Strictness::All);
    let error = load(&[("api.strict", "most")]).unwrap_err().to_string();
    assert!(error.contains("most") && error.contains("`declared` or `all`"), "{error}");
}

#[test]
fn an_origin_is_written_as_browsers_send_it() {
    for origins in ["", "*", "https://app.example.org,http://localhost:5173"] {
        load(&[("cors.origins", origins)]).unwrap();
    }
    for (wrong, right) in [
        ("https://app.example.org/", "such as https://app.example.org"),
        ("https://App.example.org", "such as https://app.example.org"),
        ("https://app.example.org:443", "such as https://app.example.org"),
        ("https://app.example.org/login?next=1", "such as https://app.example.org"),
        ("app.example.org", "such as https://"),
        ("ftp://app.example.org", "such as https://"),
        ("null", "such as https://"),
        ("https://user@app.example.org", "such as https://"),
        ("*,https://app.example.org", "\"*\" stands alone"),
    ] {
        let error = load(&[("cors.origins", wrong)]).unwrap_err().to_string();
        assert!(error.starts_with("cors.origins") && error.contains(right), "{error}");
    }
}

#[test]
fn a_fraction_is_set_from_text_with_or_without_a_point() {
    for (text, expected) in [("0.15", 0.15), ("1", 1.0)] {
        let config = load(&[("search.similarity", text)]).unwrap();
        assert!((config.search.similarity - expected).abs() < f64::EPSILON, "{text}");
    }
    for (text, wrong) in [
        ("much", "search.similarity must be a number, not much"),
        ("3", "search.similarity must be between 0 and 1"),
        ("nan", "search.similarity must be between 0 and 1"),
    ] {
        let error = load(&[("search.similarity", text)]).unwrap_err();
        assert_eq!(error.to_string(), wrong);
    }
}

#[test]
fn a_call_of_the_embedder_takes_a_minute_at_most() {
    load(&[("search.embedder_timeout", "60s")]).unwrap();
    let error = load(&[("search.embedder_timeout", "61s")]).unwrap_err().to_string();
    assert_eq!(error, "search.embedder_timeout must be from 1s to 60s");
}

#[test]
fn a_duration_of_nothing_is_refused_with_the_least_one() {
    for key in ["payouts.hold", "exchange.dispute_timeout", "webhooks.retries"] {
        load(&[(key, "1s")]).unwrap();
        let error = load(&[(key, "0s")]).unwrap_err().to_string();
        assert!(error.starts_with("must be a duration of at least 1s in one unit"), "{error}");
        assert!(error.contains(key), "{error}");
    }
}

#[test]
fn any_key_can_be_set_from_text() {
    let config = load(&[("limits.posts.free_window", "1s"), ("database.readers", "3")]).unwrap();
    assert_eq!(config.limits.posts.free_window, Duration::from_secs(1));
    assert_eq!(config.database().unwrap().readers, 3);
}

#[test]
fn a_password_in_the_query_of_a_url_is_not_shown() {
    let url = "postgres:///svc?host=db&user=svc&password=hidden";
    let owned = vec![("database_url".to_owned(), url.to_owned())];
    assert!(!show(None, &owned).unwrap().contains("hidden"));
}

#[test]
fn webhooks_are_called_at_least_one_at_a_time() {
    for key in ["sends", "sends_per_account", "sends_per_webhook"] {
        let error = load(&[(&format!("webhooks.{key}"), "0")]).unwrap_err().to_string();
        assert!(error.starts_with("webhooks.sends") && error.ends_with("at least 1"), "{error}");
    }
}

#[test]
fn contradictory_and_malformed_settings_are_named() {
    let tls = "mqtt_tls_cert and mqtt_tls_key belong together";
    for (key, text, right) in [
        ("mqtt_tls_cert", "cert.pem", tls),
        ("mqtt_tls_key", "key.pem", tls),
        ("data_dir", "", "data_dir must name a folder"),
        ("bus.credentials_file", "key", "bus.credentials_file needs NATS in bus.url"),
        ("bus.tls_ca", "ca.pem", "bus.tls_ca needs NATS in bus.url"),
        ("webhooks.proxy", "nonsense", "webhooks.proxy must be http://host:port"),
        ("webhooks.proxy", "egress:3128", "webhooks.proxy must be http://host:port"),
        ("webhooks.proxy", "socks5://egress:1080", "webhooks.proxy must be http://host:port"),
        ("search.synonyms", "nonsense", "search.synonyms must be a list of \"word = word, word\""),
        ("webhooks.timeout", "4s", "webhooks.timeout must not be less than"),
        ("webhooks.connect_timeout", "16s", "webhooks.timeout must not be less than"),
        ("public_url", "svc.example.org", "public_url must begin with http:// or https://"),
        ("public_url", "httpsvc.example.org", "public_url must begin with http:// or https://"),
        ("public_url", "https://example.org/svc", "public_url must end with a host or its port"),
        ("public_url", "https://example.org?svc", "public_url must end with a host or its port"),
        ("public_url", "https://", "public_url must end with a host or its port"),
        ("public_url", "https://svc:hidden@example.org", "public_url must be a URL of a host and"),
        ("public_url", "https://example.org:99999", "public_url must be a URL of a host and"),
        ("public_url", "https://svc example.org", "public_url must be a URL of a host and"),
        ("public_url", "https://example.org ", "public_url must be a URL of a host and"),
        ("security.contact", "security@example.org", "security.contact must begin with mailto:"),
        ("security.contact", "mailto:security @example.org", "security.contact must begin with"),
        (
            "legal.imprint",
            "example.org/imprint",
            "legal.imprint must be the URL of a page, such as",
        ),
        ("legal.privacy", "javascript:alert(1)", "legal.privacy must be the URL of a page"),
        ("legal.terms", "https://svc:hidden@example.org", "legal.terms must be the URL of a page"),
        ("broker.url", "http://broker", "broker.url must be embedded or mqtt://"),
        ("broker.url", "mqtt://svc@broker", "broker.url must be embedded or mqtt://"),
        ("exchange.dispute_timeout_outcome", "split", "exchange.dispute_timeout_outcome must be"),
        ("billing.currency", "USD", "billing.currency must be a code of three lower-case"),
        ("billing.currency", "kwd", "billing.currency must be a code of three lower-case"),
        ("billing.stripe.key_file", "key", "billing.stripe.key_file needs"),
        ("billing.stripe.webhook_secret_files", "key", "billing.stripe.webhook_secret_files needs"),
        ("billing.stripe.api_url", "https://api.example.org", "billing.stripe.api_url must be"),
        ("credits.price", "0", "credits.price must be a number above 0"),
        ("credits.min", "0", "credits.min must be above 0 and at most credits.max"),
        ("credits.max", "499", "credits.min must be above 0 and at most credits.max"),
        ("credits.buy_per_day", "50,500", "credits.buy_per_day must be three whole amounts"),
        ("passes.boost", "0", "passes.boost must be a number of credits above 0"),
        ("database.group_max", "0", "database.group_max must be at least 1"),
        ("database.read_time_ms", "0", "database.read_time_ms must be at least 1"),
        ("database.queue_max", "9223372036854775807", "database.queue_max must be at most"),
        ("database.connections", "1000000", "database.connections must be at most"),
        ("database.readers", "1000000", "database.readers must be at most"),
        ("database.read_time_ms", "9223372036854775807", "database.read_time_ms must be at most"),
        ("mail.from", "svc", "mail.from must be an e-mail address"),
        ("limits.body_bytes", "0", "limits.body_bytes must be at least 1"),
        (
            "limits.connections_per_address",
            "0",
            "limits.connections_per_address must be at least 1",
        ),
        ("limits.mqtt.connections", "0", "limits.mqtt.connections must be at least 1"),
        ("limits.export_bytes", "0", "limits.export_bytes must be at least 1"),
        ("limits.sign_in.everywhere_failures", "0", "limits.sign_in.everywhere_failures must be"),
        ("retention.deliveries", "2592000s", "must be a duration of at least 1s in one unit"),
        (
            "limits.mqtt.refused_per_address",
            "0",
            "limits.mqtt.refused_per_address must be at least 1",
        ),
        (
            "limits.mqtt.waiting_per_address",
            "0",
            "limits.mqtt.waiting_per_address must be at least 1",
        ),
        (
            "limits.mqtt.connections_per_account",
            "0",
            "limits.mqtt.connections_per_account must be at least 1",
        ),
    ] {
        let error = load(&[(key, text)]).unwrap_err().to_string();
        assert!(error.starts_with(right), "{key} = {text}: {error}");
    }
}

#[test]
fn a_server_at_every_address_needs_a_public_url() {
    let everywhere = ("listen", "0.0.0.0:8787");
    let links = |set: &[(&str, &str)]| load(set).unwrap().useless_links();
    assert!(links(&[everywhere]).unwrap().starts_with("public_url is not set"));
    assert_eq!(links(&[everywhere, ("public_url", "https://svc.example.org")]), None);
    assert_eq!(links(&[("listen", "127.0.0.1:8787")]), None);
}

#[test]
fn a_proxy_may_be_named_as_a_listener_for_ipv6_sees_it() {
    let config = load(&[("trusted_proxies", "::ffff:10.0.0.2")]).unwrap();
    assert_eq!(config.trusted_proxies, ["10.0.0.2".parse::<IpAddr>().unwrap()]);
}

#[test]
fn an_unknown_key_names_the_nearest_known_one() {
    let error = load(&[("limits.posts.free_windw", "1s")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown setting limits.posts.free_windw, did you mean limits.posts.free_window?"
    );
    let error = load(&[("limits.post.free_window", "1s")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown setting limits.post.free_window, did you mean limits.posts?"
    );
}

#[test]
fn secrets_of_providers_are_neither_shown_nor_logged() {
    let set = [
        ("links.google.client_id", "svc"),
        ("links.google.client_secret", "hidden-one"),
        ("links.x.client_id", "svc"),
        ("links.x.client_secret", "hidden-two"),
    ];
    let owned = set.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
    let shown = show(None, &owned).unwrap();
    assert!(!shown.contains("hidden") && shown.contains("client_id = \"svc\""), "{shown}");
    assert!(!format!("{:?}", load(&set).unwrap()).contains("hidden"));
    let error = load(&[("links.x.client_secret", "x")]).unwrap_err();
    assert_eq!(error.to_string(), "links.x.client_secret needs links.x.client_id");
    let error = load(&[("links.google.issuer", "http://accounts.google.com")]).unwrap_err();
    assert!(error.to_string().starts_with("links.google.issuer must be"), "{error}");
}

#[test]
fn the_password_of_the_bus_is_neither_shown_nor_logged() {
    let set = [
        ("database_url", "postgres://svc@db/svc"),
        ("bus.url", "nats://svc:hidden@nats1,nats://nats2"),
    ];
    let owned = set.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
    assert!(!show(None, &owned).unwrap().contains("hidden"));
    let config = load(&set).unwrap();
    assert!(!format!("{config:?} {:?}", config.bus.nats()).contains("hidden"));
}

#[test]
fn a_bus_needs_a_database_that_nodes_share() {
    let postgres = ("database_url", "postgres://svc@db/svc");
    assert_eq!(load(&[]).unwrap().bus(), Ok(BusKind::None));
    assert_eq!(load(&[postgres]).unwrap().bus(), Ok(BusKind::Postgres));
    assert_eq!(load(&[postgres, ("bus.url", "none")]).unwrap().bus(), Ok(BusKind::None));
    assert_eq!(load(&[postgres, ("bus.url", "tls://nats")]).unwrap().bus(), Ok(BusKind::Nats));
    for (url, why) in [("postgres", "database_url"), ("nats://db", "database_url"), ("x", "none")] {
        let error = load(&[("bus.url", url)]).unwrap_err().to_string();
        assert!(error.starts_with("bus.url") && error.contains(why), "{error}");
    }
}

#[test]
fn unnamed_statements_need_a_way_past_the_pooler() {
    let pooled = ("database_url", "postgres://svc:one@pool/svc");
    let direct = ("database.direct_url", "postgres://svc:two@db/svc");
    let unnamed = ("database.statements", "unnamed");
    load(&[pooled, unnamed, ("bus.url", "nats://nats")]).unwrap().database().unwrap();
    let postgres_bus = ("bus.url", "postgres");
    let config = load(&[pooled, direct, unnamed]).unwrap();
    assert!(config.database().unwrap().direct_url.is_some());
    let shown = format!("{config:?} {:?}", config.database().unwrap());
    assert!(!shown.contains("svc:two"), "{shown}");
    for (wrong, named) in [
        (&[pooled, unnamed][..], "database.direct_url"),
        (&[direct], "database.direct_url and database_url"),
        (&[pooled, ("database.direct_url", "db")], "database.direct_url and database_url"),
        (&[("database.statements", "some")], "named or unnamed"),
        (&[postgres_bus, pooled, unnamed], "database.direct_url"),
    ] {
        let error = load(wrong).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn replicas_are_some_servers_of_postgres_that_may_lag_a_little() {
    let primary = ("database_url", "postgres://svc@db/svc");
    let two = ("database.replicas", "postgres://svc:hidden@db2/svc,postgres://svc@db3/svc");
    assert_eq!(load(&[primary]).unwrap().replicas().unwrap().urls, []);
    let config = load(&[primary, two]).unwrap();
    let replicas = config.replicas().unwrap();
    assert_eq!((replicas.urls.len(), replicas.lag_max), (2, Duration::from_secs(2)));
    assert_eq!(config.database().unwrap().replicas.urls, [], "commands read the primary");
    assert!(!format!("{config:?} {replicas:?}").contains("hidden"));
    let owned = [primary, two].map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
    assert!(!show(None, &owned).unwrap().contains("hidden"));
    let nine = ["postgres://svc@db2/svc"; 9].join(",");
    for (wrong, named) in [
        (&[two][..], "database.replicas needs a PostgreSQL database in database_url"),
        (&[primary, ("database.replicas", "db2")], "database.replicas must be postgres:// URLs"),
        (
            &[primary, ("database.replicas", "sqlite:svc.db")],
            "database.replicas must be postgres://",
        ),
        (&[primary, ("database.replicas", &nine)], "database.replicas must name at most 8 servers"),
        (&[("database.replica_lag_max", "61s")], "database.replica_lag_max must be from 1s to 1m"),
        (&[("database.replica_lag_max", "2m")], "database.replica_lag_max must be from 1s to 1m"),
    ] {
        let error = load(wrong).unwrap_err().to_string();
        assert!(error.starts_with(named) && !error.contains("hidden"), "{error}");
    }
}

#[test]
fn a_stop_is_delayed_where_there_may_be_other_nodes() {
    let delay = |set: &[(&str, &str)]| load(set).and_then(|config| config.stop_delay());
    let postgres = ("database_url", "postgres://svc@db/svc");
    assert_eq!(delay(&[]), Ok(Duration::ZERO));
    assert_eq!(delay(&[postgres]), Ok(Duration::from_secs(5)));
    assert_eq!(delay(&[postgres, ("stop.delay", "0s")]), Ok(Duration::ZERO));
    assert_eq!(delay(&[("stop.delay", "2s")]), Ok(Duration::from_secs(2)));
    assert!(delay(&[("stop.delay", "2m")]).unwrap_err().to_string().contains("stop.delay"));
}

#[test]
fn a_wrong_type_is_named() {
    let error = load(&[("database.readers", "many")]).unwrap_err();
    assert_eq!(error.to_string(), "database.readers must be an integer, not many");
    for (text, key) in [("-1", "sends"), ("4294967296", "sends_per_webhook")] {
        let error = load(&[(&format!("webhooks.{key}"), text)]).unwrap_err().to_string();
        assert!(error.contains("a whole number from 0 to 4294967295"), "{error}");
        assert!(error.contains(key) && !error.contains("u32"), "{error}");
    }
}
