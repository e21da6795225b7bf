ALTER TABLE "grants" ADD COLUMN "downloads" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE "grants" SET "downloads" = false
FROM "order_items" JOIN "offer_revisions" ON "offer_revisions"."id" = "order_items"."offer_revision_id"
WHERE "grants"."source" IN ('subscription', 'rental', 'payPerView')
  AND "grants"."source_id" = "order_items"."id"::text
  AND "offer_revisions"."terms" ->> 'downloads' = 'false';