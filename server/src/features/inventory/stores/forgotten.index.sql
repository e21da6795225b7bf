-- Records each picture to which a deleted or changed row referred. A picture without such a record may not be
-- Ondine's, and is never removed. Applied when this text changes (see derive.ts). The argument of the trigger
-- is the column with the picture's id.
create or replace function forget_image() returns trigger language plpgsql as $$
declare
  forgotten text := to_jsonb(old) ->> tg_argv[0];
begin
  if forgotten <> '' then
    insert into forgotten_images values (forgotten, now())
      on conflict (id) do update set forgotten_at = excluded.forgotten_at;
  end if;
  return null;
end $$
--> statement-breakpoint
create or replace trigger image_forgotten after delete or update of id on images
  for each row execute function forget_image('id')
--> statement-breakpoint
create or replace trigger image_forgotten after delete or update of image_id on guide_pictures
  for each row execute function forget_image('image_id')
