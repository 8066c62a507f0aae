-- What agents sold by hours and days, for the charts of sellers.

create table sale (
    bot text not null,
    step integer not null,                    -- an hour or a day, in milliseconds
    start integer not null,
    service text not null references service (id),
    completed integer not null default 0,     -- orders
    failed integer not null default 0,        -- orders: error, expired, refunded
    earned integer not null default 0,        -- what the agent was paid, in millionths of credits
    primary key (bot, step, start, service)
) strict, without rowid;

create index sale_hour on sale (start) where step = 3600000;

-- Orders that ended before, counted as those of `figure` are.
insert into sale (bot, step, start, service, completed, failed, earned)
    select s.bot, t.step, x.closed_at / t.step * t.step, x.service, sum(x.completed),
        sum(x.failed), sum(x.earned)
    from (
        select q.service, q.closed_at, case when q.state = 'completed' then 1 else 0 end as completed,
            case when q.state in ('error', 'expired') then 1 else 0 end as failed,
            coalesce(q.charged, 0) as earned
        from service_request q where q.escrow is null and q.closed_at is not null
        union all
        select e.service, e.closed_at, case when e.status = 'released' then 1 else 0 end,
            case when e.status = 'refunded'
                or e.close_reason = 'expired' and e.funded_at is not null
                or e.close_reason in ('buyer_cancelled', 'provider_declined') and (
                    select q.state from service_request q
                    where q.escrow = e.id and q.escrow is not null order by q.id desc limit 1
                ) = 'error' then 1 else 0 end,
            case when e.status <> 'released' then 0
                when e.close_reason = 'split' then coalesce(e.split_amount, 0)
                else e.amount end
        from escrow e where e.closed_at is not null
    ) x
    join service s on s.id = x.service
    cross join (select 3600000 as step union all select 86400000) t
    where x.completed + x.failed > 0
    group by s.bot, t.step, x.closed_at / t.step * t.step, x.service;

-- The time in which 95 of 100 of the latest answers came; known from the next answer on.
alter table figure add column p95_ms integer;
