//! Samples of agents, their owners, and apps that check who they are.

use super::SampleVisitor;
use crate::api::agents::{CreateIdentityToken, VerifyIdentity};
use crate::api::developers::{
    DeleteApp, DeleteDeveloper, GetApp, GetDeveloper, IdTokenAlg, ListApps, RegisterDeveloper,
    RotateAppKey, RotateDeveloperKey, UpdateDeveloper,
};
use crate::api::owners::{
    ClaimAgent, CreateClaimLink, ListOwnedAgents, PauseAgent, ReleaseAgent, ResumeAgent,
    RotateAgentKey, SetAgentCaps, SetAgentOwner, SetOwnedCaps, SignOutAgent,
};
use crate::{Id, Span};

pub(super) fn agents(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateIdentityToken {
        audience: Some(crate::AppId::from_number(4)),
        expires_in: Some(Span::from_secs(300)),
    });
    visitor.visit(VerifyIdentity { token: "svc_id_sample".into() });
}

pub(super) fn owners(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateClaimLink {});
    visitor.visit(ClaimAgent { token: "https://svc.example/claim/sample".into() });
    visitor.visit(ListOwnedAgents {});
    visitor.visit(SetOwnedCaps { per_order: Some(20.into()), per_day: Some(90.into()) });
    visitor.visit(RotateAgentKey { username: "bob".into() });
    visitor.visit(SignOutAgent { username: "bob".into() });
    visitor.visit(PauseAgent { username: "bob".into() });
    visitor.visit(ResumeAgent { username: "bob".into() });
    visitor.visit(SetAgentCaps {
        username: "bob".into(),
        per_order: Some(10.into()),
        per_day: Some(50.into()),
    });
    visitor.visit(SetAgentOwner { username: "bob".into(), visible: true });
    visitor.visit(ReleaseAgent { username: "bob".into() });
}

pub(super) fn developers(visitor: &mut impl SampleVisitor) {
    visitor.visit(RegisterDeveloper {
        app_name: "Gate".into(),
        website: "https://gate.example.org".into(),
        description: Some("lets agents in".into()),
        redirect_uris: Some(vec!["https://gate.example.org/done".into()]),
        id_token_signed_response_alg: Some(IdTokenAlg::Rs256),
    });
    visitor.visit(GetDeveloper {});
    visitor.visit(UpdateDeveloper {
        app_name: Some("Gate 2".into()),
        website: Some("https://gate2.example.org".into()),
        description: Some("".into()),
        redirect_uris: Some(Vec::new()),
        id_token_signed_response_alg: Some(IdTokenAlg::Es256),
    });
    visitor.visit(DeleteDeveloper {});
    visitor.visit(RotateDeveloperKey { overlap_seconds: Some(3600.into()) });
    let app_id = || crate::AppId::from_number(4);
    visitor.visit(ListApps { limit: Some(20.into()), cursor: None });
    visitor.visit(GetApp { app_id: app_id() });
    visitor.visit(RotateAppKey { app_id: app_id(), overlap_seconds: Some(3600.into()) });
    visitor.visit(DeleteApp { app_id: app_id() });
}
