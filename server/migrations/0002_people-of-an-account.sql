CREATE TYPE "public"."attempt_kind" AS ENUM('parental_code', 'pairing');--> statement-breakpoint
CREATE TABLE "attempts" (
	"account_id" integer NOT NULL,
	"kind" "attempt_kind" NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attempts_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"unique_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"last_login_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "favourites" (
	"id" serial PRIMARY KEY NOT NULL,
	"profile_id" integer NOT NULL,
	"asset_id" integer,
	"category_id" integer,
	"channel_id" integer,
	CONSTRAINT "favourites_of_one" CHECK (num_nonnulls("favourites"."asset_id", "favourites"."category_id", "favourites"."channel_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "pairings" (
	"code" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"storefront_id" integer NOT NULL,
	"user_agent" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"account_id" integer,
	"profile_id" integer,
	CONSTRAINT "pairings_secretHash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "parental_codes" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "playing" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"device_id" integer,
	"asset_id" integer,
	"channel_id" integer,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "parental_control" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "avatar_id" integer;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pairings" ADD CONSTRAINT "pairings_storefront_id_storefronts_id_fk" FOREIGN KEY ("storefront_id") REFERENCES "public"."storefronts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pairings" ADD CONSTRAINT "pairings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pairings" ADD CONSTRAINT "pairings_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parental_codes" ADD CONSTRAINT "parental_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playing" ADD CONSTRAINT "playing_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playing" ADD CONSTRAINT "playing_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "devices_account_id_unique_id_index" ON "devices" USING btree ("account_id","unique_id");--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_profile_id_asset_id_index" ON "favourites" USING btree ("profile_id","asset_id");--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_profile_id_category_id_index" ON "favourites" USING btree ("profile_id","category_id");--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_profile_id_channel_id_index" ON "favourites" USING btree ("profile_id","channel_id");--> statement-breakpoint
CREATE INDEX "playing_account_id_index" ON "playing" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_one_name" ON "profiles" USING btree ("account_id",lower("name"));