ALTER TABLE "order_items" ADD COLUMN "promotion" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "promotion" jsonb;