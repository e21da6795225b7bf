DROP INDEX "recording_copies_unready";--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "recorded_programmes_pinned" ON "recorded_programmes" USING btree ("id") WHERE settled_at is not null and unpinned_at is null;--> statement-breakpoint
CREATE INDEX "recording_copies_unready" ON "recording_copies" USING btree ("held_until" NULLS FIRST,"id") WHERE ready_at is null;