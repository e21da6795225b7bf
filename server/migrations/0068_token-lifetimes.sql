CREATE TABLE "token_lifetimes" (
	"hours" integer PRIMARY KEY NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
-- An installation may have had a longer TOKEN_HOURS lately. Its tokens live for at most 90 days, the maximum.
INSERT INTO "token_lifetimes" ("hours", "last_used_at") SELECT 2160, now() WHERE EXISTS (SELECT FROM "accounts");
