import { sql } from 'drizzle-orm'
import { check, integer, pgEnum, pgTable, primaryKey, serial, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { payments } from './payments.table.ts'

/** Kinds of movement: a provider received a payment, something was sold for a payment, or a payment was refunded. */
export const ledgerKind = pgEnum('ledger_kind', ['payment', 'sale', 'refund'])

/**
 * Accounts of the ledger. `provider`: money that a provider holds for the operator. `customers`: money that
 * customers paid but have bought nothing for yet. `sales`: turnover without VAT. `vat`: VAT owed to the state.
 */
export const ledgerAccount = pgEnum('ledger_account', ['provider', 'customers', 'sales', 'vat'])

/**
 * Movements of money. The table is append-only, and the entries of each movement sum to zero. Triggers enforce both
 * rules (`ledger.index.sql`).
 */
export const ledgerMovements = pgTable(
  'ledger_movements',
  {
    id: serial().primaryKey(),
    kind: ledgerKind().notNull(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    at: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.paymentId, table.kind)],
)

/** Entries of movements, in cents. Amounts are positive when the ledger account receives money. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    movementId: integer()
      .notNull()
      .references(() => ledgerMovements.id),
    account: ledgerAccount().notNull(),
    cents: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.movementId, table.account] }),
    check('ledger_entries_of_something', sql`${table.cents} <> 0`),
  ],
)
