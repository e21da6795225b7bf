CREATE TABLE "ad_breaks" (
	"session_id" text NOT NULL,
	"marked_at" timestamp (3) with time zone NOT NULL,
	"aired" jsonb NOT NULL,
	"numbers" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ad_breaks_session_id_marked_at_pk" PRIMARY KEY("session_id","marked_at")
);
--> statement-breakpoint
CREATE TABLE "ad_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"storefront_id" integer NOT NULL,
	"macros" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ad_breaks_created_at_index" ON "ad_breaks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "ad_sessions_created_at_index" ON "ad_sessions" USING btree ("created_at");