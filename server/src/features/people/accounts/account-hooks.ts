import type { Transaction } from '../../../database/connection.ts'

/**
 * Functions that features above `accounts` provide. They run in the transaction that deletes the account or changes its
 * password.
 */
export interface AccountHooks {
  /**
   * Called in this order when an account is deleted. Each function removes one feature's rows of the account.
   * Purchases and payments stay, because accounting must keep them. `now` is in milliseconds since the Unix epoch.
   */
  onAccountForgotten: readonly ((tx: Transaction, accountId: number, now: number) => Promise<void>)[]
  /** Revokes approvals that were made with the earlier password, such as the pairing of a television. */
  onPasswordChanged: (tx: Transaction, accountId: number) => Promise<void>
}
