import { month as monthSchema } from '@ondine/contract/ledger'
import { type Command, CommandError } from '../../../control/commands.ts'
import { writeTextFile } from '../../../control/write-text-file.ts'
import { checkLedger } from './check-ledger.ts'
import { exportLedger } from './export-ledger.ts'

export const checkLedgerCommand: Command = {
  name: 'ledger check',
  summary: 'Compare orders, payments, rights, receipts, the ledger and the books of the providers.',
  arguments: [],
  run: async (context, _input, { report }) => {
    const { orders, payments, faults } = await checkLedger(context)
    if (faults.length > 0)
      throw new CommandError(
        [
          `${faults.length} do not match:`,
          ...faults.map(({ subject, fault }) => `  ${subject}: ${fault}`),
        ].join('\n'),
      )
    report({ text: `All match: ${orders} orders, ${payments} payments.` })
  },
}

export const exportLedgerCommand: Command = {
  name: 'ledger export',
  summary: 'Write the entries of the ledger of a month as CSV.',
  arguments: [{ name: 'file', summary: 'the CSV file to write', isPath: true }],
  options: [{ flags: '--month <month>', summary: 'a month of UTC, such as 2026-01' }],
  run: async ({ db }, { arguments: [file = ''], options }, { report }) => {
    const month = monthSchema.safeParse(options.month)
    if (!month.success) throw new CommandError('Give a month, such as --month 2026-01.')
    const csv = await exportLedger(db, month.data)
    await writeTextFile(file, csv)
    report({ text: `Wrote ${csv.split('\n').length - 2} entries of ${month.data} to ${file}.` })
  },
}
