CREATE TABLE "category_ratings" (
	"category_id" integer NOT NULL,
	"library" text NOT NULL,
	"morality_level" integer,
	"adult" boolean NOT NULL,
	CONSTRAINT "category_ratings_category_id_library_pk" PRIMARY KEY("category_id","library")
);
--> statement-breakpoint
ALTER TABLE "category_ratings" ADD CONSTRAINT "category_ratings_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;