import { DEVICE_STORES } from '@ondine/contract/store-purchases'
import { boolean, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

export const deviceStore = pgEnum('device_store', DEVICE_STORES)

/** What was bought in the store of a device, with all its renewals. It belongs to one account. */
export const storePurchases = pgTable(
  'store_purchases',
  {
    id: serial().primaryKey(),
    store: deviceStore().notNull(),
    /** The original transaction of Apple, the purchase token of Google. */
    reference: text().notNull(),
    /** Null while nobody has linked it. A plan is free again once its account is deleted; what was bought once is not. */
    accountId: integer().references(() => accounts.id, { onDelete: 'set null' }),
    /** The title that is rented, where the offer is of several. */
    assetId: integer(),
    /** Whether the store renews it. */
    renews: boolean().notNull(),
    /** When the store said so last. */
    saidAt: moment().notNull(),
    /** When the store is asked again; null for never. */
    checkAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('store_purchases_once').on(table.store, table.reference),
    index().on(table.accountId),
    index().on(table.checkAt),
  ],
)

/** Payments of a purchase as the store tells of them, and the rights that were given for each. */
export const storeTransactions = pgTable(
  'store_transactions',
  {
    id: serial().primaryKey(),
    purchaseId: integer()
      .notNull()
      .references(() => storePurchases.id, { onDelete: 'cascade' }),
    /** The transaction of Apple, the order of Google. */
    reference: text().notNull(),
    productId: text().notNull(),
    /** Its terms are those of the purchase, whatever the offer says later. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    startsAt: moment().notNull(),
    /** The end of the period that it pays; null for what is bought once. */
    endsAt: moment(),
    /** Until when the store lets it play beyond its end, while it tries to charge. */
    graceUntil: moment(),
    /** When the store took it back. */
    revokedAt: moment(),
    /** When the store said this. What it said earlier changes nothing. */
    saidAt: moment().notNull(),
    /** The account that has its rights. */
    givenTo: integer(),
    /** The end that its rights were given with. */
    givenUntil: moment(),
    /** How often its rights were ended: those that come next have another source. */
    turn: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('store_transactions_once').on(table.purchaseId, table.reference, table.productId),
    index().on(table.offerRevisionId),
    index().on(table.givenTo),
  ],
)
