import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offers } from '../../rights/offers/offers.table.ts'
import { documentRevisions } from '../../settings/documents/documents.table.ts'
import { editorial } from '../../viewing/editorial/editorial.table.ts'

/** Tables that get rows only from the work of an operator, or from viewers. */
const CONTENT = [accounts, assets, channels, offers, documentRevisions, editorial]

/** Returns whether nobody has put anything into the installation, so that the demonstration may use it. */
export async function isUnused(db: Database): Promise<boolean> {
  const counts = await Promise.all(CONTENT.map(async (table) => await db.$count(table)))
  return counts.every((count) => count === 0)
}
