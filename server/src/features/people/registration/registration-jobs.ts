import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import { deletePendingAccounts } from '../accounts/accounts.service.ts'

const SWEEP = 'registrations-sweep'

/** How long an account that nobody activates is kept after its last registration, in milliseconds. */
const PENDING_MS = 30 * 86_400_000
/** Maximum number of accounts that are deleted in one slice. */
const MOST_GONE = 50

/** Deletes accounts that nobody has activated within 30 days. Their addresses are not confirmed. */
export async function sweepRegistrations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const pace = new Pace(MOST_GONE)
  for (;;) {
    signal?.throwIfAborted()
    const isLast = await pace.slice(
      async (most) =>
        (await deletePendingAccounts(db, { registeredUntil: now - PENDING_MS, now }, most)) < most,
    )
    if (isLast) return
  }
}

/** Starts the hourly job for {@link sweepRegistrations}. */
export async function startRegistrationJobs(context: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { jobs } = context
  await jobs.declare(SWEEP, { alone: true, retries: 0, expireSeconds: 600 })
  await jobs.work(SWEEP, async (_data, signal) => await sweepRegistrations(context, signal))
  await jobs.schedule(SWEEP, '41 * * * *')
}
