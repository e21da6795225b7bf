-- The ledger is append-only, and the entries of each movement sum to zero.
-- Applied when this text changes (see database/derive.ts).

create or replace function ondine_ledger_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$
--> statement-breakpoint
create or replace function ondine_ledger_balance() returns trigger language plpgsql as $$
declare
  movement integer := (to_jsonb(new) ->> tg_argv[0])::integer;
  entries integer;
  total bigint;
begin
  select count(*), coalesce(sum(cents), 0) into entries, total from ledger_entries where movement_id = movement;
  if entries < 2 or total <> 0 then
    raise exception 'ledger movement % does not balance: % entries sum to % cents', movement, entries, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$
--> statement-breakpoint
do $$
declare
  kept text[];
begin
  -- Each entry: a table, and its column with the id of the movement.
  foreach kept slice 1 in array array[['ledger_movements', 'id'], ['ledger_entries', 'movement_id']] loop
    execute format('create or replace trigger ondine_kept before update or delete on %I
      for each row execute function ondine_ledger_keep()', kept[1]);
    execute format('create or replace trigger ondine_kept_all before truncate on %I
      for each statement execute function ondine_ledger_keep()', kept[1]);
    -- PostgreSQL has no `create or replace` for constraint triggers.
    execute format('drop trigger if exists ondine_balanced on %I', kept[1]);
    execute format('create constraint trigger ondine_balanced after insert on %I deferrable initially deferred
      for each row execute function ondine_ledger_balance(%L)', kept[1], kept[2]);
  end loop;
end $$
