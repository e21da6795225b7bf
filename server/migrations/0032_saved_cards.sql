ALTER TABLE "payments" DROP CONSTRAINT "payments_of_something";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_not_negative" CHECK ("payments"."cents" >= 0);