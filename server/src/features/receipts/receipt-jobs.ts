import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { eq } from 'drizzle-orm'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connection.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import { findAccount } from '../accounts/accounts.service.ts'
import type { Mail } from '../mail/mail.service.ts'
import { unsentReceipts } from './receipts.service.ts'
import { receipts } from './receipts.table.ts'

const SEND = 'receipts-send'
/** Receipts that are read at a time. */
const SLICE = 100

interface Parts {
  db: Database
  clock: Clock
  mail: Mail
}

/**
 * Hands receipts over to be sent by e-mail. One that was interrupted in between is handed over again.
 *
 * @returns how many were handed over
 */
export async function sendReceipts({ db, clock, mail }: Parts, signal?: AbortSignal): Promise<number> {
  for (let sent = 0; ; ) {
    const some = await unsentReceipts(db, SLICE)
    for (const { id, kind, accountId, language } of some) {
      signal?.throwIfAborted()
      const account = await findAccount(db, accountId)
      if (account)
        await mail.order({
          letter: kind === 'receipt' ? 'receipt' : 'refund',
          storefrontId: account.storefrontId,
          origin: '',
          language: isLanguage(language) ? bundledLanguage(language) : DEFAULT_LANGUAGE,
          accountId,
          receiptId: id,
        })
      await db.update(receipts).set({ mailedAt: clock.now() }).where(eq(receipts.id, id))
      sent += 1
    }
    if (some.length < SLICE) return sent
  }
}

/** Sends receipts every minute. */
export async function startReceiptJobs(jobs: JobQueue, parts: Parts): Promise<void> {
  await jobs.declare(SEND, { alone: true, retries: 0, expireSeconds: 600 })
  await jobs.work(SEND, async (_data, signal) => {
    await sendReceipts(parts, signal)
  })
  await jobs.schedule(SEND, '* * * * *')
}
