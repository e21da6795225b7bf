CREATE TABLE "recorded_programmes" (
	"id" serial PRIMARY KEY NOT NULL,
	"channel_id" integer NOT NULL,
	"programme_id" integer,
	"universal_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"pinned_from" timestamp (3) with time zone NOT NULL,
	"pinned_to" timestamp (3) with time zone NOT NULL,
	"other_starts" jsonb NOT NULL,
	"asset_id" integer,
	"titles" jsonb NOT NULL,
	"subtitles" jsonb NOT NULL,
	"descriptions" jsonb NOT NULL,
	"genres" text[] NOT NULL,
	"morality_level" smallint NOT NULL,
	"adult" boolean NOT NULL,
	"season_number" integer,
	"episode_number" integer,
	"image_address" text,
	"image_id" text,
	"dropped_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"missing_seconds" integer DEFAULT 0 NOT NULL,
	"failed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"profile_id" integer NOT NULL,
	"recorded_programme_id" integer NOT NULL,
	"package_ids" integer[] NOT NULL,
	"series_recording_id" integer,
	"stopped_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"lost_since" timestamp (3) with time zone,
	"watched_to" timestamp (3) with time zone,
	"watched_at" timestamp (3) with time zone,
	"playing_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recordings_profileId_recordedProgrammeId_unique" UNIQUE("profile_id","recorded_programme_id")
);
--> statement-breakpoint
CREATE TABLE "series_recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"profile_id" integer NOT NULL,
	"category_id" integer,
	"titles" jsonb NOT NULL,
	"episodes" text NOT NULL,
	"channel_id" integer,
	"keep_last" integer,
	"handled" text[] DEFAULT '{}' NOT NULL,
	"is_full" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "recording_hours" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "playing" ADD COLUMN "recording_id" integer;--> statement-breakpoint
ALTER TABLE "recorded_programmes" ADD CONSTRAINT "recorded_programmes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recorded_programmes" ADD CONSTRAINT "recorded_programmes_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recorded_programmes" ADD CONSTRAINT "recorded_programmes_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_recorded_programme_id_recorded_programmes_id_fk" FOREIGN KEY ("recorded_programme_id") REFERENCES "public"."recorded_programmes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_series_recording_id_series_recordings_id_fk" FOREIGN KEY ("series_recording_id") REFERENCES "public"."series_recordings"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_recordings" ADD CONSTRAINT "series_recordings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_recordings" ADD CONSTRAINT "series_recordings_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_recordings" ADD CONSTRAINT "series_recordings_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_recordings" ADD CONSTRAINT "series_recordings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recorded_programmes_channel_id_pinned_to_index" ON "recorded_programmes" USING btree ("channel_id","pinned_to");--> statement-breakpoint
CREATE INDEX "recorded_programmes_programme_id_index" ON "recorded_programmes" USING btree ("programme_id");--> statement-breakpoint
CREATE INDEX "recorded_programmes_asset_id_index" ON "recorded_programmes" USING btree ("asset_id") WHERE asset_id is not null;--> statement-breakpoint
CREATE INDEX "recorded_programmes_image_id_index" ON "recorded_programmes" USING btree ("image_id") WHERE image_id is not null;--> statement-breakpoint
CREATE INDEX "recorded_programmes_unsettled" ON "recorded_programmes" USING btree ("id") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "recordings_account_id_index" ON "recordings" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "recordings_recorded_programme_id_index" ON "recordings" USING btree ("recorded_programme_id");--> statement-breakpoint
CREATE INDEX "recordings_series_recording_id_index" ON "recordings" USING btree ("series_recording_id") WHERE series_recording_id is not null;--> statement-breakpoint
CREATE INDEX "recordings_removed_at_index" ON "recordings" USING btree ("removed_at") WHERE removed_at is not null;--> statement-breakpoint
CREATE INDEX "series_recordings_profile_id_index" ON "series_recordings" USING btree ("profile_id");