import {
  generateVoucherCodes,
  importVouchers,
  listVouchers,
  withdrawVoucher,
} from '@ondine/contract/vouchers'
import type { Context } from '../../../context.ts'
import { invalidFields, notFoundBy } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import * as operated from './operated-vouchers.ts'
import { importVouchers as takeVouchers } from './voucher-import.service.ts'
import { presentVoucher } from './vouchers.presenter.ts'

export function registerVouchers(on: On, { db, offers: book }: Pick<Context, 'db' | 'offers'>): void {
  on(importVouchers, async ({ file }) => {
    const { faults, ...put } = await takeVouchers({ db, book }, file)
    if (faults.length > 0)
      throw invalidFields(
        faults.map(({ line, reason }) => ({ field: 'file', message: `line ${line}: ${reason}` })),
      )
    return put
  })

  on(listVouchers, async () => (await operated.listVouchers(db)).map(presentVoucher))

  on(generateVoucherCodes, async ({ key, count }) => {
    const codes = await operated.generateCodes(db, key, count)
    if (!codes) throw notFoundBy('key')
    return { codes }
  })

  on(withdrawVoucher, async ({ key }, { now }) => {
    await operated.withdrawVoucher(db, key, now)
    const [voucher] = await operated.listVouchers(db, key)
    if (!voucher) throw notFoundBy('key')
    return presentVoucher(voucher)
  })
}
