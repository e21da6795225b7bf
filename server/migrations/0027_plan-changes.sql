ALTER TABLE "order_items" ADD COLUMN "credit_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
ALTER TABLE "subscription_periods" ADD COLUMN "changes_to" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "first_period" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "changes_to" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_id_subscriptions_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_changes_to_offer_revisions_id_fk" FOREIGN KEY ("changes_to") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_changes_to_offer_revisions_id_fk" FOREIGN KEY ("changes_to") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_replaces_id_index" ON "orders" USING btree ("replaces_id") WHERE "orders"."replaces_id" is not null;