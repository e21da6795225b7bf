DROP INDEX "programmes_asset_id_ends_at_index";--> statement-breakpoint
CREATE INDEX "programmes_asset_id_ends_at_index" ON "programmes" USING btree ("asset_id","ends_at") WHERE asset_id is not null;