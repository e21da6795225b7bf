import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import type { assets } from '../../inventory/titles/titles.table.ts'

export type RemovedTitle = Pick<typeof assets.$inferSelect, 'id' | 'moralityLevel' | 'adult'>

/** What the features above the library do, and know, when a title is removed. */
export interface TitleHooks {
  /** Each changes what refers to the title and stays without it, in the transaction of the removal. */
  onTitleRemoved: readonly ((tx: Transaction, title: RemovedTitle) => Promise<void>)[]
  /** SQL conditions, one for each feature: whether one of its rows uses the picture with the id `imageId`. */
  namesPicture: readonly ((tx: Transaction, imageId: AnyPgColumn) => SQL)[]
}
