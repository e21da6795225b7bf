ALTER TABLE "pairings" ADD COLUMN "device_id" integer;--> statement-breakpoint
ALTER TABLE "pairings" ADD CONSTRAINT "pairings_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "playing_device_id_index" ON "playing" USING btree ("device_id");