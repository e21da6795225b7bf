CREATE TABLE "screen_commands" (
	"device_id" integer NOT NULL,
	"number" integer NOT NULL,
	"profile_id" integer NOT NULL,
	"command" jsonb NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "screen_commands_device_id_number_pk" PRIMARY KEY("device_id","number")
);
--> statement-breakpoint
CREATE TABLE "screens" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"connection" text,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"last_command" integer DEFAULT 0 NOT NULL,
	"cast_by" integer,
	"state" jsonb
);
--> statement-breakpoint
ALTER TABLE "screen_commands" ADD CONSTRAINT "screen_commands_device_id_screens_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."screens"("device_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "screen_commands" ADD CONSTRAINT "screen_commands_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "screens" ADD CONSTRAINT "screens_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "screens" ADD CONSTRAINT "screens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "screens" ADD CONSTRAINT "screens_cast_by_profiles_id_fk" FOREIGN KEY ("cast_by") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "screen_commands_profile_id_index" ON "screen_commands" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "screens_account_id_index" ON "screens" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "screens_cast_by_index" ON "screens" USING btree ("cast_by");