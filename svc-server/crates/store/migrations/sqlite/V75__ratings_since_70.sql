-- By what lists of services are sorted: the mean of its ratings and of five more of 3, in thousandths, because one
-- rating says less than many. 0 without a rating.
alter table service add column rating_rank integer generated always as (
    case when ratings_count = 0 then 0 else (30 + ratings_sum) * 500 / (5 + ratings_count) end
) virtual;

-- Earlier programs sort by the mean, now without an index.
drop index service_best;
create index service_rank on service (rating_rank desc, bot, id) where active and deleted_at is null;

-- Whether the figures include a rating: not while its buyer is suspended.
alter table service_rating add column counted integer not null default 1 check (counted in (0, 1));
create index service_rating_buyer on service_rating (buyer, service);

update service_rating set counted = false
where buyer in (select id from account where status = 'suspended');

update service set (ratings_count, ratings_sum) = (
    select count(*), cast(coalesce(sum(r.half_steps), 0) as integer) from service_rating r
    where r.service = service.id and r.counted = true)
where id in (select service from service_rating where counted = false);

update service set rating_tenths = case when ratings_count = 0 then 0
    else (ratings_sum * 10 + ratings_count) / (2 * ratings_count) end
where id in (select service from service_rating where counted = false);

update figure set (ratings_count, ratings_sum) = (
    select cast(sum(s.ratings_count) as integer), cast(sum(s.ratings_sum) as integer)
    from service s where s.bot = figure.id),
    buyers = (
        select count(distinct r.buyer) from service_rating r
        where r.bot = figure.id and r.counted = true)
where id in (select bot from service_rating where counted = false);
