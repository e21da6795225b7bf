import type { Context } from '../../../context.ts'
import { rotateKeys } from './rotate-keys.ts'

const ROTATE = 'keys-rotate'
const DAY_MS = 86_400_000

/** Starts the job that creates a new signing key when the newest key has reached its maximum age. */
export async function startKeyJobs({
  db,
  jobs,
  clock,
  log,
  settings,
}: Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'settings'>): Promise<void> {
  await jobs.declare(ROTATE, { retries: 3, expireSeconds: 60 })
  await jobs.work(ROTATE, async () => {
    const key = await rotateKeys(db, clock.now(), settings.KEY_DAYS * DAY_MS)
    if (key !== undefined) log.info({ key }, 'created a new key to sign tokens with')
  })
  await jobs.schedule(ROTATE, '41 * * * *')
}
