CREATE TABLE "copied_sets" (
	"copy_id" integer NOT NULL,
	"position" integer NOT NULL,
	"track_set_id" text NOT NULL,
	"source_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"joint" text,
	"is_slate" boolean NOT NULL,
	"asset_id" integer,
	"morality_level" smallint,
	"adult" boolean,
	"is_recording_forbidden" boolean NOT NULL,
	"first_segment" integer NOT NULL,
	"segment_count" integer NOT NULL,
	"media_sequence" bigint NOT NULL,
	"discontinuity_sequence" bigint NOT NULL,
	"copied_from" integer NOT NULL,
	"copied_to" integer NOT NULL,
	"next_segment" integer NOT NULL,
	CONSTRAINT "copied_sets_copy_id_position_pk" PRIMARY KEY("copy_id","position"),
	CONSTRAINT "copied_sets_trackSetId_unique" UNIQUE("track_set_id")
);
--> statement-breakpoint
CREATE TABLE "recording_copies" (
	"id" serial PRIMARY KEY NOT NULL,
	"held_by" text,
	"held_until" timestamp (3) with time zone,
	"planned_at" timestamp (3) with time zone,
	"ready_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recorded_programmes" ADD COLUMN "unpinned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "copy_id" integer;--> statement-breakpoint
ALTER TABLE "copied_sets" ADD CONSTRAINT "copied_sets_copy_id_recording_copies_id_fk" FOREIGN KEY ("copy_id") REFERENCES "public"."recording_copies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "copied_sets" ADD CONSTRAINT "copied_sets_track_set_id_track_sets_id_fk" FOREIGN KEY ("track_set_id") REFERENCES "public"."track_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "copied_sets" ADD CONSTRAINT "copied_sets_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "copied_sets_asset_id_index" ON "copied_sets" USING btree ("asset_id") WHERE asset_id is not null;--> statement-breakpoint
CREATE INDEX "recording_copies_unready" ON "recording_copies" USING btree ("id") WHERE ready_at is null;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_copy_id_recording_copies_id_fk" FOREIGN KEY ("copy_id") REFERENCES "public"."recording_copies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recordings_copy_id_index" ON "recordings" USING btree ("copy_id") WHERE copy_id is not null;