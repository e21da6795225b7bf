CREATE TYPE "public"."grant_source" AS ENUM('subscription', 'rental', 'payPerView', 'gift', 'operator');--> statement-breakpoint
CREATE TABLE "grants" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"package_id" integer,
	"asset_id" integer,
	"category_id" integer,
	"channel_id" integer,
	"status_id" integer NOT NULL,
	"source" "grant_source" NOT NULL,
	"source_id" text NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone,
	"slot_seconds" integer,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grants_once" UNIQUE NULLS NOT DISTINCT("account_id","source","source_id","package_id","asset_id","category_id","channel_id"),
	CONSTRAINT "grants_open_one" CHECK (num_nonnulls("grants"."package_id", "grants"."asset_id", "grants"."category_id", "grants"."channel_id") = 1)
);
--> statement-breakpoint
-- What accounts held stays theirs. Nothing was sold before: it was given by operators.
INSERT INTO "grants" ("account_id", "package_id", "status_id", "source", "source_id", "valid_from", "valid_to")
	SELECT "account_id", "package_id", "status_id", 'operator', 'before grants', "valid_from", "valid_to" FROM "account_packages";--> statement-breakpoint
DROP TABLE "account_packages" CASCADE;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "grants_account_id_index" ON "grants" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "grants_package_id_index" ON "grants" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "grants_asset_id_index" ON "grants" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "grants_category_id_index" ON "grants" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "grants_channel_id_index" ON "grants" USING btree ("channel_id");