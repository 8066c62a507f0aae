//! Permitted URLs.
//!
//! Checks work on the parsed URL, never on its text: `2130706433`, `0x7f.1` and `127.1` are all
//! 127.0.0.1. A URL is checked when it is set and before each call.

use std::net::IpAddr;

use ipnet::IpNet;
use svc_core::config::Config;
use svc_store::error::Refusal;
use svc_types::Code;
use url::{Host, Url};

use super::address::{is_loopback, is_public};

/// Longest URL.
pub const LENGTH_MAX: usize = 2_048;

/// Ports of well-known services other than web servers, as browsers block them (WHATWG Fetch,
/// "bad port"), in order.
const OTHER_SERVICES: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

/// The hint of refusals that a flag would lift.
const SWITCH: &str = "start the server with --allow-loopback-webhooks (or --dev) to call loopback";

/// What a deployment permits beyond public addresses.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Loopback, with or without TLS.
    pub loopback: bool,
    /// Private networks of the deployment, with TLS.
    pub networks: Vec<IpNet>,
}

impl Rules {
    /// The rules of the settings.
    pub fn of(config: &Config) -> Self {
        let webhooks = &config.webhooks;
        let loopback = webhooks.allow_loopback || config.dev;
        Self { loopback, networks: webhooks.allow_networks.clone() }
    }

    /// Whether connections to this address are permitted.
    pub fn permit(&self, address: IpAddr) -> bool {
        is_public(address)
            || (self.loopback && is_loopback(address))
            || self.networks.iter().any(|network| network.contains(&address.to_canonical()))
    }
}

/// Whether a name always resolves to loopback (RFC 6761).
pub(super) fn is_local_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Parses and checks a URL. Names are checked by their addresses at each call.
pub fn judge(text: &str, rules: &Rules) -> Result<Url, Box<Refusal>> {
    if text.chars().count() > LENGTH_MAX {
        return Err(refuse("a webhook's url is too long", "at most 2048 characters"));
    }
    let url = Url::parse(text).map_err(|error| {
        let hint = format!("{error}; an example: https://bot.example.org/hook");
        refuse("a webhook's url must be an absolute URL", &hint)
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        let hint = "the signature identifies the caller to your receiver";
        return Err(refuse("a webhook's url must have no user name or password", hint));
    }
    if url.fragment().is_some() {
        return Err(refuse(
            "a webhook's url must have no fragment",
            "leave out # and what follows",
        ));
    }
    let host = match url.host() {
        Some(Host::Ipv4(address)) => Called::Address(address.into()),
        Some(Host::Ipv6(address)) => Called::Address(address.into()),
        Some(Host::Domain(name)) if is_local_name(name) => Called::Loopback,
        Some(Host::Domain(_)) => Called::Name,
        None => return Err(refuse("a webhook's url must name a host", "https://host/path")),
    };
    match url.scheme() {
        "https" => host.judge_with_tls(rules)?,
        "http" => host.judge_without_tls(rules)?,
        _ => return Err(refuse("a webhook's url must begin with https://", "use https")),
    }
    if url.port().is_some_and(|port| OTHER_SERVICES.binary_search(&port).is_ok()) {
        let hint = "webhooks call web servers; use 443 or a port above 1023 of your own";
        return Err(refuse("a webhook's url must not name the port of another service", hint));
    }
    Ok(url)
}

/// The target host, as far as the URL determines it.
#[derive(Clone, Copy)]
enum Called {
    Address(IpAddr),
    Loopback,
    Name,
}

impl Called {
    fn is_loopback(self) -> bool {
        match self {
            Self::Address(address) => is_loopback(address),
            Self::Loopback => true,
            Self::Name => false,
        }
    }

    fn judge_with_tls(self, rules: &Rules) -> Result<(), Box<Refusal>> {
        let is_permitted = match self {
            Self::Address(address) => rules.permit(address),
            Self::Loopback => rules.loopback,
            Self::Name => true,
        };
        if is_permitted {
            return Ok(());
        }
        if self.is_loopback() {
            return Err(refuse("a webhook's url must not lead to this machine", SWITCH));
        }
        let hint = "a private installation lists its own networks in webhooks.allow_networks";
        Err(refuse("a webhook's url must have a public address", hint))
    }

    fn judge_without_tls(self, rules: &Rules) -> Result<(), Box<Refusal>> {
        if !self.is_loopback() {
            let hint = "plain http is only for loopback addresses";
            return Err(refuse("a webhook's url must begin with https://", hint));
        }
        if rules.loopback {
            return Ok(());
        }
        Err(refuse("a webhook's url must begin with https://", SWITCH))
    }
}

fn refuse(message: &str, hint: &str) -> Box<Refusal> {
    Box::new(Refusal::new(Code::WebhookUrlRefused, message).field("url").hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, rules: &Rules) -> Box<Refusal> {
        judge(text, rules).map(|url| url.to_string()).expect_err(text)
    }

    #[test]
    fn https_to_names_and_public_addresses_is_fine() {
        for text in [
            "https://bot.example.org/hook",
            "https://bot.example.org:8443/a?b=c",
            "https://8.8.8.8/",
            "https://[2a00::1]/",
            "https://localhost.example.org/",
            "https://bücher.example/",
        ] {
            assert!(judge(text, &Rules::default()).is_ok(), "{text}");
        }
    }

    #[test]
    fn ports_of_other_services_are_refused() {
        for port in OTHER_SERVICES {
            let refusal = refused(&format!("https://bot.example.org:{port}/"), &Rules::default());
            assert!(refusal.message.contains("another service"), "{refusal:?}");
        }
        assert!(OTHER_SERVICES.is_sorted());
        for port in [80, 443, 8080, 8443, 65535] {
            let text = format!("https://bot.example.org:{port}/");
            assert!(judge(&text, &Rules::default()).is_ok(), "{text}");
        }
    }

    #[test]
    fn every_way_to_write_a_private_address_is_refused() {
        for text in [
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://127.1/",
            "https://0177.0.0.1/",
            "https://127.0.0.1./",
            "https://①②⑦.0.0.1/",
            "https://localhost/",
            "https://LOCALHOST./",
            "https://a.localhost/",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://0.0.0.0/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[2002:a00:1::]/",
            "https://192.168.1.1/",
        ] {
            let refusal = refused(text, &Rules::default());
            assert_eq!(refusal.code, Code::WebhookUrlRefused);
            assert_eq!(refusal.field.as_deref(), Some("url"));
        }
    }

    #[test]
    fn plain_http_is_for_loopback_and_only_with_the_switch() {
        let open = Rules { loopback: true, ..Rules::default() };
        for text in ["http://127.0.0.1:9000/x", "http://localhost/", "http://[::1]:9001/"] {
            assert!(judge(text, &open).is_ok(), "{text}");
            let hint = refused(text, &Rules::default()).hint.unwrap();
            assert!(hint.contains("--allow-loopback-webhooks"), "{hint}");
        }
        for text in
            ["http://bot.example.org/", "http://8.8.8.8/", "http://10.0.0.1/", "http://0.0.0.0/"]
        {
            assert!(refused(text, &open).message.contains("https"), "{text}");
        }
        assert!(judge("https://127.0.0.1/", &open).is_ok());
        refused("https://10.0.0.1/", &open);
    }

    #[test]
    fn own_networks_are_reached_with_tls() {
        let networks = vec!["10.1.0.0/16".parse().unwrap()];
        let rules = Rules { networks, ..Rules::default() };
        assert!(judge("https://10.1.2.3/", &rules).is_ok());
        refused("http://10.1.2.3/", &rules);
        refused("https://10.2.2.3/", &rules);
        refused("https://127.0.0.1/", &rules);
    }

    #[test]
    fn other_forms_are_refused_with_what_is_wrong() {
        let long = format!("https://bot.example.org/{}", "x".repeat(LENGTH_MAX));
        for (text, word) in [
            ("", "absolute"),
            ("bot.example.org", "absolute"),
            ("//bot.example.org/", "absolute"),
            ("https://", "absolute"),
            ("https://user@bot.example.org/", "user name"),
            ("https://:secret@bot.example.org/", "user name"),
            ("https://bot.example.org/#part", "fragment"),
            ("https://bot.example.org/#", "fragment"),
            ("ftp://bot.example.org/", "https"),
            ("file:///etc/passwd", "host"),
            ("gopher://127.0.0.1/", "https"),
            (&long, "long"),
        ] {
            let refusal = refused(text, &Rules::default());
            assert!(refusal.message.contains(word), "{text:?}: {}", refusal.message);
            assert!(refusal.hint.is_some());
        }
    }
}
