-- Ends sign-ins when their account or device changes, whichever code makes the change (spec 47). Each row of
-- sign_in_endings notifies every process, which then refuses the tokens. Applied when this text changes (see
-- derive.ts).

-- A change of the password ends earlier sign-ins. Closing an account ends all until it is opened again. Suspending an
-- account ends only its playback.
create or replace function ondine_end_sign_ins_of_account() returns trigger language plpgsql as $$
begin
  if new.sessions_from is distinct from old.sessions_from and new.sessions_from is not null then
    -- The new row ends these sign-ins too.
    delete from sign_in_endings where account_id = new.id and before is not null;
    insert into sign_in_endings (account_id, before) values (new.id, new.sessions_from);
  end if;
  if new.status is distinct from old.status then
    delete from sign_in_endings
      where account_id = new.id and sign_in is null and device_id is null and before is null;
    if new.status not in ('ACTIVE', 'SUSPENDED') then
      insert into sign_in_endings (account_id) values (new.id);
    elsif new.status = 'SUSPENDED' then
      insert into sign_in_endings (account_id, playback_only) values (new.id, true);
    end if;
  end if;
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_sign_ins_end after update of status, sessions_from on accounts
  for each row execute function ondine_end_sign_ins_of_account()
--> statement-breakpoint
-- Removing a device ends its sign-in.
create or replace function ondine_end_sign_in_of_device() returns trigger language plpgsql as $$
begin
  insert into sign_in_endings (account_id, device_id, sign_in) values (old.account_id, old.id, old.sign_in);
  return null;
end $$
--> statement-breakpoint
create or replace trigger ondine_sign_in_ends after delete on devices
  for each row execute function ondine_end_sign_in_of_device()
