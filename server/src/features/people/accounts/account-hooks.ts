import type { Database, Transaction } from '../../../database/connection.ts'

/** Data of an account, by its name in the document for the account's holder. */
export type AccountData = Readonly<Record<string, readonly object[]>>

/** Functions that features above `accounts` provide. */
export interface AccountHooks {
  /**
   * Called in this order when an account is deleted, in the transaction of the deletion. Each function removes one
   * feature's rows of the account. Purchases and payments stay, because accounting must keep them. `now` is in
   * milliseconds since the Unix epoch.
   */
  onAccountForgotten: readonly ((tx: Transaction, accountId: number, now: number) => Promise<void>)[]
  /**
   * Called when the holder of an account asks for the data. Each function reads one feature's data of the account,
   * without hashes, tokens, keys and codes.
   */
  onAccountExported: readonly ((db: Database, accountId: number) => Promise<AccountData>)[]
  /**
   * Revokes approvals that were made before, such as the pairing of a television. Called in the transaction that ends
   * all sign-ins of an account.
   */
  onAccessEnded: (tx: Transaction, accountId: number) => Promise<void>
}
