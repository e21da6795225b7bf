CREATE TABLE "stripe_customers" (
	"customer" text PRIMARY KEY NOT NULL,
	"request_key" text NOT NULL,
	"stripe_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stripe_customers_stripeId_unique" UNIQUE("stripe_id")
);
--> statement-breakpoint
CREATE TABLE "stripe_payments" (
	"key" text PRIMARY KEY NOT NULL,
	"way" text NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"object_id" text,
	"confirmed_card" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "stripe_payments" ADD CONSTRAINT "stripe_payments_key_payments_key_fk" FOREIGN KEY ("key") REFERENCES "public"."payments"("key") ON DELETE no action ON UPDATE no action;