CREATE TABLE "guide_pictures" (
	"address" text PRIMARY KEY NOT NULL,
	"image_id" text DEFAULT '' NOT NULL,
	"width" integer DEFAULT 0 NOT NULL,
	"height" integer DEFAULT 0 NOT NULL,
	"color" text DEFAULT '' NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "guide_pictures_image_id_index" ON "guide_pictures" USING btree ("image_id");