import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import type { assets } from '../../inventory/titles/titles.table.ts'

export type RemovedTitle = Pick<typeof assets.$inferSelect, 'id' | 'moralityLevel' | 'adult'>

/** Hooks by which features above the library take part in the removal of a title. */
export interface TitleHooks {
  /**
   * Each function updates rows that refer to the title and stay after its removal. It runs in the transaction of the
   * removal.
   */
  onTitleRemoved: readonly ((tx: Transaction, title: RemovedTitle) => Promise<void>)[]
  /** Each function returns the SQL condition that one of the feature's rows uses the picture with the id `imageId`. */
  namesPicture: readonly ((tx: Transaction, imageId: AnyPgColumn) => SQL)[]
}
