-- A creative counts for the storefront whose ad server named it first. Nobody knows that of earlier creatives. The default
-- is for processes of the version before, which still run while an installation is updated.
ALTER TABLE "ad_creatives" ADD COLUMN "storefront_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "ad_creatives" SET "storefront_id" = coalesce((SELECT min("id") FROM "storefronts"), 0);
