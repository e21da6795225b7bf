ALTER TABLE "devices" ALTER COLUMN "sign_in" DROP DEFAULT;--> statement-breakpoint
-- A token of such a device names no sign-in: it stands for this name (device-token.ts).
UPDATE "devices" SET "sign_in" = 'device-' || "id" WHERE "sign_in" = '';--> statement-breakpoint
ALTER TABLE "sign_in_endings" ADD COLUMN "child_profile_id" integer;