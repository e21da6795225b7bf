ALTER TABLE "channels" ALTER COLUMN "timeshift_seconds" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "channels" ALTER COLUMN "timeshift_seconds" DROP NOT NULL;--> statement-breakpoint
-- 0 meant what the storefront says, where a channel plays from the library; a relay says nothing by that either.
UPDATE "channels" SET "timeshift_seconds" = NULL WHERE "timeshift_seconds" = 0;--> statement-breakpoint
UPDATE "channels" SET "held" = jsonb_set("held", '{timeshiftSeconds}', 'null') WHERE "held" -> 'timeshiftSeconds' = '0';
