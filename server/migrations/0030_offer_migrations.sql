ALTER TABLE "subscription_letters" ADD COLUMN "before_cents" integer;--> statement-breakpoint
ALTER TABLE "subscription_letters" ADD COLUMN "changes_to" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "migrates_to" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "migrates_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_migrated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_letters" ADD CONSTRAINT "subscription_letters_changes_to_offer_revisions_id_fk" FOREIGN KEY ("changes_to") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_migrates_to_offer_revisions_id_fk" FOREIGN KEY ("migrates_to") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_migration_has_a_day" CHECK (("subscriptions"."migrates_to" is null) = ("subscriptions"."migrates_from" is null));