import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import type { assets } from '../../inventory/titles/titles.table.ts'

export type RemovedTitle = Pick<typeof assets.$inferSelect, 'id' | 'moralityLevel' | 'adult'>

/** Hooks of features above the library, for the removal of a title. */
export interface TitleHooks {
  /**
   * Updates rows that refer to the title and stay after its removal. Each function runs in the removal's
   * transaction.
   */
  onTitleRemoved: readonly ((tx: Transaction, title: RemovedTitle) => Promise<void>)[]
  /** Returns the SQL condition that a row of the feature refers to the picture `imageId`. */
  namesPicture: readonly ((tx: Transaction, imageId: AnyPgColumn) => SQL)[]
}
