ALTER TYPE "public"."grant_source" ADD VALUE 'subscriptionService';--> statement-breakpoint
CREATE TABLE "service_customers" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"email" text NOT NULL,
	"check_at" timestamp (3) with time zone NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_customers_customerId_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "service_subscriptions" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"reference" text NOT NULL,
	"offer_revision_id" integer NOT NULL,
	"status_id" integer NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service_customers" ADD CONSTRAINT "service_customers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_subscriptions" ADD CONSTRAINT "service_subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_subscriptions" ADD CONSTRAINT "service_subscriptions_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "service_customers_check_at_index" ON "service_customers" USING btree ("check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "service_subscriptions_once" ON "service_subscriptions" USING btree ("account_id","reference","offer_revision_id") WHERE "service_subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "service_subscriptions_account_id_index" ON "service_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "service_subscriptions_offer_revision_id_index" ON "service_subscriptions" USING btree ("offer_revision_id");