ALTER TABLE "channel_lists" ADD COLUMN "cron" text;--> statement-breakpoint
ALTER TABLE "guide_sources" ADD COLUMN "priority" smallint DEFAULT 50 NOT NULL;