import { RECORDING_UNDO_SECONDS } from '@ondine/contract/recordings'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { startEpisodeJobs } from './episode-jobs.ts'
import { followGuide } from './follow-guide.ts'
import {
  deleteUnrecorded,
  deleteWithheld,
  findEnded,
  settleRecordedProgramme,
} from './recorded-programmes.repository.ts'
import { expiredBefore } from './recording-state.ts'
import {
  deleteExpired,
  deleteLost,
  deleteRemoved,
  findStopped,
  noteLost,
  type RecordingResult,
  settleStopped,
} from './recordings.repository.ts'
import { type RecordingParts, resultOf } from './recordings.service.ts'
import { deleteEndedSeries, removeBeyondKept } from './series-recordings.repository.ts'
import { recordNewEpisodes } from './series-recordings.service.ts'
import { type TellParts, tellDropped } from './tell-dropped.ts'

const TEND = 'recordings-tend'
const FOLLOW = 'recordings-follow'

/** Maximum number of rows in a slice. */
const BATCH = 500
/**
 * Programmes that begin within this time, in milliseconds, follow the guide each minute. All others follow each
 * hour.
 */
const SOON_MS = 15 * 60_000
/**
 * Delay from the end of a recording until it is settled, in milliseconds. By then, the last segments have arrived.
 */
const SETTLE_MS = 30_000
const DAY_MS = 86_400_000
/** Time after the end of a withheld recording in which a guide may still allow it, in milliseconds. */
const WITHHELD_MS = DAY_MS

/**
 * Follows the guide, reports dropped programmes, settles recordings that have ended, records new episodes of series,
 * and removes deleted recordings.
 */
export async function startRecordingJobs(
  context: Pick<Context, 'jobs' | 'clock' | 'log'>,
  parts: RecordingParts,
  letters: Omit<TellParts, 'db'>,
): Promise<void> {
  const { jobs, clock } = context
  await jobs.declare(TEND, { alone: true, retries: 0, expireSeconds: 900 })
  await jobs.work(TEND, async (_data, signal) => {
    await tendRecordings(parts, clock.now(), signal)
    await tellDropped({ db: parts.db, ...letters }, clock.now(), signal)
  })
  await jobs.schedule(TEND, '* * * * *')
  await jobs.declare(FOLLOW, { alone: true, retries: 0, expireSeconds: 3600 })
  await jobs.work(FOLLOW, async (_data, signal) => await followHourly(parts, clock.now(), signal))
  await jobs.schedule(FOLLOW, '23 * * * *')
  await startEpisodeJobs(context, parts)
}

/** Follows the guide for programmes that run or begin soon. Settles ended recordings, and removes deleted ones. */
export async function tendRecordings(
  parts: RecordingParts,
  now: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db } = parts
  await inSteps(parts, signal, {
    follow: async () => await followGuide(parts, now, { before: now + SOON_MS, signal }),
    settle: async () => await settleEnded(parts, now, signal),
    deleteRemoved: async () =>
      await inSlices(
        signal,
        async (most) => await deleteRemoved(db, now - RECORDING_UNDO_SECONDS * 1000, now, most),
      ),
    deleteEndedSeries: async () =>
      await inSlices(
        signal,
        async (most) => await deleteEndedSeries(db, now - RECORDING_UNDO_SECONDS * 1000, most),
      ),
    deleteWithheld: async () =>
      await inSlices(signal, async (most) => await deleteWithheld(db, now - WITHHELD_MS, most)),
  })
}

/**
 * Follows the guide for all programmes. Removes expired and old recordings, and records new episodes. Removes recordings
 * whose package was lost long ago (spec 53), and rows to which no recording refers.
 */
export async function followHourly(
  parts: RecordingParts,
  now: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, settings } = parts
  const longAgo = now - settings.RECORDING_LOST_DAYS * DAY_MS
  const expired = expiredBefore(settings.RECORDING_KEEP_DAYS, now)
  await inSteps(parts, signal, {
    follow: async () => await followGuide(parts, now, { signal }),
    // Reads all old recordings, so it does not run each minute.
    deleteExpired: async () =>
      await inSlices(signal, async (most) => await deleteExpired(db, expired, now, most)),
    // Before new episodes are recorded, because they need the recording time of the removed ones.
    removeBeyondKept: async () =>
      await inSlices(signal, async (most) => await removeBeyondKept(db, now, most)),
    recordNewEpisodes: async () => await recordNewEpisodes(parts, now, signal),
    noteLost: async () => await noteAllLost(parts, now, signal),
    deleteLost: async () => await inSlices(signal, async (most) => await deleteLost(db, longAgo, most)),
    deleteUnrecorded: async () => await inSlices(signal, async (most) => await deleteUnrecorded(db, most)),
  })
}

async function noteAllLost({ db }: RecordingParts, now: number, signal: AbortSignal): Promise<void> {
  const pace = new Pace(BATCH)
  for (let last: number | undefined = 0; last !== undefined && !signal.aborted; ) {
    const after: number = last
    last = await pace.slice(async (most) => await noteLost(db, after, most, now))
  }
}

/** Settles the recordings whose intervals are over: stores their results (spec 52). */
async function settleEnded(
  { db, air, settings, log, onSettling }: RecordingParts,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  let last = 0
  await inSlices(signal, async (most) => {
    const ended = await findEnded(db, now - SETTLE_MS, last, most)
    for (const { id, channelId, startsAt, endsAt, breaks } of ended) {
      last = id
      try {
        const pieces = await air.piecesIn(channelId, startsAt, endsAt)
        const resultUntil = (to: number) => resultOf(pieces, { from: startsAt, to }, breaks, settings)
        await settleAllStopped(db, id, signal, (stoppedAt) =>
          resultUntil(Math.max(startsAt, Math.min(stoppedAt, endsAt))),
        )
        await onSettling?.(id)
        await settleRecordedProgramme(db, { id, startsAt, endsAt }, resultUntil(endsAt), now)
      } catch (error) {
        log.error({ err: error, recordedProgrammeId: id }, 'a recorded programme was not settled')
      }
    }
    return ended.length
  })
}

/** Stores the result of each stopped recording of a programme. The result is for the part before the stop. */
async function settleAllStopped(
  db: Database,
  recordedProgrammeId: number,
  signal: AbortSignal,
  resultUntil: (stoppedAt: number) => RecordingResult,
): Promise<void> {
  await inSlices(signal, async (most) => {
    const stopped = await findStopped(db, recordedProgrammeId, most)
    if (stopped.length > 0)
      await settleStopped(
        db,
        stopped.map(({ id, stoppedAt }) => ({ id, ...resultUntil(stoppedAt) })),
      )
    return stopped.length
  })
}

/** Runs the steps of a job in their order. A step that fails is logged, and the following steps run. */
async function inSteps(
  { log }: RecordingParts,
  signal: AbortSignal,
  steps: Record<string, () => Promise<void>>,
): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    if (signal.aborted) return
    try {
      await run()
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, step }, 'a step of the jobs of recordings failed')
    }
  }
}

/** Repeats work in slices of at most `most` rows, until a slice has fewer rows. */
async function inSlices(signal: AbortSignal, work: (most: number) => Promise<number>): Promise<void> {
  const pace = new Pace(BATCH)
  for (let more = true; more && !signal.aborted; ) {
    more = await pace.slice(async (most) => (await work(most)) === most)
  }
}
