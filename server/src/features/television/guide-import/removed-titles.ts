import { eq, exists, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import type { RemovedTitle } from '../../content/library/title-hooks.ts'
import { programmes } from './guide.table.ts'

/** Copies the rating of a removed title to its programmes, because the programmes stay in the guide. */
export async function keepRating(tx: Transaction, { id, moralityLevel, adult }: RemovedTitle): Promise<void> {
  await tx.update(programmes).set({ moralityLevel, adult }).where(eq(programmes.assetId, id))
}

/** Returns the SQL condition that a programme refers to the picture. */
export function programmeNamesPicture(tx: Transaction, imageId: AnyPgColumn): SQL {
  return exists(tx.select({ one: sql`1` }).from(programmes).where(eq(programmes.imageId, imageId)))
}
