import { checkLedger, exportLedger } from '@ondine/contract/ledger'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { checkLedger as compare } from './check-ledger.ts'
import { exportLedger as writeMonth } from './export-ledger.ts'

export function registerAccounting(on: On, context: Pick<Context, 'db' | 'clock' | 'providers'>): void {
  on(checkLedger, async () => await compare(context))

  on(exportLedger, async ({ month }) => ({ csv: await writeMonth(context.db, month) }))
}
