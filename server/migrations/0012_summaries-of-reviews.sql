CREATE TABLE "review_summaries" (
	"id" serial PRIMARY KEY NOT NULL,
	"asset_id" integer,
	"category_id" integer,
	"texts" jsonb NOT NULL,
	CONSTRAINT "review_summaries_assetId_unique" UNIQUE("asset_id"),
	CONSTRAINT "review_summaries_categoryId_unique" UNIQUE("category_id"),
	CONSTRAINT "review_summaries_of_one" CHECK (("review_summaries"."asset_id" is null) <> ("review_summaries"."category_id" is null))
);
--> statement-breakpoint
ALTER TABLE "review_summaries" ADD CONSTRAINT "review_summaries_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_summaries" ADD CONSTRAINT "review_summaries_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;