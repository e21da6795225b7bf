CREATE TYPE "public"."creative_state" AS ENUM('waiting', 'ready', 'failed');--> statement-breakpoint
CREATE TABLE "ad_creatives" (
	"id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"state" "creative_state" DEFAULT 'waiting' NOT NULL,
	"track_set_id" text,
	"named_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ad_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"trackers" jsonb NOT NULL,
	"reported" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ad_creatives" ADD CONSTRAINT "ad_creatives_track_set_id_track_sets_id_fk" FOREIGN KEY ("track_set_id") REFERENCES "public"."track_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ad_deliveries_created_at_index" ON "ad_deliveries" USING btree ("created_at");