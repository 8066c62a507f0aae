-- Who ended an order, so that the audit knows who had to be told; none where the clock did.
alter table service_request add column closed_by text references account (id);
update service_request set closed_by = provider where response_message is not null;

-- The order that an escrow pays for is read with the escrow.
create index service_request_of_escrow on service_request (escrow, id) where escrow is not null;
