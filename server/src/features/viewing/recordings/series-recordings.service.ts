import { RECORDING_UNDO_SECONDS } from '@ondine/contract/recordings'
import { isForeignKeyViolation } from '../../../database/broken-keys.ts'
import { Pace } from '../../../database/pace.ts'
import { ServiceError } from '../../../http/errors.ts'
import { type Viewer, viewerOf } from '../../rights/entitlements/entitlements.service.ts'
import { lockAccount } from './recordings.repository.ts'
import {
  type Owner,
  type RecordingParts,
  requireRecordable,
  requireTime,
  schedule,
} from './recordings.service.ts'
import {
  cancelLeftOut,
  type EpisodesRecorded,
  endSeriesRecording,
  findMissingShowings,
  findSeries,
  findSeriesIds,
  type MissingShowing,
  noteEpisodes,
  putSeriesRecording,
  restoreSeriesRecording,
  type SeriesRule,
  updateSeriesRecording,
} from './series-recordings.repository.ts'

/** Maximum number of series recordings in a slice. */
const BATCH = 100

/**
 * Records the series of a programme, with its episodes on air and its coming ones.
 *
 * @returns the id of the series recording
 * @throws ServiceError the errors of the call's contract; notFound for a film
 */
export async function recordSeries(
  parts: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  { idEvent, idChannel, ...rule }: { idEvent: number; idChannel: number } & SeriesRule,
  now: number,
): Promise<number> {
  const { db } = parts
  await requireRecordable(db, viewer, { idEvent, idChannel })
  await requireTime(db, viewer)
  const series = await findSeries(db, idEvent)
  if (!series) throw new ServiceError('notFound')
  const id = await db.transaction(async (tx) => {
    await lockAccount(tx, owner.accountId)
    const putId = await putSeriesRecording(tx, owner, series, rule)
    await cancelLeftOut(tx, putId, now)
    return putId
  })
  await recordEpisodes(parts, [id], now)
  return id
}

/**
 * Changes how a series is recorded, and plans its episodes again.
 *
 * @param rule.anyChannel true records the series on any channel; false leaves the channel of the series recording
 * unchanged
 * @throws ServiceError notFound
 */
export async function changeSeries(
  parts: RecordingParts,
  { accountId, profileId }: Owner,
  id: number,
  rule: Pick<SeriesRule, 'episodes' | 'keepLast'> & { anyChannel: boolean },
  now: number,
): Promise<void> {
  const isChanged = await parts.db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await updateSeriesRecording(tx, profileId, id, rule))) return false
    await cancelLeftOut(tx, id, now)
    return true
  })
  if (!isChanged) throw new ServiceError('notFound')
  await recordEpisodes(parts, [id], now)
}

/** Stops recording a series. {@link restoreSeries} undoes it. @throws ServiceError notFound */
export async function removeSeries(
  { db }: RecordingParts,
  { accountId, profileId }: Owner,
  id: number,
  now: number,
): Promise<void> {
  const isGone = await db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return await endSeriesRecording(tx, profileId, id, now)
  })
  if (!isGone) throw new ServiceError('notFound')
}

/**
 * Undoes {@link removeSeries}, up to {@link RECORDING_UNDO_SECONDS} after it. The quota is not checked, as when a recording is
 * restored.
 *
 * @throws ServiceError notFound, also if it is too late, or if the profile records the series again
 */
export async function restoreSeries(
  parts: RecordingParts,
  { accountId, profileId }: Owner,
  id: number,
  now: number,
): Promise<void> {
  const isRestored = await parts.db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return await restoreSeriesRecording(tx, profileId, id, now - RECORDING_UNDO_SECONDS * 1000)
  })
  if (!isRestored) throw new ServiceError('notFound')
  await recordEpisodes(parts, [id], now)
}

/** Records new episodes of all series recordings, as the guide has announced them. Works in slices. */
export async function recordNewEpisodes(
  parts: RecordingParts,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const pace = new Pace(BATCH)
  for (let last = 0, more = true; more && !signal.aborted; ) {
    more = await pace.slice(async (most) => {
      const ids = await findSeriesIds(parts.db, last, most)
      last = ids.at(-1) ?? last
      if (ids.length > 0) await recordEpisodes(parts, ids, now)
      return ids.length === most
    })
  }
}

/** Records the missing episodes of series. A series that fails is logged, and tried again by the next job. */
async function recordEpisodes(parts: RecordingParts, ids: readonly number[], now: number): Promise<void> {
  const missing = await findMissingShowings(parts.db, ids, now)
  const ofSeries = Map.groupBy(missing, ({ seriesRecordingId }) => seriesRecordingId)
  const results = ids.map((id): EpisodesRecorded => ({ id, handled: [], isFull: false }))
  for (const result of results) {
    try {
      await recordShowings(parts, result, ofSeries.get(result.id) ?? [], now)
    } catch (error) {
      // The series was removed meanwhile.
      if (isForeignKeyViolation(error)) continue
      parts.log.error(
        { err: error, seriesRecordingId: result.id },
        'the episodes of a series were not recorded',
      )
    }
  }
  await noteEpisodes(parts.db, results)
}

/**
 * Records episodes of one series until the recording time is used up or enough are planned, each at the first showing
 * that the viewer may record. Adds the outcome to `result`.
 *
 * @param showings the showings of the episodes, in order of time
 */
async function recordShowings(
  parts: RecordingParts,
  result: EpisodesRecorded,
  showings: readonly MissingShowing[],
  now: number,
): Promise<void> {
  const [first] = showings
  if (!first) return
  const owner = { accountId: first.accountId, profileId: first.profileId }
  // The strictest limits. They apply only if the profile was deleted.
  const profile = { id: owner.profileId, kid: true, maximumMoralityLevel: 1 }
  const viewer = await viewerOf(parts, { account: { id: owner.accountId }, profile }, now)
  const recorded = new Set<string>()
  const closedChannels = new Set<number>()
  for (const { programmeId, channelId, key, room } of showings) {
    if (room !== null && recorded.size >= room) return
    if (recorded.has(key) || closedChannels.has(channelId)) continue
    const wanted = { idEvent: programmeId, idChannel: channelId, seriesRecordingId: result.id }
    try {
      const { isNew } = await schedule(parts, viewer, owner, wanted, now)
      recorded.add(key)
      // If `isNew` is false, another run has recorded the episode in the meantime, or its failed recording continues.
      if (isNew) result.handled.push(key)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error
      if (error.error === 'recordingQuotaReached' || error.error === 'quotaContextNotFound') {
        result.isFull = true
        return
      }
      // The viewer may not record this showing. The next showing of the episode is tried.
      if (error.error === 'channelNotFound' || error.error === 'channelNotAllowed')
        closedChannels.add(channelId)
    }
  }
}
