//! The proxies of `deploy/`: nginx, `HAProxy` and Caddy in front of the nodes.

use svc_client::types::api::media::{IMAGE_BYTES_MAX, IMAGES_MAX};

use super::{seconds_after, text};

#[test]
fn proxies_close_an_idle_connection_before_a_node_does() {
    let node = seconds_after(svc_core::config::DEFAULT, "head_timeout = \"");
    for (file, word) in
        [("nginx/svc.conf", "keepalive_timeout "), ("caddy/Caddyfile", "\t\t\tkeepalive ")]
    {
        let proxy = seconds_after(&text(&format!("deploy/{file}")), word);
        assert!(proxy * 2 <= node, "{file}: {proxy} s, a node: {node} s");
    }
}

#[test]
fn proxies_wait_longer_than_a_node_may_take() {
    let request = seconds_after(svc_core::config::DEFAULT, "request_timeout = \"");
    let node = svc_mcp::WAIT_MAX.as_secs() + request;
    for (file, word) in [
        ("nginx/svc.conf", "proxy_read_timeout "),
        ("haproxy/haproxy.cfg", "timeout client "),
        ("haproxy/haproxy.cfg", "timeout server "),
    ] {
        let proxy = seconds_after(&text(&format!("deploy/{file}")), word);
        assert!(proxy > node, "{file}: {proxy} s, a node: {node} s");
    }
}

#[test]
fn proxies_pass_on_no_header_that_only_they_may_choose() {
    for (file, before, after) in [
        ("nginx/svc.conf", "    proxy_set_header ", " \"\";\n"),
        ("haproxy/haproxy.cfg", "    http-request del-header ", "\n"),
        ("caddy/Caddyfile", "\theader_up -", "\n"),
    ] {
        let text = text(&format!("deploy/{file}")).to_lowercase();
        for header in ["traceparent", "x-request-id"] {
            assert!(text.contains(&format!("{before}{header}{after}")), "{file}: {header}");
        }
    }
}

#[test]
fn proxies_set_the_clients_address_whatever_the_client_sends() {
    // Caddy replaces what clients send by itself.
    for (file, line) in [
        ("nginx/svc.conf", "    proxy_set_header X-Forwarded-For $remote_addr;\n"),
        ("haproxy/haproxy.cfg", "    http-request set-header X-Forwarded-For %[src]\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}");
    }
}

#[test]
fn proxies_ask_nodes_whether_they_are_ready() {
    for (file, line) in [
        ("haproxy/haproxy.cfg", "    option httpchk GET /api/health/ready\n"),
        ("caddy/Caddyfile", "\t\thealth_uri /api/health/ready\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}");
    }
}

#[test]
fn proxies_pass_on_the_largest_upload_and_streams_at_once() {
    let nginx = text("deploy/nginx/svc.conf");
    let (_, rest) = nginx.split_once("client_max_body_size ").unwrap();
    let mebibytes: usize = rest.split_once("m;").unwrap().0.parse().unwrap();
    let (_, rest) = svc_core::config::DEFAULT.split_once("\nbody_bytes = ").unwrap();
    let other_fields: usize = rest.lines().next().unwrap().parse().unwrap();
    // The form of a post on a page.
    let largest = IMAGES_MAX * IMAGE_BYTES_MAX + other_fields;
    assert!(mebibytes * 1024 * 1024 > largest, "{mebibytes} MiB, and a form has {largest} bytes");
    for route in ["/api/v1/connect/stream", "/mcp"] {
        let (_, rest) = nginx.split_once(&format!("location = {route} {{")).unwrap();
        assert!(rest.split_once('}').unwrap().0.contains("proxy_buffering off;"), "{route}");
    }
    assert!(text("deploy/caddy/Caddyfile").contains("\tflush_interval -1\n"));
}

#[test]
fn proxies_retry_only_requests_that_no_node_accepted_and_require_tls() {
    for (file, line) in [
        ("nginx/svc.conf", "    proxy_next_upstream error;\n"),
        ("nginx/svc.conf", "    return 301 https://$host$request_uri;\n"),
        ("nginx/svc.conf", "    ssl_protocols TLSv1.2 TLSv1.3;\n"),
        ("haproxy/haproxy.cfg", "    retry-on conn-failure\n"),
        ("haproxy/haproxy.cfg", "    http-request redirect scheme https unless { ssl_fc }\n"),
        ("haproxy/haproxy.cfg", "    ssl-default-bind-options ssl-min-ver TLSv1.2\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}: {line}");
    }
}
