-- Deliveries that were given up, for operators.
create index webhook_delivery_failed on webhook_delivery (id) where state = 'failed';
