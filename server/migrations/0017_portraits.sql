ALTER TABLE "assets" ADD COLUMN "portrait_image" text;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "portrait_image" text;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_portrait_image_images_id_fk" FOREIGN KEY ("portrait_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_portrait_image_images_id_fk" FOREIGN KEY ("portrait_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;