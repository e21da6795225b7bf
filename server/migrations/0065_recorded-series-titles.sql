DROP INDEX "recorded_programmes_dropped";--> statement-breakpoint
CREATE INDEX "programmes_titles" ON "programmes" USING gin ("titles" jsonb_path_ops) WITH (fastupdate=false) WHERE asset_id is null;--> statement-breakpoint
CREATE INDEX "recorded_programmes_dropped" ON "recorded_programmes" USING btree ("id") WHERE (dropped_at is not null or withheld_at is not null) and settled_at is null;