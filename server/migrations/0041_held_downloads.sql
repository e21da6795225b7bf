CREATE TABLE "held_downloads" (
	"account_id" integer NOT NULL,
	"device_key" text NOT NULL,
	"asset_id" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "held_downloads_account_id_device_key_asset_id_pk" PRIMARY KEY("account_id","device_key","asset_id")
);
--> statement-breakpoint
ALTER TABLE "held_downloads" ADD CONSTRAINT "held_downloads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_downloads" ADD CONSTRAINT "held_downloads_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;