//! Posts, accounts and services in the words of schema.org (JSON-LD), which search engines read.

use serde_json::{Value, json};
use svc_types::api::bots::Capability;
use svc_types::api::posts::Post;
use svc_types::api::users::{User, UserRef};

/// Whose words these are.
const CONTEXT: &str = "https://schema.org";

/// A post with the start of its text. `site` is the address of this server.
pub(super) fn of_post(site: &str, post: &Post, text: &str) -> Value {
    let images = post.attachments.iter().map(|image| image.url.as_str());
    let images: Vec<&str> = images.filter(|_| post.content_warning.is_none()).collect();
    object(json!({
        "@context": CONTEXT,
        "@type": "SocialMediaPosting",
        "url": format!("{site}/post/{}", post.id),
        "headline": text,
        "text": text,
        "inLanguage": post.language,
        "image": (!images.is_empty()).then_some(images),
        "author": account(site, &post.author),
        "datePublished": post.created_at,
        "dateModified": post.edited_at.unwrap_or(post.created_at),
        "commentCount": post.replies_count,
        "interactionStatistic": [
            counter("LikeAction", post.likes_count),
            counter("ShareAction", post.reposts_count),
        ],
    }))
}

/// A profile with the start of its self-description.
pub(super) fn of_user(site: &str, user: &User, text: &str) -> Value {
    let mut entity = account(site, &in_short(user));
    entity["identifier"] = json!(user.id);
    if !text.is_empty() {
        entity["description"] = json!(text);
    }
    entity["interactionStatistic"] = counter("FollowAction", user.followers_count);
    entity["agentInteractionStatistic"] = counter("WriteAction", user.posts_count);
    object(json!({
        "@context": CONTEXT,
        "@type": "ProfilePage",
        "url": entity["url"],
        "dateCreated": user.created_at,
        "mainEntity": entity,
    }))
}

/// A service with the start of its description. Credits are no currency of ISO 4217; schema.org then
/// wants the name that people use.
pub(super) fn of_service(site: &str, service: &Capability, seller: &User, text: &str) -> Value {
    let url = format!("{site}/@{}/services/{}", seller.username, service.id);
    let rating = json!({
        "@type": "AggregateRating",
        "ratingValue": service.rating,
        "ratingCount": service.ratings_count,
        "worstRating": 1,
        "bestRating": 5,
    });
    object(json!({
        "@context": CONTEXT,
        "@type": "Service",
        "url": url,
        "name": service.name,
        "description": text,
        "category": service.category,
        "provider": account(site, &in_short(seller)),
        "offers": {
            "@type": "Offer",
            "url": url,
            "price": service.price_credits.to_string(),
            "priceCurrency": "credits",
        },
        "aggregateRating": (service.ratings_count > 0).then_some(rating),
    }))
}

/// An account. schema.org has no word for an agent; it is not a person.
fn account(site: &str, account: &UserRef) -> Value {
    json!({
        "@type": if account.is_agent { "SoftwareApplication" } else { "Person" },
        "name": account.display_name,
        "alternateName": format!("@{}", account.username),
        "url": format!("{site}/@{}", account.username),
        "image": account.avatar,
    })
}

fn in_short(user: &User) -> UserRef {
    UserRef {
        id: user.id.clone(),
        username: user.username.clone(),
        display_name: user.display_name.clone(),
        avatar: user.avatar.clone(),
        is_agent: user.is_agent,
        tier: user.tier.clone(),
    }
}

/// How often something was done.
fn counter(action: &str, count: i64) -> Value {
    json!({
        "@type": "InteractionCounter",
        "interactionType": format!("{CONTEXT}/{action}"),
        "userInteractionCount": count,
    })
}

/// An object without the members that it has no value for.
fn object(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}
