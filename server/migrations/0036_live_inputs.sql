CREATE TABLE "live_inputs" (
	"id" serial PRIMARY KEY NOT NULL,
	"channel_id" integer NOT NULL,
	"address" text NOT NULL,
	"spare_address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "live_inputs_channelId_unique" UNIQUE("channel_id")
);
--> statement-breakpoint
CREATE TABLE "live_receivers" (
	"input_id" integer PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"status" jsonb
);
--> statement-breakpoint
CREATE TABLE "live_sets" (
	"channel_id" integer NOT NULL,
	"position" integer NOT NULL,
	"track_set_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"joint" text NOT NULL,
	"media_sequence" bigint NOT NULL,
	"discontinuity_sequence" bigint NOT NULL,
	CONSTRAINT "live_sets_channel_id_position_pk" PRIMARY KEY("channel_id","position"),
	CONSTRAINT "live_sets_trackSetId_unique" UNIQUE("track_set_id")
);
--> statement-breakpoint
ALTER TABLE "track_sets" ADD COLUMN "is_growing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "live_inputs" ADD CONSTRAINT "live_inputs_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_receivers" ADD CONSTRAINT "live_receivers_input_id_live_inputs_id_fk" FOREIGN KEY ("input_id") REFERENCES "public"."live_inputs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_sets" ADD CONSTRAINT "live_sets_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_sets" ADD CONSTRAINT "live_sets_track_set_id_track_sets_id_fk" FOREIGN KEY ("track_set_id") REFERENCES "public"."track_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "live_sets_channel_id_ends_at_index" ON "live_sets" USING btree ("channel_id","ends_at");--> statement-breakpoint
CREATE INDEX "live_sets_ends_at_index" ON "live_sets" USING btree ("ends_at");