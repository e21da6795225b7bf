CREATE TYPE "public"."receipt_kind" AS ENUM('receipt', 'creditNote');--> statement-breakpoint
ALTER TYPE "public"."attempt_kind" ADD VALUE 'voucher';--> statement-breakpoint
CREATE TABLE "cart_vouchers" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"code_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipt_counters" (
	"kind" "receipt_kind" NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counters_kind_year_pk" PRIMARY KEY("kind","year")
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "receipt_kind" NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"account_id" integer NOT NULL,
	"payment_id" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"cents" integer NOT NULL,
	"vat_basis_points" integer NOT NULL,
	"vat_cents" integer NOT NULL,
	"language" text NOT NULL,
	"seller" jsonb NOT NULL,
	"buyer" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_kind_year_number_unique" UNIQUE("kind","year","number"),
	CONSTRAINT "receipts_paymentId_kind_unique" UNIQUE("payment_id","kind"),
	CONSTRAINT "receipts_numbered" CHECK ("receipts"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "voucher_codes" (
	"id" serial PRIMARY KEY NOT NULL,
	"voucher_id" integer NOT NULL,
	"code" text NOT NULL,
	"is_generated" boolean NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voucher_codes_code_unique" UNIQUE("code"),
	CONSTRAINT "voucher_codes_uses" CHECK ("voucher_codes"."uses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "voucher_uses" (
	"id" serial PRIMARY KEY NOT NULL,
	"code_id" integer NOT NULL,
	"account_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"offer_revision_id" integer,
	"released_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vouchers" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"terms" jsonb NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vouchers_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "discount_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "voucher_use_id" integer;--> statement-breakpoint
ALTER TABLE "cart_vouchers" ADD CONSTRAINT "cart_vouchers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_vouchers" ADD CONSTRAINT "cart_vouchers_code_id_voucher_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."voucher_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_codes" ADD CONSTRAINT "voucher_codes_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_uses" ADD CONSTRAINT "voucher_uses_code_id_voucher_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."voucher_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_uses" ADD CONSTRAINT "voucher_uses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_uses" ADD CONSTRAINT "voucher_uses_offer_revision_id_offer_revisions_id_fk" FOREIGN KEY ("offer_revision_id") REFERENCES "public"."offer_revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_vouchers_code_id_index" ON "cart_vouchers" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "receipts_account_id_index" ON "receipts" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "receipts_id_index" ON "receipts" USING btree ("id") WHERE "receipts"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "voucher_codes_voucher_id_index" ON "voucher_codes" USING btree ("voucher_id");--> statement-breakpoint
CREATE INDEX "voucher_uses_code_id_index" ON "voucher_uses" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "voucher_uses_account_id_index" ON "voucher_uses" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "voucher_uses_offer_revision_id_index" ON "voucher_uses" USING btree ("offer_revision_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_voucher_use_id_voucher_uses_id_fk" FOREIGN KEY ("voucher_use_id") REFERENCES "public"."voucher_uses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_voucherUseId_unique" UNIQUE("voucher_use_id");