import type { Registry } from 'prom-client'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { registerStoredGauge } from '../../../telemetry/stored-gauge.ts'
import { SESSION_SECONDS } from '../../streams/play-sessions/play-sessions.service.ts'
import { type CopyParts, makeCopies, sweepCopies } from './make-copies.ts'
import { countCopies, unpinCopied } from './recording-copies.repository.ts'

const MAKE = 'recordings-copy'
const TEND = 'recordings-copy-tend'

/** Maximum number of programmes that one transaction unpins. */
const UNPINNED = 500

/** Makes the copies of recordings, removes copies of deleted recordings, and unpins the media of channels. */
export async function startCopyJobs({ jobs }: Pick<Context, 'jobs'>, parts: CopyParts): Promise<void> {
  // The timeout allows a run of several hours, which copies all programmes of an evening.
  await jobs.declare(MAKE, { alone: true, retries: 0, expireSeconds: 12 * 3600 })
  await jobs.work(MAKE, async (_data, signal) => void (await makeCopies(parts, signal)))
  await jobs.schedule(MAKE, '* * * * *')
  // A separate job, so that deletions do not wait until all copies are made.
  await jobs.declare(TEND, { alone: true, retries: 0, expireSeconds: 3600 })
  await jobs.work(TEND, async (_data, signal) => await tendCopies(parts, signal))
  await jobs.schedule(TEND, '* * * * *')
}

/** Removes the copies of deleted recordings. Unpins the media of programmes whose copies are all ready. */
export async function tendCopies(
  parts: CopyParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, now } = parts
  try {
    await sweepCopies(parts, signal)
  } finally {
    // Runs after an error in the sweep too, so that the media of the channels is unpinned. Sessions that began
    // before the copies were ready play the media of the channel.
    const readyBefore = now() - SESSION_SECONDS * 1000
    for (let more = true; more && !signal.aborted; )
      more = (await unpinCopied(db, readyBefore, now(), UNPINNED)) === UNPINNED
  }
}

/** Adds the metrics of copies. */
export function registerCopyMetrics(registry: Registry, db: Database): void {
  const gauge = {
    name: 'ondine_recording_copies',
    help: 'Copies of recordings, by state: waiting (the programme is over) or ready.',
    labels: ['state'],
  } as const
  registerStoredGauge(registry, gauge, async () => {
    const { waiting, ready } = await countCopies(db)
    return Object.entries({ waiting, ready }).map(([state, value]) => ({ labels: { state }, value }))
  })
}
