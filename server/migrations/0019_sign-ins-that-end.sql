CREATE TABLE "sign_in_endings" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"sign_in" text,
	"device_id" integer,
	"before" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "sign_in" text DEFAULT '';--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "child_profile_id" integer;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_child_profile_id_profiles_id_fk" FOREIGN KEY ("child_profile_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;