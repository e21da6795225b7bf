CREATE TYPE "public"."period_state" AS ENUM('due', 'paid', 'unpaid', 'void');--> statement-breakpoint
CREATE TABLE "subscription_letters" (
	"id" serial PRIMARY KEY NOT NULL,
	"subscription_id" integer NOT NULL,
	"letter" text NOT NULL,
	"about" timestamp (3) with time zone NOT NULL,
	"cents" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_letters_once" UNIQUE("subscription_id","letter","about")
);
--> statement-breakpoint
CREATE TABLE "subscription_periods" (
	"id" serial PRIMARY KEY NOT NULL,
	"subscription_id" integer NOT NULL,
	"period" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"cents" integer NOT NULL,
	"state" "period_state" DEFAULT 'due' NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"declined_at" timestamp (3) with time zone,
	"graces" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_periods_once" UNIQUE("subscription_id","period")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "period_id" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_opened" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sandbox_cards" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscription_letters" ADD CONSTRAINT "subscription_letters_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscription_letters_id_index" ON "subscription_letters" USING btree ("id") WHERE "subscription_letters"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "subscription_periods_next_attempt_at_index" ON "subscription_periods" USING btree ("next_attempt_at") WHERE "subscription_periods"."state" = 'due';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_period_id_subscription_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."subscription_periods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_period_paid_once" ON "orders" USING btree ("period_id") WHERE "orders"."state" = 'executed' and "orders"."period_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_to_open" ON "subscriptions" USING btree ("period_end") WHERE "subscriptions"."ended_at" is null and not "subscriptions"."is_opened";--> statement-breakpoint
CREATE INDEX "payment_methods_expires_at_index" ON "payment_methods" USING btree ("expires_at");