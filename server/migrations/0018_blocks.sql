ALTER TABLE "programmes" ADD COLUMN "image_id" text;--> statement-breakpoint
ALTER TABLE "programmes" ADD CONSTRAINT "programmes_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "programmes_image_id_index" ON "programmes" USING btree ("image_id") WHERE image_id is not null;