-- The playback of an ended sign-in ends, and makes room for new sessions of the account.
create or replace function ondine_make_room() returns trigger language plpgsql as $$
begin
  delete from playing where account_id = new.account_id
    and (new.sign_in is null and new.device_id is null or sign_in = new.sign_in or device_id = new.device_id);
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_room_is_made after insert on sign_in_endings
  for each row when (new.child_profile_id is null) execute function ondine_make_room()
