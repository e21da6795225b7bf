import { DEVICE_STORES } from '@ondine/contract/store-purchases'
import { boolean, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

export const deviceStore = pgEnum('device_store', DEVICE_STORES)

/** Purchases in the app stores of devices, with all their renewals. A purchase belongs to one account at most. */
export const storePurchases = pgTable(
  'store_purchases',
  {
    id: serial().primaryKey(),
    store: deviceStore().notNull(),
    /** Apple's original transaction, or Google's purchase token. */
    reference: text().notNull(),
    /**
     * Null while the purchase is not linked to an account. When an account is deleted, its subscriptions are unlinked
     * from it. Its one-time purchases stay linked.
     */
    accountId: integer().references(() => accounts.id, { onDelete: 'set null' }),
    /** The title that the buyer chose; null for an offer without a choice. */
    assetId: integer(),
    /** Whether the store renews the purchase. */
    renews: boolean().notNull(),
    /** Time of the store's last statement about the purchase. */
    saidAt: moment().notNull(),
    /** When the store is queried again; null for never. */
    checkAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('store_purchases_once').on(table.store, table.reference),
    index().on(table.accountId),
    index().on(table.checkAt),
  ],
)

/** Payments of a purchase as reported by the store, and the rights granted for each. */
export const storeTransactions = pgTable(
  'store_transactions',
  {
    id: serial().primaryKey(),
    purchaseId: integer()
      .notNull()
      .references(() => storePurchases.id, { onDelete: 'cascade' }),
    /** Apple's transaction, or Google's order. */
    reference: text().notNull(),
    productId: text().notNull(),
    /** The terms of the purchase. Later changes of the offer do not affect them. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    startsAt: moment().notNull(),
    /** End of the paid period; null for a one-time purchase. */
    endsAt: moment(),
    /** Until when the purchase gives access after its end, while the store retries the charge. */
    graceUntil: moment(),
    /** When the store revoked the transaction. */
    revokedAt: moment(),
    /** Time of the last statement that was applied. Earlier statements change nothing. */
    saidAt: moment().notNull(),
    /** Account that has the rights of the transaction. */
    givenTo: integer(),
    /** End of the rights that were given. */
    givenUntil: moment(),
    /**
     * Number of times that the rights of the transaction were ended. Rights that are granted again need
     * another source.
     */
    turn: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('store_transactions_once').on(table.purchaseId, table.reference, table.productId),
    index().on(table.offerRevisionId),
    index().on(table.givenTo),
  ],
)
