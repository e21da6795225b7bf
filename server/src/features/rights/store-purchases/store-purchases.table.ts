import { DEVICE_STORES } from '@ondine/contract/store-purchases'
import { boolean, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

export const deviceStore = pgEnum('device_store', DEVICE_STORES)

/**
 * Purchases in the app stores of devices. A row covers all renewals of a purchase. A purchase belongs to at most
 * one account.
 */
export const storePurchases = pgTable(
  'store_purchases',
  {
    id: serial().primaryKey(),
    store: deviceStore().notNull(),
    /** Id of Apple's original transaction, or Google's purchase token. */
    reference: text().notNull(),
    /**
     * Account of the purchase; null if the purchase is not linked. The deletion of an account unlinks its
     * subscriptions, but not its one-time purchases.
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

/** Payments that the store has reported for a purchase, and the rights that each payment gives. */
export const storeTransactions = pgTable(
  'store_transactions',
  {
    id: serial().primaryKey(),
    purchaseId: integer()
      .notNull()
      .references(() => storePurchases.id, { onDelete: 'cascade' }),
    /** Id of Apple's transaction, or of Google's order. */
    reference: text().notNull(),
    productId: text().notNull(),
    /** The bought revision of the offer. Later revisions do not change the terms of the purchase. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    startsAt: moment().notNull(),
    /** End of the paid period; null for a one-time purchase. */
    endsAt: moment(),
    /** End of access while the store retries a failed charge; null for no grace period. */
    graceUntil: moment(),
    /** When the store revoked the transaction. */
    revokedAt: moment(),
    /** Time of the last applied statement. Earlier statements have no effect. */
    saidAt: moment().notNull(),
    /** Id of the account that has the rights of this transaction; null if no account has them. */
    givenTo: integer(),
    /** End of the rights that `givenTo` has; null for unlimited rights, or if no account has the rights. */
    givenUntil: moment(),
    /**
     * Number of times that the rights of the transaction were ended. The number is part of the source id of the
     * rights, so that they can be granted again.
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
