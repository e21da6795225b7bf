import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import type { Context } from '../../../context.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { receiptFile } from './receipt-file.ts'
import { presentReceipt } from './receipts.presenter.ts'
import { findReceipt, receiptsOf } from './receipts.service.ts'

export function registerReceipts(on: On, { viewers, db }: Pick<Context, 'viewers' | 'db'>): void {
  on(listReceipts, async (_input, call) => {
    // Reject tokens that are no longer valid. A suspended account may still read its receipts.
    await viewers.of(call, call.now)
    const all = await receiptsOf(db, call.account.id)
    return all.map((receipt) => presentReceipt(receipt, call.language))
  })

  on(readReceipt, async ({ idReceipt }, call) => {
    await viewers.of(call, call.now)
    const receipt = await findReceipt(db, idReceipt)
    if (receipt?.accountId !== call.account.id) throw notFoundBy('idReceipt')
    const { filename, content } = await receiptFile(db, receipt)
    call.reply
      .type('application/pdf')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="${filename}"`)
    return content
  })
}
