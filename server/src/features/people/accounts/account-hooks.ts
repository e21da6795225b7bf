import type { Transaction } from '../../../database/connection.ts'

/** What the features above do when an account changes. Both run in the transaction of the change. */
export interface AccountHooks {
  /**
   * Removes what features store for an account that is deleted, in the order of the list. Purchases and payments stay,
   * because accounting must keep them. `now` is in milliseconds since the Unix epoch.
   */
  onAccountForgotten: readonly ((tx: Transaction, accountId: number, now: number) => Promise<void>)[]
  /** Revokes what was approved before the password was changed. */
  onPasswordChanged: (tx: Transaction, accountId: number) => Promise<void>
}
