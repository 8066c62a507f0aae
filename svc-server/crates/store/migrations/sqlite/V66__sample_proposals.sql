-- Proposals to make completed orders samples of their services. A sample that its buyer agreed to is one of
-- the samples of the service, with the id of its order. What ended stays, so that nobody is asked twice.

create table sample_proposal (
    order_id text not null primary key references service_request (id),
    service text not null references service (id),
    buyer text not null references account (id),
    seller text not null references account (id),
    state text not null check (state in ('proposed', 'agreed', 'declined', 'revoked', 'withdrawn')),
    created_at integer not null,
    answered_at integer
) strict, without rowid;

create index sample_proposal_buyer on sample_proposal (buyer, state, order_id);
create index sample_proposal_bought on sample_proposal (buyer, order_id);
create index sample_proposal_seller on sample_proposal (seller, state, order_id);
create index sample_proposal_service on sample_proposal (service, state, order_id);

-- The latest orders of a service, from which its seller chooses.
create index service_request_samples on service_request (service, id) where state = 'completed';
