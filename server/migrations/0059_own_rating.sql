ALTER TABLE "assets" ADD COLUMN "own_level" integer;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "own_adult" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- An episode that is stricter than its season and its series has a rating of its own.
UPDATE "assets" SET "own_level" = "assets"."morality_level", "own_adult" = "assets"."adult"
FROM "categories" AS "season", "categories" AS "series"
WHERE "season"."id" = "assets"."season_id" AND "series"."id" = "assets"."serie_id"
  AND ("assets"."morality_level" > greatest("season"."morality_level", "series"."morality_level")
    OR ("assets"."adult" AND NOT "season"."adult" AND NOT "series"."adult"));
