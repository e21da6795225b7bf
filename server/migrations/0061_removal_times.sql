ALTER TABLE "seek_positions" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
-- Until now, a removal set the time of the position.
UPDATE "seek_positions" SET "removed_at" = "updated_at" WHERE "removed";--> statement-breakpoint
ALTER TABLE "seek_positions" DROP COLUMN "removed";
