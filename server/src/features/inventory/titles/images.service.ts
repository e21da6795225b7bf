import type { Transaction } from '../../../database/connection.ts'
import { images } from './titles.table.ts'

/** Inserts rows for pictures in the image store. Does not change existing rows. */
export async function insertImages(
  tx: Transaction,
  stored: readonly (typeof images.$inferInsert)[],
): Promise<void> {
  if (stored.length > 0)
    await tx
      .insert(images)
      .values([...stored])
      .onConflictDoNothing()
}
