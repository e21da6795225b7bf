ALTER TABLE "schedule_entries" ADD COLUMN "morality_level" smallint;--> statement-breakpoint
ALTER TABLE "schedule_entries" ADD COLUMN "adult" boolean;