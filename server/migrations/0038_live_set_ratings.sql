ALTER TABLE "live_sets" ADD COLUMN "is_slate" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "live_sets" ADD COLUMN "morality_level" smallint;--> statement-breakpoint
ALTER TABLE "live_sets" ADD COLUMN "adult" boolean;