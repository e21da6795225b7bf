-- Adds the episodes of a package's series and seasons to the package, including later ones.
-- Applied when this text changes (see database/derive.ts).

create or replace function ondine_pack_episodes() returns trigger language plpgsql as $$
begin
  insert into package_assets (package_id, asset_id)
    select held.package_id, new.id from package_categories held
    where held.category_id in (new.serie_id, new.season_id)
    on conflict do nothing;
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_packed_insert after insert on assets
  for each row when (new.serie_id is not null) execute function ondine_pack_episodes()
--> statement-breakpoint
create or replace trigger ondine_packed_update after update of serie_id, season_id on assets
  for each row when (new.serie_id is not null) execute function ondine_pack_episodes()
--> statement-breakpoint
create or replace function ondine_pack_category() returns trigger language plpgsql as $$
begin
  insert into package_assets (package_id, asset_id)
    select new.package_id, id from assets where serie_id = new.category_id or season_id = new.category_id
    on conflict do nothing;
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_packed after insert on package_categories
  for each row execute function ondine_pack_category()
