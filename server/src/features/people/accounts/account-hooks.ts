import type { Transaction } from '../../../database/connection.ts'

/** Hooks of features above accounts. All run in the transaction of the change. */
export interface AccountHooks {
  /**
   * Removes the rows that features store for a deleted account, in the order of the list. Purchases and payments stay,
   * because accounting must keep them. `now` is in milliseconds since the Unix epoch.
   */
  onAccountForgotten: readonly ((tx: Transaction, accountId: number, now: number) => Promise<void>)[]
  /** Revokes everything that was approved before the password changed. */
  onPasswordChanged: (tx: Transaction, accountId: number) => Promise<void>
}
