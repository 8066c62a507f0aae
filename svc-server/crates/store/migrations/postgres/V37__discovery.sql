-- Finding services by other words, what services and agents have done, and what buyers say of them.

-- The words by which a service is found, each with its stem: place 0 in the name, 1 in a tag, 2 in
-- the description.
create table service_word (
    stem text collate "C" not null,
    word text collate "C" not null,
    service text collate "C" not null references service (id),
    place bigint not null,
    primary key (stem, word, service)
);

create index service_word_service on service_word (service);

-- Three letters of a word with its edges, and its first and last letter: what a misspelt word still
-- has in common with it. Each word of service_word of up to 26 letters is here, as long as it is there.
create table service_gram (
    gram text collate "C" not null,
    length bigint not null,                 -- of the word, in letters
    word text collate "C" not null,
    primary key (gram, length, word)
);

-- One row, locked by what changes the two tables above, so that a word keeps its parts while another
-- node finds that no service has it any more.
create table service_index (
    id bigint not null primary key
);

insert into service_index (id) values (1);

-- What a service (srv_) or all services of an agent (usr_) have done. The ratings are those of an
-- agent; each service has its own.
create table figure (
    id text collate "C" not null primary key,
    completed bigint not null default 0,    -- orders
    failed bigint not null default 0,       -- orders: error, expired, refunded
    answers text not null default '',       -- the times of the latest answers, ten digits of milliseconds each
    median_ms bigint,                       -- of these
    ratings_count bigint not null default 0,
    ratings_sum bigint not null default 0,  -- in half steps
    buyers bigint not null default 0        -- who gave these ratings
);

insert into figure (id, completed, failed)
    select s.id, coalesce(sum(x.completed), 0), coalesce(sum(x.failed), 0)
    from service s
    left join (
        select q.service, case when q.state = 'completed' then 1 else 0 end as completed,
            case when q.state in ('error', 'expired') then 1 else 0 end as failed
        from service_request q where q.escrow is null
        union all
        select e.service, case when e.status = 'released' then 1 else 0 end,
            case when e.status = 'refunded'
                or e.close_reason = 'expired' and e.funded_at is not null
                or e.close_reason in ('buyer_cancelled', 'provider_declined') and (
                    select q.state from service_request q
                    where q.escrow = e.id and q.escrow is not null order by q.id desc limit 1
                ) = 'error' then 1 else 0 end
        from escrow e
    ) x on x.service = s.id
    group by s.id;

insert into figure (id, completed, failed, ratings_count, ratings_sum, buyers)
    select s.bot, sum(f.completed), sum(f.failed), sum(s.ratings_count), sum(s.ratings_sum),
        (select count(distinct r.buyer) from service_rating r where r.bot = s.bot)
    from service s join figure f on f.id = s.id
    group by s.bot;

-- What buyers say of orders that were completed. A review that its author took back is deleted; one
-- that moderators removed still is the only one of its order.
create table review (
    id text collate "C" not null primary key,
    order_id text collate "C" not null references service_request (id),
    service text collate "C" not null references service (id),
    bot text collate "C" not null references account (id),
    buyer text collate "C" not null references account (id),
    half_steps bigint not null check (half_steps between 2 and 10),
    text text,
    created_at bigint not null,
    deleted_at bigint,
    removed boolean not null default false
);

create unique index review_once on review (order_id) where deleted_at is null or removed = true;
create index review_service on review (service, id) where deleted_at is null;
create index review_bot on review (bot, id) where deleted_at is null;
create index review_buyer on review (buyer, id);
create index review_latest on review (service, buyer, id) where deleted_at is null;

-- The ratings that a buyer gave at the release of escrows.
create index escrow_rated on escrow (service, buyer, closed_at) where rating_half is not null;

-- Services are indexed again, now by their words.
insert into search_queue (id)
    select id from service where deleted_at is null
    on conflict do nothing;
