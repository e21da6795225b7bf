-- The values of a text in all languages, in lower case: an index can hold them.
CREATE FUNCTION "lower_texts"("texts" jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select coalesce(array_agg(lower(value)), '{}') from jsonb_each_text(texts)
$$;--> statement-breakpoint
CREATE INDEX "assets_titles" ON "assets" USING gin (lower_texts("titles"));--> statement-breakpoint
CREATE INDEX "categories_names" ON "categories" USING gin (lower_texts("names"));