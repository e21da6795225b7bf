import { sql } from 'drizzle-orm'
import { check, integer, pgEnum, pgTable, primaryKey, serial, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { payments } from './payments.table.ts'

/** Why money moved: a provider received it, something was sold for it, or it went back. */
export const ledgerKind = pgEnum('ledger_kind', ['payment', 'sale', 'refund'])

/**
 * Accounts of the ledger. `provider`: money that a provider holds for the operator. `customers`: money of customers that nothing was
 * sold for yet. `sales`: turnover without VAT. `vat`: VAT that is owed to the state.
 */
export const ledgerAccount = pgEnum('ledger_account', ['provider', 'customers', 'sales', 'vat'])

/** Movements of money. Rows are added only, and each has entries that sum to zero: triggers enforce both (`ledger.index.sql`). */
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

/** Entries of movements, in cents: what an account of the ledger receives is positive. */
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
