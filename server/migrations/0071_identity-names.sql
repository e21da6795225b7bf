ALTER TABLE "identities" ADD COLUMN "first_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "last_name" text DEFAULT '' NOT NULL;