CREATE TABLE "forgotten_images" (
	"id" text PRIMARY KEY NOT NULL,
	"forgotten_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL
);
