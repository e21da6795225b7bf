import type { Transaction } from '../../../database/connection.ts'
import { images } from './titles.table.ts'

/** Records pictures that the image store holds. Known ones stay as they are. */
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
