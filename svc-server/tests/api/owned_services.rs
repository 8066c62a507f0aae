//! The services of a bot at its name: for the bot and its owner.

use svc_client::types::Code;
use svc_client::types::api::services::{
    CheckBotService, CreateBotService, DeleteBotService, ListBotServices, ServiceCategory,
    ServiceSample, UpdateBotService,
};

use crate::app::{code, fault};
use crate::market::{object, offer};
use crate::on_both_engines;
use serde_json::json;

on_both_engines! {
    async fn an_owner_manages_the_services_of_its_agent(app: TestApp) {
        let [ann, bot] = [app.person("ann", "correct horse").await, app.agent("bot").await];
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let services = ann.client.services();
        let schema = object(json!({ "type": "object", "required": ["text"] }));
        let made = services.create_for("bot", "count", "counts words", 5).input_schema(schema.clone());
        let made = made.category(ServiceCategory::Writing).await.unwrap().service;
        assert_eq!((made.input_schema, made.category), (Some(schema), ServiceCategory::Writing));
        let taken = services.create_for("bot", "COUNT", "again", 5).await;
        assert_eq!(fault::<CreateBotService>(taken), (Code::AlreadyExists, "name".into()));
        let changed = services.update_for("bot", &made.id).active(false).name("tally").await.unwrap();
        assert_eq!((changed.service.active, &*changed.service.name), (false, "tally"));
        let unfit = services.update_for("bot", &made.id).input_schema(object(json!({ "type": "nothing" }))).await;
        assert_eq!(code::<UpdateBotService>(unfit), Code::ValidationFailed);
        let seen = [&ann, &bot].map(|member| member.client.services().list_of("bot").into_future());
        let [by_owner, by_bot] = seen;
        assert_eq!(by_owner.await.unwrap(), by_bot.await.unwrap());
        let own = bot.client.services().list().await.unwrap().services;
        assert_eq!(own.len(), 1, "it is the bot's service: {own:?}");
        services.delete_for("bot", &made.id).await.unwrap();
        assert_eq!(services.list_of("bot").await.unwrap().services, []);
    }

    async fn a_service_is_checked_without_being_offered(app: TestApp) {
        let bot = app.agent("bot").await;
        let services = bot.client.services();
        let id = offer(&bot, "count", 5).await;
        assert!(services.check("bot", "other", "counts words", 5).await.unwrap().valid);
        assert!(services.check("bot", "count", "counts words", 7).service_id(&id).await.unwrap().valid);
        let taken = services.check("bot", "COUNT", "again", 5).await;
        assert_eq!(fault::<CheckBotService>(taken), (Code::AlreadyExists, "name".into()));
        let wrong = services.check("bot", "x", "x", 5).input_schema(object(json!({ "type": "nothing" })));
        assert_eq!(fault::<CheckBotService>(wrong.await), (Code::ValidationFailed, "inputSchema".into()));
        let numbers = object(json!({ "type": "object", "properties": { "n": { "type": "integer" } } }));
        let sample = ServiceSample::new(object(json!({ "n": "one" })), object(json!({})));
        let unfit = services.check("bot", "x", "x", 5).input_schema(numbers).samples([sample]).await;
        let place = "/samples/0/input/n".to_owned();
        assert_eq!(fault::<CheckBotService>(unfit), (Code::ValidationFailed, place));
        let strange = services.check("bot", "x", "x", 5).languages(["klingonish?".into()]).await;
        assert_eq!(fault::<CheckBotService>(strange), (Code::ValidationFailed, "languages".into()));
        let owned = services.list().await.unwrap().services;
        assert_eq!((owned.len(), owned[0].price_credits), (1, 5.into()), "nothing was changed");
        let [eve, theirs] = [app.person("eve", "correct horse").await, app.agent("other").await];
        let refused = eve.client.services().check("bot", "x", "x", 5).await;
        assert_eq!(code::<CheckBotService>(refused), Code::Forbidden);
        let id = offer(&theirs, "other", 5).await;
        let foreign = services.check("bot", "x", "x", 5).service_id(&id).await;
        assert_eq!(code::<CheckBotService>(foreign), Code::NotFound, "it is of another bot");
    }

    async fn others_manage_no_services_of_a_bot(app: TestApp) {
        let [eve, bot] = [app.person("eve", "correct horse").await, app.agent("bot").await];
        let other = app.agent("other").await;
        let id = offer(&bot, "count", 5).await;
        let theirs = offer(&other, "other", 5).await;
        for (caller, name, expected) in [
            (&eve, "bot", Code::Forbidden), (&other, "bot", Code::Forbidden),
            (&eve, "eve", Code::Forbidden), (&eve, "nobody", Code::NotFound),
        ] {
            let services = caller.client.services();
            assert_eq!(code::<ListBotServices>(services.list_of(name).await), expected);
            assert_eq!(code::<CreateBotService>(services.create_for(name, "x", "x", 1).await), expected);
            assert_eq!(code::<UpdateBotService>(services.update_for(name, &id).active(false).await), expected);
            assert_eq!(code::<DeleteBotService>(services.delete_for(name, &id).await), expected);
        }
        let foreign = bot.client.services().update_for("bot", &theirs).active(false).await;
        assert_eq!(code::<UpdateBotService>(foreign), Code::NotFound, "it is of another bot");
        assert!(bot.client.services().list_of("bot").await.unwrap().services[0].active);
    }
}
