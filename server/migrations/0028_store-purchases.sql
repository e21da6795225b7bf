CREATE TYPE "public"."device_store" AS ENUM('apple', 'google');--> statement-breakpoint
ALTER TYPE "public"."grant_source" ADD VALUE 'store';--> statement-breakpoint
CREATE TABLE "store_purchases" (
	"id" serial PRIMARY KEY NOT NULL,
	"store" "device_store" NOT NULL,
	"reference" text NOT NULL,
	"account_id" integer,
	"asset_id" integer,
	"renews" boolean NOT NULL,
	"said_at" timestamp (3) with time zone NOT NULL,
	"check_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "store_purchases_once" UNIQUE("store","reference")
);
--> statement-breakpoint
CREATE TABLE "store_transactions" (
	"id" serial PRIMARY KEY NOT NULL,
	"purchase_id" integer NOT NULL,
	"reference" text NOT NULL,
	"product_id" text NOT NULL,
	"offer_revision_id" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"grace_until" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"said_at" timestamp (3) with time zone NOT NULL,
	"given_to" integer,
	"given_until" timestamp (3) with time zone,
	"turn" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "store_transactions_once" UNIQUE("purchase_id","reference","product_id")
);
--> statement-breakpoint
ALTER TABLE "store_purchases" ADD CONSTRAINT "store_purchases_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store_transactions" ADD CONSTRAINT "store_transactions_purchase_id_store_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."store_purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store_transactions" ADD CONSTRAINT "store_transactions_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "store_purchases_account_id_index" ON "store_purchases" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "store_purchases_check_at_index" ON "store_purchases" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "store_transactions_offer_revision_id_index" ON "store_transactions" USING btree ("offer_revision_id");--> statement-breakpoint
CREATE INDEX "store_transactions_given_to_index" ON "store_transactions" USING btree ("given_to");