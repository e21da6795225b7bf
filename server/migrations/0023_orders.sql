CREATE TYPE "public"."order_state" AS ENUM('submitted', 'to_execute', 'executed', 'failed', 'expired');--> statement-breakpoint
CREATE TYPE "public"."ledger_account" AS ENUM('provider', 'customers', 'sales', 'vat');--> statement-breakpoint
CREATE TYPE "public"."ledger_kind" AS ENUM('payment', 'sale', 'refund');--> statement-breakpoint
CREATE TYPE "public"."payment_state" AS ENUM('open', 'succeeded', 'failed', 'refundDue', 'refunded');--> statement-breakpoint
CREATE TYPE "public"."sandbox_state" AS ENUM('open', 'processing', 'succeeded', 'failed', 'refunded');--> statement-breakpoint
CREATE TABLE "cart_items" (
	"account_id" integer NOT NULL,
	"position" integer NOT NULL,
	"offer_revision_id" integer NOT NULL,
	"asset_id" integer,
	CONSTRAINT "cart_items_account_id_position_pk" PRIMARY KEY("account_id","position")
);
--> statement-breakpoint
CREATE TABLE "order_items" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"offer_revision_id" integer NOT NULL,
	"asset_id" integer,
	"cents" integer NOT NULL,
	"trial_days" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"state" "order_state" NOT NULL,
	"content" text NOT NULL,
	"cents" integer NOT NULL,
	"vat_basis_points" integer NOT NULL,
	"payment_id" integer,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_paymentId_unique" UNIQUE("payment_id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"plan" text NOT NULL,
	"offer_revision_id" integer NOT NULL,
	"order_item_id" integer NOT NULL,
	"status_id" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"period" integer NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"period_end" timestamp (3) with time zone NOT NULL,
	"had_trial" boolean NOT NULL,
	"method_id" integer,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_orderItemId_unique" UNIQUE("order_item_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"movement_id" integer NOT NULL,
	"account" "ledger_account" NOT NULL,
	"cents" integer NOT NULL,
	CONSTRAINT "ledger_entries_movement_id_account_pk" PRIMARY KEY("movement_id","account"),
	CONSTRAINT "ledger_entries_of_something" CHECK ("ledger_entries"."cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_movements" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "ledger_kind" NOT NULL,
	"payment_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_movements_paymentId_kind_unique" UNIQUE("payment_id","kind")
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"brand" text NOT NULL,
	"last_digits" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_methods_provider_reference_unique" UNIQUE("provider","reference")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"provider" text NOT NULL,
	"key" text NOT NULL,
	"state" "payment_state" DEFAULT 'open' NOT NULL,
	"cents" integer NOT NULL,
	"description" text NOT NULL,
	"language" text NOT NULL,
	"return_url" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"method_id" integer,
	"paid_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_key_unique" UNIQUE("key"),
	CONSTRAINT "payments_of_something" CHECK ("payments"."cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_cards" (
	"id" serial PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"customer" text NOT NULL,
	"number" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_cards_token_unique" UNIQUE("token"),
	CONSTRAINT "sandbox_cards_customer_number_unique" UNIQUE("customer","number")
);
--> statement-breakpoint
CREATE TABLE "sandbox_merchants" (
	"id" integer PRIMARY KEY NOT NULL,
	"notice_secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_notices" (
	"id" serial PRIMARY KEY NOT NULL,
	"payment_id" integer NOT NULL,
	"says" "sandbox_state" NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_payments" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"token" text NOT NULL,
	"state" "sandbox_state" DEFAULT 'open' NOT NULL,
	"cents" integer NOT NULL,
	"description" text NOT NULL,
	"language" text NOT NULL,
	"return_url" text NOT NULL,
	"customer" text NOT NULL,
	"page_url" text NOT NULL,
	"notices" text DEFAULT 'prompt' NOT NULL,
	"card" text,
	"needs_confirmation" boolean DEFAULT false NOT NULL,
	"is_declined" boolean DEFAULT false NOT NULL,
	"answers_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_payments_key_unique" UNIQUE("key"),
	CONSTRAINT "sandbox_payments_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_order_item_id_order_items_id_fk" FOREIGN KEY ("order_item_id") REFERENCES "public"."order_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_method_id_payment_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_movement_id_ledger_movements_id_fk" FOREIGN KEY ("movement_id") REFERENCES "public"."ledger_movements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_movements" ADD CONSTRAINT "ledger_movements_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_method_id_payment_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_notices" ADD CONSTRAINT "sandbox_notices_payment_id_sandbox_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."sandbox_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_items_order_id_index" ON "order_items" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_items_offer_revision_id_index" ON "order_items" USING btree ("offer_revision_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_open_once" ON "orders" USING btree ("account_id","content") WHERE "orders"."state" in ('submitted', 'to_execute');--> statement-breakpoint
CREATE INDEX "orders_account_id_index" ON "orders" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "orders_id_index" ON "orders" USING btree ("id") WHERE "orders"."state" in ('submitted', 'to_execute');--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_plan_once" ON "subscriptions" USING btree ("account_id","plan") WHERE "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "subscriptions_method_id_index" ON "subscriptions" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "subscriptions_period_end_index" ON "subscriptions" USING btree ("period_end") WHERE "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payment_methods_account_id_index" ON "payment_methods" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payments_account_id_index" ON "payments" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payments_method_id_index" ON "payments" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "payments_expires_at_index" ON "payments" USING btree ("expires_at") WHERE "payments"."state" = 'open';--> statement-breakpoint
CREATE INDEX "payments_id_index" ON "payments" USING btree ("id") WHERE "payments"."state" = 'refundDue';--> statement-breakpoint
CREATE INDEX "sandbox_notices_due_at_index" ON "sandbox_notices" USING btree ("due_at") WHERE "sandbox_notices"."done_at" is null;--> statement-breakpoint
CREATE INDEX "sandbox_payments_answers_at_index" ON "sandbox_payments" USING btree ("answers_at") WHERE "sandbox_payments"."state" = 'processing';