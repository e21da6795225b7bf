ALTER TABLE "assets" ADD COLUMN "logo_language" text DEFAULT 'fra' NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "logo_language" text DEFAULT 'fra' NOT NULL;