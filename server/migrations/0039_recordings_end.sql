DROP INDEX "recordings_recorded_programme_id_index";--> statement-breakpoint
ALTER TABLE "recorded_programmes" ADD COLUMN "drop_told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "failed" boolean;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "missing_seconds" integer;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "drop_told_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "recorded_programmes_pinned_to_index" ON "recorded_programmes" USING btree ("pinned_to");--> statement-breakpoint
CREATE INDEX "recorded_programmes_dropped" ON "recorded_programmes" USING btree ("id") WHERE dropped_at is not null and settled_at is null;--> statement-breakpoint
CREATE INDEX "recordings_recorded_programme_id_id_index" ON "recordings" USING btree ("recorded_programme_id","id");--> statement-breakpoint
CREATE INDEX "recordings_stopped" ON "recordings" USING btree ("recorded_programme_id") WHERE stopped_at is not null and failed is null;