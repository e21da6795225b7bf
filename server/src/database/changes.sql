-- Sends the notices that changes.ts receives, so that every process drops its cached copies when any process writes.
-- Applied when this text changes (see derive.ts).

-- Reports changes of tables that concern every viewer. The trigger's argument is the topic.
create or replace function ondine_tell_shared() returns trigger language plpgsql as $$
begin
  perform pg_notify('ondine_changes', tg_argv[0]);
  return null;
end $$
--> statement-breakpoint
-- Reports changes of tables whose rows belong to an account. The trigger's argument is the column with the account's
-- id.
create or replace function ondine_tell_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('ondine_changes', 'account:' || (to_jsonb(coalesce(new, old)) ->> tg_argv[0]));
  return null;
end $$
--> statement-breakpoint
-- Reports changes of a table by id, in batches. The trigger's arguments are the topic and the column with the
-- id. A PostgreSQL notice can have 8000 bytes, which is enough for 500 numbers.
create or replace function ondine_tell_rows() returns trigger language plpgsql as $$
begin
  execute format($statement$
    select pg_notify('ondine_changes', %1$L || ':' || string_agg(number::text, ',')) from (
      select number, (row_number() over () - 1) / 500 as notice from (select distinct %2$I as number from changed) as numbers
    ) as numbered group by notice
  $statement$, tg_argv[0], tg_argv[1]);
  return null;
end $$
--> statement-breakpoint
-- Reports changes of tables that decide what an account has bought, once for each statement. The accounts are
-- in order, so that statements of a transaction about the same accounts send the same notice, which
-- PostgreSQL sends once.
create or replace function ondine_tell_purchases() returns trigger language plpgsql as $$
begin
  perform pg_notify('ondine_changes', 'purchases:' || string_agg(account_id::text, ',' order by account_id)) from (
    select account_id, (row_number() over (order by account_id) - 1) / 500 as notice
    from (select distinct account_id from changed where account_id is not null) as accounts
  ) as numbered group by notice;
  return null;
end $$
--> statement-breakpoint
drop function if exists ondine_tell_positions() cascade
--> statement-breakpoint
-- Since when a channel has media, in milliseconds since the Unix epoch: a live channel since its input was first on the
-- air, a library channel since the last gap in its schedule. Null for a library channel without a gap.
create or replace function channel_media_since(kind channel_kind, started_at timestamptz, cursor jsonb)
returns double precision immutable language sql as $$
  select case when kind = 'live' then coalesce(extract(epoch from started_at) * 1000, 9e15)
    else (cursor ->> 'unbrokenSince')::double precision end
$$
--> statement-breakpoint
-- Reports changes of channels. The planner of schedules updates four of their columns all the time. Viewers see only
-- since when a channel has media, which limits start-over.
create or replace function ondine_tell_channels() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from before full join after using (id)
    where to_jsonb(before) - array['layout', 'cursor', 'scheduled_until', 'started_at']
      is distinct from to_jsonb(after) - array['layout', 'cursor', 'scheduled_until', 'started_at']
  ) then
    perform pg_notify('ondine_changes', 'channels');
  end if;
  if exists (
    select 1 from before join after using (id)
    where before.cursor -> 'unbrokenSince' is distinct from after.cursor -> 'unbrokenSince'
      or before.started_at is distinct from after.started_at
  ) then
    perform pg_notify('ondine_changes', 'guide');
  end if;
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_changed after insert or delete or truncate on channels
  for each statement execute function ondine_tell_shared('channels')
--> statement-breakpoint
create or replace trigger ondine_changed_update after update on channels
  referencing old table as before new table as after
  for each statement execute function ondine_tell_channels()
--> statement-breakpoint
do $$
declare
  watched text[];
begin
  -- Each entry: a table, and the topic of its notices.
  foreach watched slice 1 in array array[
    ['assets', 'catalogue'],
    ['categories', 'catalogue'],
    ['asset_categories', 'catalogue'],
    ['medias', 'catalogue'],
    ['images', 'catalogue'],
    ['package_assets', 'catalogue'],
    ['package_channels', 'channels'],
    ['live_inputs', 'channels'],
    ['programmes', 'guide'],
    ['guide_pictures', 'guide'],
    ['documents', 'operated'],
    ['storefronts', 'operated'],
    ['offers', 'offers'],
    ['offer_revisions', 'offers'],
    ['signing_keys', 'keys']
  ] loop
    execute format(
      'create or replace trigger ondine_changed after insert or update or delete or truncate on %I
        for each statement execute function ondine_tell_shared(%L)',
      watched[1], watched[2]
    );
  end loop;
  -- Each entry: a table, and its column with the account's id.
  foreach watched slice 1 in array array[
    ['accounts', 'id'],
    ['profiles', 'account_id'],
    ['grants', 'account_id']
  ] loop
    execute format(
      'create or replace trigger ondine_changed after insert or update or delete on %I
        for each row execute function ondine_tell_account(%L)',
      watched[1], watched[2]
    );
  end loop;
end $$
--> statement-breakpoint
-- A trigger with a transition table can have only one event.
do $$
declare
  watched text[];
begin
  -- Each entry: a table, the topic of its notices, and the column that is reported.
  foreach watched slice 1 in array array[
    ['seek_positions', 'positions', 'profile_id'],
    ['favourites', 'favourites', 'profile_id'],
    ['recordings', 'recordings', 'profile_id'],
    ['search_documents', 'searchDocuments', 'id'],
    ['search_words', 'searchWords', 'id'],
    ['editorial', 'editorial', 'id'],
    ['sign_in_endings', 'signIns', 'id']
  ] loop
    execute format('create or replace trigger ondine_changed_insert after insert on %I referencing new table as changed
      for each statement execute function ondine_tell_rows(%L, %L)', watched[1], watched[2], watched[3]);
    execute format('create or replace trigger ondine_changed_update after update on %I referencing new table as changed
      for each statement execute function ondine_tell_rows(%L, %L)', watched[1], watched[2], watched[3]);
    execute format('create or replace trigger ondine_changed_delete after delete on %I referencing old table as changed
      for each statement execute function ondine_tell_rows(%L, %L)', watched[1], watched[2], watched[3]);
  end loop;
end $$
--> statement-breakpoint
-- Reports changes of screens. Processes update `seen_at` of all open screens all the time, and nobody waits for that.
create or replace function ondine_tell_screens() returns trigger language plpgsql as $$
begin
  perform pg_notify('ondine_changes', 'screens:' || string_agg(account_id::text, ',')) from (
    select account_id, (row_number() over () - 1) / 500 as notice from (
      select distinct after.account_id from before join after using (device_id)
      where to_jsonb(before) - 'seen_at' is distinct from to_jsonb(after) - 'seen_at'
    ) as accounts
  ) as numbered group by notice;
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_changed_insert after insert on screens referencing new table as changed
  for each statement execute function ondine_tell_rows('screens', 'account_id')
--> statement-breakpoint
create or replace trigger ondine_changed_update after update on screens
  referencing old table as before new table as after
  for each statement execute function ondine_tell_screens()
--> statement-breakpoint
create or replace trigger ondine_changed_delete after delete on screens referencing old table as changed
  for each statement execute function ondine_tell_rows('screens', 'account_id')
--> statement-breakpoint
do $$
declare
  bought text;
begin
  foreach bought in array array[
    'orders',
    'subscriptions',
    'cart_items',
    'cart_vouchers',
    'voucher_uses',
    'store_purchases',
    'service_subscriptions'
  ] loop
    execute format('create or replace trigger ondine_changed_insert after insert on %I referencing new table as changed
      for each statement execute function ondine_tell_purchases()', bought);
    execute format('create or replace trigger ondine_changed_update after update on %I referencing new table as changed
      for each statement execute function ondine_tell_purchases()', bought);
    execute format('create or replace trigger ondine_changed_delete after delete on %I referencing old table as changed
      for each statement execute function ondine_tell_purchases()', bought);
  end loop;
end $$
