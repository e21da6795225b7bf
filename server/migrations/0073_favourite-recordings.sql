ALTER TABLE "recordings" ADD COLUMN "unlisted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "favourite_at" timestamp (3) with time zone;