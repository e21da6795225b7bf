import { MOST_CODES } from '@ondine/contract/vouchers'
import { type Command, CommandError } from '../../../control/commands.ts'
import { readTextFile } from '../../../control/read-text-file.ts'
import { writeTextFile } from '../../../control/write-text-file.ts'
import { generateCodes, listVouchers, withdrawVoucher } from './operated-vouchers.ts'
import { importVouchers } from './voucher-import.service.ts'
import { presentVoucher } from './vouchers.presenter.ts'

const unknown = (key: string) => new CommandError(`There is no voucher ${key}: see vouchers list.`)

export const importVouchersCommand: Command = {
  name: 'vouchers import',
  summary: 'Import vouchers and gifts from a file. On any fault nothing changes.',
  arguments: [{ name: 'file', summary: 'a YAML file, see docs/operating.md', isPath: true }],
  run: async ({ db, offers: book }, { arguments: [path = ''] }, { report }) => {
    const { faults, ...put } = await importVouchers({ db, book }, await readTextFile(path))
    if (faults.length > 0) {
      const lines = faults.map(({ line, reason }) => `  line ${line}: ${reason}`)
      throw new CommandError([`${path}: nothing was changed.`, ...lines].join('\n'))
    }
    for (const [what, keys] of Object.entries(put))
      if (keys.length > 0) report({ text: `${what}: ${keys.join(', ')}` })
  },
}

export const listVouchersCommand: Command = {
  name: 'vouchers list',
  summary: 'List the vouchers, including withdrawn ones.',
  arguments: [],
  run: async ({ db }, _input, { report }) => {
    const all = await listVouchers(db)
    if (all.length === 0)
      report({ text: 'There are no vouchers. To add some: vouchers import <vouchers.yaml>' })
    for (const voucher of all) {
      const { key, gives, offers, codes, uses, withdrawnAt } = presentVoucher(voucher)
      const scope = offers === null ? 'all offers' : offers.join(', ')
      const state = withdrawnAt === null ? '' : ', withdrawn'
      report({ text: `${key}  ${gives}  ${scope}, codes: ${codes}, uses: ${uses}${state}` })
    }
  },
}

export const generateVouchersCommand: Command = {
  name: 'vouchers generate',
  summary: 'Add a batch of codes to a voucher, and write them as CSV.',
  arguments: [
    { name: 'key', summary: 'the voucher' },
    { name: 'count', summary: `how many codes, ${MOST_CODES} at most` },
    { name: 'file', summary: 'the CSV file to write; a new one', isPath: true },
  ],
  run: async ({ db }, { arguments: [key = '', count = '', file = ''] }, { report }) => {
    const wanted = /^\d{1,6}$/.test(count) ? Number(count) : 0
    if (wanted < 1 || wanted > MOST_CODES)
      throw new CommandError(`Give a number of codes from 1 to ${MOST_CODES}, not ${count}.`)
    if ((await listVouchers(db, key)).length === 0) throw unknown(key)
    // Write an empty file first. If the file cannot be written, the command then fails before it stores codes that
    // no file contains. The file must be new, because nothing else holds the codes of an earlier batch as a list.
    await writeTextFile(file, '', { isNew: true })
    const codes = await generateCodes(db, key, wanted)
    if (!codes) throw unknown(key)
    await writeTextFile(file, `code,voucher\n${codes.map((code) => `${code},${key}\n`).join('')}`)
    report({ text: `Codes written to ${file}: ${codes.length}.` })
  },
}

export const withdrawVoucherCommand: Command = {
  name: 'vouchers withdraw',
  summary: 'Withdraw a voucher with all its codes. Orders keep their discount.',
  arguments: [{ name: 'key', summary: 'the voucher' }],
  run: async ({ db, clock }, { arguments: [key = ''] }, { report }) => {
    if (!(await withdrawVoucher(db, key, clock.now()))) throw unknown(key)
    report({ text: `${key} is not valid any more. To change that, import it again.` })
  },
}
