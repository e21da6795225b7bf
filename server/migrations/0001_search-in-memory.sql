DROP INDEX "search_title_fra";--> statement-breakpoint
DROP INDEX "search_names_fra";--> statement-breakpoint
DROP INDEX "search_words_fra";--> statement-breakpoint
DROP INDEX "search_begins_fra";--> statement-breakpoint
DROP INDEX "search_title_eng";--> statement-breakpoint
DROP INDEX "search_names_eng";--> statement-breakpoint
DROP INDEX "search_words_eng";--> statement-breakpoint
DROP INDEX "search_begins_eng";--> statement-breakpoint
DROP INDEX "search_near_fra";--> statement-breakpoint
DROP INDEX "search_near_eng";--> statement-breakpoint
DROP INDEX "search_words_language_word_index";--> statement-breakpoint
ALTER TABLE "search_words" ADD COLUMN "id" bigserial PRIMARY KEY NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "search_words_language_word_index" ON "search_words" USING btree ("language","word");--> statement-breakpoint
ALTER TABLE "search_documents" DROP COLUMN "title_length";--> statement-breakpoint
ALTER TABLE "search_documents" DROP COLUMN "title";--> statement-breakpoint
ALTER TABLE "search_documents" DROP COLUMN "names";