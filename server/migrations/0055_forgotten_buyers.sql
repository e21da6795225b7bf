UPDATE "receipts" SET "buyer" = '[]' FROM "accounts" WHERE "accounts"."id" = "receipts"."account_id" AND "accounts"."status" = 'ARCHIVED';
