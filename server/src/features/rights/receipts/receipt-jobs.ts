import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import type { Mail } from '../../people/mail/mail.service.ts'
import { unsentReceipts } from './receipts.service.ts'
import { receipts } from './receipts.table.ts'

const SEND = 'receipts-send'
/**
 * Number of receipts whose e-mails are queued at a time. If the process is killed before the receipts are marked
 * as queued, at most this many e-mails are queued twice.
 */
const SLICE = 10

interface Parts {
  db: Database
  clock: Clock
  mail: Mail
}

/**
 * Queues the e-mails of receipts and credit notes that were not queued yet. An interrupted call may queue an
 * e-mail twice.
 *
 * @returns the number of receipts and credit notes
 */
export async function sendReceipts({ db, clock, mail }: Parts, signal?: AbortSignal): Promise<number> {
  for (let sent = 0; ; ) {
    signal?.throwIfAborted()
    const some = await unsentReceipts(db, SLICE)
    if (some.length === 0) return sent
    await mail.order(
      ...some.map(({ id, kind, accountId, language, storefrontId }) => ({
        letter: kind === 'receipt' ? ('receipt' as const) : ('refund' as const),
        storefrontId,
        origin: '',
        language: isLanguage(language) ? bundledLanguage(language) : DEFAULT_LANGUAGE,
        accountId,
        receiptId: id,
      })),
    )
    const ids = some.map(({ id }) => id)
    await db.update(receipts).set({ mailedAt: clock.now() }).where(oneOf(receipts.id, ids))
    sent += some.length
    if (some.length < SLICE) return sent
  }
}

/** Starts the job that sends receipts every minute. */
export async function startReceiptJobs(jobs: JobQueue, parts: Parts): Promise<void> {
  await jobs.declare(SEND, { alone: true, retries: 0, expireSeconds: 600 })
  await jobs.work(SEND, async (_data, signal) => {
    await sendReceipts(parts, signal)
  })
  await jobs.schedule(SEND, '* * * * *')
}
