ALTER TABLE "document_revisions" ADD COLUMN "is_undo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Marks the revisions that undo made. They restore exactly what undo would have restored at their time.
UPDATE "document_revisions" AS "made" SET "is_undo" = true
FROM "document_revisions" AS "base" LEFT JOIN "document_revisions" AS "target"
  ON "target"."storefront_id" = "base"."storefront_id" AND "target"."name" = "base"."name"
  AND "target"."revision" = coalesce("base"."restores", "base"."revision") - 1
WHERE "base"."storefront_id" = "made"."storefront_id" AND "base"."name" = "made"."name"
  AND "base"."revision" = "made"."revision" - 1
  AND "made"."restores" = coalesce("target"."restores", coalesce("base"."restores", "base"."revision") - 1);
