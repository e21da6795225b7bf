CREATE TYPE "public"."account_status" AS ENUM('ACTIVE', 'INACTIVE', 'PENDING_ACTIVATION', 'SUSPENDED', 'BANNED', 'ARCHIVED');--> statement-breakpoint
CREATE TYPE "public"."asset_kind" AS ENUM('film', 'episode');--> statement-breakpoint
CREATE TYPE "public"."availability" AS ENUM('preparing', 'ready', 'failed', 'withdrawn');--> statement-breakpoint
CREATE TYPE "public"."category_kind" AS ENUM('category', 'series', 'season');--> statement-breakpoint
CREATE TYPE "public"."media_kind" AS ENUM('main', 'trailer');--> statement-breakpoint
CREATE TYPE "public"."channel_kind" AS ENUM('library', 'relay', 'live');--> statement-breakpoint
CREATE TYPE "public"."schedule_entry_kind" AS ENUM('programme', 'filler');--> statement-breakpoint
CREATE TYPE "public"."import_kind" AS ENUM('film', 'episode', 'trailer', 'channel');--> statement-breakpoint
CREATE TYPE "public"."import_state" AS ENUM('waiting', 'making', 'probing', 'encoding', 'packaging', 'publishing', 'ready', 'failed', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."search_kind" AS ENUM('film', 'episode', 'series', 'channel', 'programme');--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" serial PRIMARY KEY NOT NULL,
	"storefront_id" integer NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"language" text DEFAULT 'fra' NOT NULL,
	"status" "account_status" DEFAULT 'ACTIVE' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" serial PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"name" text NOT NULL,
	"language" text DEFAULT 'fra' NOT NULL,
	"kid" boolean DEFAULT false NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"maximum_morality_level" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "asset_categories" (
	"category_id" integer NOT NULL,
	"asset_id" integer NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "asset_categories_category_id_asset_id_pk" PRIMARY KEY("category_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "asset_kind" NOT NULL,
	"source_key" text NOT NULL,
	"titles" jsonb NOT NULL,
	"descriptions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"taglines" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"year" integer,
	"premiered" text,
	"studio" text,
	"duration_seconds" double precision DEFAULT 0 NOT NULL,
	"morality_level" integer DEFAULT 0 NOT NULL,
	"adult" boolean DEFAULT false NOT NULL,
	"score" real,
	"genres" text[] DEFAULT '{}' NOT NULL,
	"directors" text[] DEFAULT '{}' NOT NULL,
	"actors" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"website" text,
	"custom_slug" text,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"season_id" integer,
	"serie_id" integer,
	"season_number" integer,
	"episode_number" integer,
	"marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"poster_image" text,
	"background_image" text,
	"logo_image" text,
	"thumbnail_image" text,
	"availability" "availability" DEFAULT 'preparing' NOT NULL,
	"percent" real DEFAULT 0 NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assets_sourceKey_unique" UNIQUE("source_key")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "category_kind" NOT NULL,
	"source_key" text NOT NULL,
	"parent_id" integer,
	"position" integer DEFAULT 0 NOT NULL,
	"names" jsonb NOT NULL,
	"synopses" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"taglines" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"season_number" integer,
	"year" integer,
	"morality_level" integer DEFAULT 0 NOT NULL,
	"adult" boolean DEFAULT false NOT NULL,
	"score" real,
	"genres" text[] DEFAULT '{}' NOT NULL,
	"directors" text[] DEFAULT '{}' NOT NULL,
	"actors" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"website" text,
	"poster_image" text,
	"background_image" text,
	"logo_image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "categories_sourceKey_unique" UNIQUE("source_key")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"id" text PRIMARY KEY NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"color" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "medias" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "media_kind" NOT NULL,
	"asset_id" integer,
	"category_id" integer,
	"track_set_id" text NOT NULL,
	"audio_languages" text[] DEFAULT '{}' NOT NULL,
	"subtitle_languages" text[] DEFAULT '{}' NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "track_sets" (
	"id" text PRIMARY KEY NOT NULL,
	"key" "bytea",
	"document" jsonb NOT NULL,
	"duration_seconds" double precision NOT NULL,
	"unused_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_lists" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"location" text NOT NULL,
	"defaults" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channel_lists_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "channel_kind" DEFAULT 'library' NOT NULL,
	"number" integer NOT NULL,
	"source_key" text NOT NULL,
	"names" jsonb NOT NULL,
	"descriptions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"color" text DEFAULT '#8fe9d6' NOT NULL,
	"logo_image" text,
	"logo_address" text,
	"free" boolean DEFAULT false NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"main_genre" text DEFAULT '' NOT NULL,
	"morality_level" integer DEFAULT 0 NOT NULL,
	"radio" boolean DEFAULT false NOT NULL,
	"timeshift_seconds" integer DEFAULT 0 NOT NULL,
	"guide_id" text,
	"list_id" integer,
	"source" jsonb,
	"held" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"gone_since" timestamp (3) with time zone,
	"shown" boolean GENERATED ALWAYS AS (enabled and gone_since is null) STORED,
	"rules" jsonb,
	"layout" jsonb,
	"cursor" jsonb,
	"scheduled_until" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_number_unique" UNIQUE("number"),
	CONSTRAINT "channels_sourceKey_unique" UNIQUE("source_key")
);
--> statement-breakpoint
CREATE TABLE "schedule_entries" (
	"channel_id" integer NOT NULL,
	"position" integer NOT NULL,
	"kind" "schedule_entry_kind" NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"asset_id" integer,
	"track_set_id" text NOT NULL,
	"first_segment" integer NOT NULL,
	"segment_count" integer NOT NULL,
	"media_sequence" bigint NOT NULL,
	"discontinuity_sequence" bigint NOT NULL,
	CONSTRAINT "schedule_entries_channel_id_position_pk" PRIMARY KEY("channel_id","position")
);
--> statement-breakpoint
CREATE TABLE "document_revisions" (
	"storefront_id" integer NOT NULL,
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	"document" jsonb NOT NULL,
	"author" text NOT NULL,
	"reason" text NOT NULL,
	"restores" integer,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "document_revisions_storefront_id_name_revision_pk" PRIMARY KEY("storefront_id","name","revision")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"storefront_id" integer NOT NULL,
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	CONSTRAINT "documents_storefront_id_name_pk" PRIMARY KEY("storefront_id","name")
);
--> statement-breakpoint
CREATE TABLE "editorial" (
	"id" serial PRIMARY KEY NOT NULL,
	"storefront_id" integer NOT NULL,
	"language" text NOT NULL,
	"type" text NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"author" text NOT NULL,
	"keywords" text[] NOT NULL,
	"topics" text[] NOT NULL,
	"rank" integer,
	"morality_level" integer NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"draft" boolean NOT NULL,
	"visible_from" timestamp (3) with time zone,
	"visible_to" timestamp (3) with time zone,
	"image_id" text,
	"image_alt" text NOT NULL,
	"image_credit" text NOT NULL,
	"reading_minutes" integer NOT NULL,
	"metadata" jsonb NOT NULL,
	"related" text[] NOT NULL,
	"words" "tsvector",
	"content" jsonb NOT NULL,
	"library" text NOT NULL,
	"source" text NOT NULL,
	"fingerprint" text NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_packages" (
	"account_id" integer NOT NULL,
	"package_id" integer NOT NULL,
	"status_id" integer NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone,
	CONSTRAINT "account_packages_account_id_package_id_pk" PRIMARY KEY("account_id","package_id")
);
--> statement-breakpoint
CREATE TABLE "package_assets" (
	"package_id" integer NOT NULL,
	"asset_id" integer NOT NULL,
	CONSTRAINT "package_assets_package_id_asset_id_pk" PRIMARY KEY("package_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "package_channels" (
	"package_id" integer NOT NULL,
	"channel_id" integer NOT NULL,
	CONSTRAINT "package_channels_package_id_channel_id_pk" PRIMARY KEY("package_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"names" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "packages_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "guide_sources" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"location" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"cron" text,
	"language" text DEFAULT 'fra' NOT NULL,
	"unrated_level" smallint DEFAULT 6 NOT NULL,
	"mapping" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guide_sources_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "import_runs" (
	"id" serial PRIMARY KEY NOT NULL,
	"source_id" integer,
	"list_id" integer,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"percent" real DEFAULT 0 NOT NULL,
	"failure" text,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"remarks" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "programmes" (
	"id" serial PRIMARY KEY NOT NULL,
	"channel_id" integer NOT NULL,
	"source_id" integer,
	"universal_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"asset_id" integer,
	"titles" jsonb NOT NULL,
	"subtitles" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"descriptions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"genres" text[] DEFAULT '{}' NOT NULL,
	"morality_level" smallint DEFAULT 6 NOT NULL,
	"adult" boolean DEFAULT false NOT NULL,
	"year" smallint,
	"season_number" integer,
	"episode_number" integer,
	"is_new" boolean DEFAULT false NOT NULL,
	"is_repeat" boolean DEFAULT false NOT NULL,
	"is_live" boolean DEFAULT false NOT NULL,
	"audio_languages" text[] DEFAULT '{}' NOT NULL,
	"subtitle_languages" text[] DEFAULT '{}' NOT NULL,
	"image_address" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"digest" text,
	"programme_key" text GENERATED ALWAYS AS (md5(titles::text || ' ' || morality_level::text || ' ' || adult::text)) STORED
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "import_kind" NOT NULL,
	"source" text NOT NULL,
	"library" text NOT NULL,
	"work" jsonb NOT NULL,
	"title" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" "import_state" DEFAULT 'waiting' NOT NULL,
	"percent" real DEFAULT 0 NOT NULL,
	"seconds_left" integer,
	"reason" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"took_seconds" real,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imports_source_unique" UNIQUE("source")
);
--> statement-breakpoint
CREATE TABLE "library_pictures" (
	"path" text PRIMARY KEY NOT NULL,
	"size" double precision NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	"image_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "operators_name_unique" UNIQUE("name"),
	CONSTRAINT "operators_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "seek_positions" (
	"profile_id" integer NOT NULL,
	"asset_id" integer NOT NULL,
	"seconds" double precision NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seek_positions_profile_id_asset_id_pk" PRIMARY KEY("profile_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "scores" (
	"profile_id" integer NOT NULL,
	"asset_id" integer,
	"category_id" integer,
	"score" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scores_of_one" CHECK (("scores"."asset_id" is null) <> ("scores"."category_id" is null))
);
--> statement-breakpoint
CREATE TABLE "search_documents" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" "search_kind" NOT NULL,
	"target_id" integer DEFAULT 0 NOT NULL,
	"programme_key" text DEFAULT '' NOT NULL,
	"language" text NOT NULL,
	"folded" text NOT NULL,
	"title_length" integer NOT NULL,
	"title" "tsvector" NOT NULL,
	"names" "tsvector" NOT NULL,
	"words" "tsvector" NOT NULL,
	"facets" text[] NOT NULL,
	"score" real NOT NULL,
	"morality_level" integer NOT NULL,
	"adult" boolean NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"language" text NOT NULL,
	"word" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storefronts" (
	"id" serial PRIMARY KEY NOT NULL,
	"api_key" text NOT NULL,
	"name" text NOT NULL,
	"demonstration" boolean DEFAULT false NOT NULL,
	"hosts" text[] DEFAULT '{}' NOT NULL,
	"networks" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "storefronts_apiKey_unique" UNIQUE("api_key")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_storefront_id_storefronts_id_fk" FOREIGN KEY ("storefront_id") REFERENCES "public"."storefronts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_categories" ADD CONSTRAINT "asset_categories_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_categories" ADD CONSTRAINT "asset_categories_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_season_id_categories_id_fk" FOREIGN KEY ("season_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_serie_id_categories_id_fk" FOREIGN KEY ("serie_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_poster_image_images_id_fk" FOREIGN KEY ("poster_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_background_image_images_id_fk" FOREIGN KEY ("background_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_logo_image_images_id_fk" FOREIGN KEY ("logo_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_thumbnail_image_images_id_fk" FOREIGN KEY ("thumbnail_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_parent_id_categories_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_poster_image_images_id_fk" FOREIGN KEY ("poster_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_background_image_images_id_fk" FOREIGN KEY ("background_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_logo_image_images_id_fk" FOREIGN KEY ("logo_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medias" ADD CONSTRAINT "medias_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medias" ADD CONSTRAINT "medias_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medias" ADD CONSTRAINT "medias_track_set_id_track_sets_id_fk" FOREIGN KEY ("track_set_id") REFERENCES "public"."track_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_logo_image_images_id_fk" FOREIGN KEY ("logo_image") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_list_id_channel_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."channel_lists"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_entries" ADD CONSTRAINT "schedule_entries_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_entries" ADD CONSTRAINT "schedule_entries_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_entries" ADD CONSTRAINT "schedule_entries_track_set_id_track_sets_id_fk" FOREIGN KEY ("track_set_id") REFERENCES "public"."track_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_revisions" ADD CONSTRAINT "document_revisions_storefront_id_storefronts_id_fk" FOREIGN KEY ("storefront_id") REFERENCES "public"."storefronts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_storefront_id_storefronts_id_fk" FOREIGN KEY ("storefront_id") REFERENCES "public"."storefronts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "editorial" ADD CONSTRAINT "editorial_storefront_id_storefronts_id_fk" FOREIGN KEY ("storefront_id") REFERENCES "public"."storefronts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "editorial" ADD CONSTRAINT "editorial_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_packages" ADD CONSTRAINT "account_packages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_packages" ADD CONSTRAINT "account_packages_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_assets" ADD CONSTRAINT "package_assets_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_assets" ADD CONSTRAINT "package_assets_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_channels" ADD CONSTRAINT "package_channels_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_channels" ADD CONSTRAINT "package_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_source_id_guide_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."guide_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_list_id_channel_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."channel_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programmes" ADD CONSTRAINT "programmes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programmes" ADD CONSTRAINT "programmes_source_id_guide_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."guide_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programmes" ADD CONSTRAINT "programmes_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "library_pictures" ADD CONSTRAINT "library_pictures_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seek_positions" ADD CONSTRAINT "seek_positions_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seek_positions" ADD CONSTRAINT "seek_positions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_storefront_id_email_index" ON "accounts" USING btree ("storefront_id","email");--> statement-breakpoint
CREATE INDEX "profiles_account_id_index" ON "profiles" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_one_default" ON "profiles" USING btree ("account_id") WHERE "profiles"."is_default";--> statement-breakpoint
CREATE INDEX "asset_categories_asset_id_index" ON "asset_categories" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "assets_season_id_index" ON "assets" USING btree ("season_id");--> statement-breakpoint
CREATE INDEX "assets_serie_id_index" ON "assets" USING btree ("serie_id");--> statement-breakpoint
CREATE INDEX "categories_parent_id_index" ON "categories" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "medias_asset_id_index" ON "medias" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "medias_category_id_index" ON "medias" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "channels_scheduled_until_index" ON "channels" USING btree ("scheduled_until");--> statement-breakpoint
CREATE INDEX "channels_guide_id_index" ON "channels" USING btree ("guide_id");--> statement-breakpoint
CREATE INDEX "schedule_entries_channel_id_ends_at_index" ON "schedule_entries" USING btree ("channel_id","ends_at");--> statement-breakpoint
CREATE INDEX "schedule_entries_ends_at_index" ON "schedule_entries" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "editorial_storefront_id_language_type_slug_index" ON "editorial" USING btree ("storefront_id","language","type","slug");--> statement-breakpoint
CREATE INDEX "editorial_storefront_id_library_index" ON "editorial" USING btree ("storefront_id","library");--> statement-breakpoint
CREATE INDEX "editorial_words" ON "editorial" USING gin ("words");--> statement-breakpoint
CREATE INDEX "package_assets_asset_id_index" ON "package_assets" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "package_channels_channel_id_index" ON "package_channels" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "import_runs_source_id_started_at_index" ON "import_runs" USING btree ("source_id","started_at");--> statement-breakpoint
CREATE INDEX "import_runs_list_id_started_at_index" ON "import_runs" USING btree ("list_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "programmes_channel_id_starts_at_index" ON "programmes" USING btree ("channel_id","starts_at");--> statement-breakpoint
CREATE INDEX "programmes_channel_id_ends_at_index" ON "programmes" USING btree ("channel_id","ends_at");--> statement-breakpoint
CREATE INDEX "programmes_asset_id_ends_at_index" ON "programmes" USING btree ("asset_id","ends_at");--> statement-breakpoint
CREATE INDEX "programmes_programme_key" ON "programmes" USING btree ("programme_key","ends_at") WHERE asset_id is null;--> statement-breakpoint
CREATE INDEX "programmes_ends_at_index" ON "programmes" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "imports_state_index" ON "imports" USING btree ("state");--> statement-breakpoint
CREATE INDEX "imports_library_index" ON "imports" USING btree ("library");--> statement-breakpoint
CREATE INDEX "seek_positions_recent" ON "seek_positions" USING btree ("profile_id","updated_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "scores_profile_id_asset_id_index" ON "scores" USING btree ("profile_id","asset_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scores_profile_id_category_id_index" ON "scores" USING btree ("profile_id","category_id");--> statement-breakpoint
CREATE INDEX "scores_asset_id_score_index" ON "scores" USING btree ("asset_id","score");--> statement-breakpoint
CREATE INDEX "scores_category_id_score_index" ON "scores" USING btree ("category_id","score");--> statement-breakpoint
CREATE UNIQUE INDEX "search_documents_kind_target_id_programme_key_language_index" ON "search_documents" USING btree ("kind","target_id","programme_key","language");--> statement-breakpoint
CREATE INDEX "search_title_fra" ON "search_documents" USING gin ("title") WITH (fastupdate=false) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_names_fra" ON "search_documents" USING gin ("names") WITH (fastupdate=false) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_words_fra" ON "search_documents" USING gin ("words") WITH (fastupdate=false) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_facets_fra" ON "search_documents" USING gin ("facets") WITH (fastupdate=false) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_begins_fra" ON "search_documents" USING btree ("folded" text_pattern_ops) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_score_fra" ON "search_documents" USING btree ("score" DESC NULLS LAST,"id") WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_title_eng" ON "search_documents" USING gin ("title") WITH (fastupdate=false) WHERE language = 'eng';--> statement-breakpoint
CREATE INDEX "search_names_eng" ON "search_documents" USING gin ("names") WITH (fastupdate=false) WHERE language = 'eng';--> statement-breakpoint
CREATE INDEX "search_words_eng" ON "search_documents" USING gin ("words") WITH (fastupdate=false) WHERE language = 'eng';--> statement-breakpoint
CREATE INDEX "search_facets_eng" ON "search_documents" USING gin ("facets") WITH (fastupdate=false) WHERE language = 'eng';--> statement-breakpoint
CREATE INDEX "search_begins_eng" ON "search_documents" USING btree ("folded" text_pattern_ops) WHERE language = 'eng';--> statement-breakpoint
CREATE INDEX "search_score_eng" ON "search_documents" USING btree ("score" DESC NULLS LAST,"id") WHERE language = 'eng';--> statement-breakpoint
CREATE UNIQUE INDEX "search_words_language_word_index" ON "search_words" USING btree ("language","word" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "search_near_fra" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false) WHERE language = 'fra';--> statement-breakpoint
CREATE INDEX "search_near_eng" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false) WHERE language = 'eng';