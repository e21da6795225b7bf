ALTER TABLE "assets" ADD COLUMN "local_images" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "local_images" jsonb DEFAULT '{}'::jsonb NOT NULL;