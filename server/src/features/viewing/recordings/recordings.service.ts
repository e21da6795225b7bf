import { recordedStateOf } from '@ondine/contract/recording-states'
import { RECORDING_UNDO_SECONDS } from '@ondine/contract/recordings'
import { LATEST_MEDIA_MS } from '@ondine/media/window'
import type { Context } from '../../../context.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import type { Break } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import {
  isIncluded,
  isVisible,
  needsParentalCode,
  requireActiveAccount,
  type Viewer,
} from '../../rights/entitlements/entitlements.service.ts'
import { recordingTimeOf } from '../../rights/entitlements/packages.service.ts'
import { type ChannelAir, type RatedPiece, recordedAir } from '../../streams/on-air/on-air.service.ts'
import { type BoundedWindow, SESSION_SECONDS } from '../../streams/play-sessions/play-sessions.service.ts'
import { findPlayableChannel } from '../../television/channels/channels.service.ts'
import { canRecord } from '../../television/channels/recordable.service.ts'
import { followGuide } from './follow-guide.ts'
import { asAnnounced, type FoundShowing, follow } from './follow-programme.ts'
import { findSettled, findShowings } from './guide-places.ts'
import { marginsOf } from './margins.ts'
import { coverage, playableWindow } from './playable-window.ts'
import { partsOf, withoutBreaks } from './recorded-parts.ts'
import {
  findSharedPlace,
  isBehindGuide,
  reopenRecordedProgramme,
  shareRecordedProgramme,
} from './recorded-programmes.repository.ts'
import { addCopy, hasWholeCopy, pinAgain, replaceCopies } from './recording-copies.repository.ts'
import { intervalOf, stateOf } from './recording-state.ts'
import {
  addRecording,
  changeRecording,
  deleteRecording,
  findQuota,
  findRecording,
  findWanted,
  lockAccount,
  type Quota,
  type RecordingResult,
  type RecordingRow,
  type WantedProgramme,
} from './recordings.repository.ts'
import { isSeriesGoingOn } from './series-recordings.repository.ts'

/** The parts of the service that recordings need. */
export interface RecordingParts extends Pick<Context, 'db' | 'log' | 'settings' | 'configurations'> {
  air: ChannelAir
  /** Hook that runs just before the result of a recorded programme is stored. It never fails. */
  onSettling?: (recordedProgrammeId: number) => Promise<void>
}

/** Owner of recordings: a profile of an account. */
export interface Owner {
  accountId: number
  profileId: number
}

/**
 * Records a programme. If the profile already records the programme, this changes nothing, unless the recording
 * was deleted or has failed.
 *
 * @param wanted.seriesRecordingId the series recording that requests the recording
 * @param wanted.replaces the recording that the viewer wants to replace. It is deleted if it has failed or is planned,
 * and the new recording takes its place in its series.
 * @returns the id of the recording, and whether it is new
 * @throws ServiceError the errors of the call's contract
 */
export async function schedule(
  parts: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  wanted: {
    idEvent: number
    idChannel: number
    seriesRecordingId?: number
    replaces?: number | undefined
  },
  now: number,
): Promise<{ id: number; isNew: boolean }> {
  const { db, settings } = parts
  const { programme, packageIds } = await requireRecordable(db, viewer, wanted)
  const place = await placeOf(parts, programme, now)
  let scheduled: { id: number; isNew: boolean } | undefined
  let replaced: RecordingRow | undefined
  // Repeated if a recording exists whose media was not pinned: a sweep may have removed the media since the check.
  while (!scheduled) {
    await requireMedia(parts, programme, place, owner, now)
    scheduled = await db.transaction(async (tx) => {
      await lockAccount(tx, owner.accountId)
      const { profileId } = owner
      // The profile may have ended the series since its episodes were found.
      const { seriesRecordingId } = wanted
      if (seriesRecordingId !== undefined && !(await isSeriesGoingOn(tx, seriesRecordingId)))
        throw new ServiceError('notFound')
      replaced = await findReplaced(tx, viewer, owner, wanted.replaces, now)
      const known = await findRecording(tx, { profileId, programmeId: place.showing.id })
      // The viewer has cancelled this episode, which the guide has moved since.
      if (seriesRecordingId !== undefined && known && known.removedAt !== null)
        return { id: known.id, isNew: false }
      // The account may have lost the packages with which it recorded, and have other packages now.
      const isSeen = known !== undefined && isIncluded(viewer, known.packageIds)
      const neededMs = isSeen ? unusedMs(known, place.endsAt) : place.endsAt - place.showing.startsAt
      if (neededMs > 0) await requireQuota(tx, viewer, owner, neededMs, now)
      const playedUntil = now + SESSION_SECONDS * 1000
      if (known) {
        if (await pinAgain(tx, known.recordedProgrammeId)) return undefined
        await reopenRecordedProgramme(tx, known.recordedProgrammeId, place, marginsOf(settings), playedUntil)
        // The old copy ends at the stop, so the whole programme needs a new copy.
        if (known.stoppedAt !== null) await replaceCopies(tx, { recordingId: known.id }, playedUntil)
        await changeRecording(tx, known.id, {
          removedAt: null,
          stoppedAt: null,
          ...(!isSeen && { packageIds: [...packageIds], lostSince: null }),
        })
        if (replaced) await replace(tx, replaced, known.id, now)
        return { id: known.id, isNew: false }
      }
      const recordedProgrammeId = await shareRecordedProgramme(tx, programme, place, marginsOf(settings))
      if (recordedProgrammeId === undefined) throw new ServiceError('notFound')
      await reopenRecordedProgramme(tx, recordedProgrammeId, place, marginsOf(settings), playedUntil)
      if (place.endsAt <= now) await pinAgain(tx, recordedProgrammeId)
      const id = await addRecording(tx, {
        ...owner,
        recordedProgrammeId,
        packageIds: [...packageIds],
        copyId: settings.RECORDING_COPIES === 'each' ? await addCopy(tx) : null,
        seriesRecordingId: seriesRecordingId ?? null,
        createdAt: new Date(now),
      })
      if (replaced) await replace(tx, replaced, id, now)
      return { id, isNew: true }
    })
  }
  if (!scheduled.isNew) return scheduled
  try {
    // A sweep may have removed the media before the recording pinned it.
    await requireMedia(parts, programme, place, owner, now)
  } catch (error) {
    await deleteRecording(db, scheduled.id)
    if (replaced) await changeRecording(db, replaced.id, { removedAt: null })
    throw error
  }
  return scheduled
}

/**
 * Returns the recording that a new recording replaces: it has failed, or is planned. Undefined for any other recording,
 * and for one that the viewer does not see, such as one that an earlier call has replaced.
 */
async function findReplaced(
  tx: Transaction,
  viewer: Viewer,
  { profileId }: Owner,
  id: number | undefined,
  now: number,
): Promise<RecordingRow | undefined> {
  const recording = id === undefined ? undefined : await findRecording(tx, { profileId, id })
  if (!recording || !isShown(viewer, recording)) return undefined
  const state = stateOf(recording, now)
  return recording.removedAt === null && (state === 'failed' || state === 'planned') ? recording : undefined
}

/** Deletes a recording, and gives its place in its series to the recording `id`. */
async function replace(tx: Transaction, replaced: RecordingRow, id: number, now: number): Promise<void> {
  if (replaced.id === id) return
  const { seriesRecordingId } = replaced
  if (seriesRecordingId !== null) await changeRecording(tx, id, { seriesRecordingId })
  await changeRecording(tx, replaced.id, { removedAt: now })
}

/**
 * Returns a programme that the viewer may record, with the packages of its channel.
 *
 * @throws ServiceError channelNotFound, notFound, recordingForbidden, channelNotAllowed
 */
export async function requireRecordable(
  db: Database,
  viewer: Viewer,
  { idEvent, idChannel }: { idEvent: number; idChannel: number },
): Promise<{ programme: WantedProgramme; packageIds: readonly number[] }> {
  requireActiveAccount(viewer)
  const programme = await findWanted(db, idEvent, idChannel)
  const channel = programme
    ? { moralityLevel: programme.channelLevel, adult: false }
    : await findPlayableChannel(db, idChannel)
  if (!channel || !isVisible(viewer, channel)) throw new ServiceError('channelNotFound')
  if (!programme || !isVisible(viewer, programme)) throw new ServiceError('notFound')
  if (!canRecord({ kind: programme.channelKind }) || programme.isForbidden)
    throw new ServiceError('recordingForbidden')
  const { packageIds, isChannelFree } = programme
  if (!isIncluded(viewer, packageIds, isChannelFree)) {
    // A channel that the viewer has bought separately can only be watched.
    const isBought = viewer.owned.channels.has(idChannel)
    throw new ServiceError(isBought ? 'recordingForbidden' : 'channelNotAllowed')
  }
  return { programme, packageIds: isChannelFree ? [] : packageIds }
}

async function placeOf(
  parts: RecordingParts,
  programme: WantedProgramme,
  now: number,
): Promise<FoundShowing> {
  const { db } = parts
  const { id, channelId, startsAt } = programme
  const shared = await findSharedPlace(db, programme)
  if (shared) return shared
  // A very recent import may have replaced the requested programme. The recorded programme may still have its
  // earlier place.
  if (await isBehindGuide(db, channelId, startsAt, now)) {
    await followGuide(parts, now, { channelIds: [channelId] })
    const followed = await findSharedPlace(db, programme)
    if (followed) return followed
  }
  const guide = (await findShowings(db, [{ channelId, startsAt }])).get(channelId) ?? []
  const showing = guide.find((each) => each.id === id)
  if (!showing) throw new ServiceError('notFound')
  const settled = await findSettled(db, id)
  const place = settled && follow(settled, guide)
  return place?.showing.id === id ? place : asAnnounced(showing, guide)
}

/**
 * Requires enough media of the part of a programme that was already shown, unless the profile has a copy of the whole
 * programme. Refuses a running programme if so much media is missing already that its recording would fail.
 *
 * @throws ServiceError noMediaFound
 */
async function requireMedia(
  { db, air, settings }: RecordingParts,
  { id, channelId }: WantedProgramme,
  { showing: { startsAt }, endsAt, breaks }: FoundShowing,
  { profileId }: Owner,
  now: number,
): Promise<void> {
  if (startsAt >= now) return
  // The latest media of a running programme may still arrive.
  const until = endsAt > now ? now - LATEST_MEDIA_MS : endsAt
  const pieces = await air.piecesIn(channelId, startsAt, endsAt)
  const { failed } = resultOf(pieces, { from: startsAt, to: endsAt }, breaks, settings, until)
  if (failed && !(await hasWholeCopy(db, profileId, { id, endsAt }))) throw new ServiceError('noMediaFound')
}

/**
 * Returns the result of an ended recording, for a whole programme or for a part of it (spec 52). Ignores pieces of
 * media that overlap a break. If an ignored piece also overlaps the programme, the overlapped part of the programme
 * counts as missing.
 *
 * @param until time in milliseconds since the Unix epoch, after which no media counts as missing
 */
export function resultOf(
  pieces: readonly RatedPiece[],
  programme: Interval,
  breaks: readonly Break[],
  { RECORDING_MISSING_PERCENT }: Context['settings'],
  until = programme.to,
): RecordingResult {
  const length = lengthOf(partsOf(programme, breaks))
  const due = partsOf({ from: programme.from, to: until }, breaks)
  const kept = withoutBreaks(pieces, breaks)
  const missing = due.reduce((left, part) => left - coverage(kept, part), lengthOf(due))
  return {
    missingSeconds: Math.round(missing / 1000),
    failed: length === 0 || missing * 100 > length * RECORDING_MISSING_PERCENT,
  }
}

function lengthOf(parts: readonly Interval[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** @throws ServiceError quotaContextNotFound, recordingQuotaReached */
async function requireQuota(
  tx: Transaction,
  viewer: Viewer,
  { accountId }: Owner,
  neededMs: number,
  now: number,
): Promise<void> {
  const { available, consumed, planned } = await quotaOf(tx, viewer, accountId, now)
  if (available === 0) throw new ServiceError('quotaContextNotFound')
  if (consumed + planned + neededMs > available) throw new ServiceError('recordingQuotaReached')
}

/** Returns the recording time of an account. `available` is 0 if its packages give none. */
export async function quotaOf(
  db: Database | Transaction,
  viewer: Viewer,
  accountId: number,
  now: number,
): Promise<Quota> {
  return await findQuota(db, accountId, viewer.packageIds, now)
}

/** Requires packages that give recording time. @throws ServiceError quotaContextNotFound */
export async function requireTime(db: Database, viewer: Viewer): Promise<void> {
  if ((await recordingTimeOf(db, viewer.packageIds)) === 0) throw new ServiceError('quotaContextNotFound')
}

/**
 * Returns whether the viewer sees a recording. The account must have one of the packages with which it recorded
 * (spec 53), and the rating of the programme must allow it.
 */
export function isShown(
  viewer: Viewer,
  recording: Pick<RecordingRow, 'packageIds' | 'moralityLevel' | 'adult'>,
): boolean {
  return isIncluded(viewer, recording.packageIds) && isVisible(viewer, recording)
}

/**
 * Returns how much time of a recording the quota does not count yet, in milliseconds.
 *
 * @param announcedEnd the end of the programme in the present guide, which may have lengthened it
 */
function unusedMs(
  { startsAt, endsAt, stoppedAt, removedAt, failed }: RecordingRow,
  announcedEnd: number,
): number {
  const end = Math.max(endsAt, announcedEnd)
  if (removedAt !== null || failed) return end - startsAt
  return Math.max(0, end - Math.max(startsAt, stoppedAt ?? endsAt))
}

/** Returns a recording that the viewer sees. @throws ServiceError notFound */
async function requireRecording(
  db: Database | Transaction,
  viewer: Viewer,
  { profileId }: Owner,
  id: number,
): Promise<RecordingRow> {
  const recording = await findRecording(db, { profileId, id })
  if (!recording || !isShown(viewer, recording)) throw new ServiceError('notFound')
  return recording
}

/** Result of removing a recording. */
export type Removal = 'cancelled' | 'stopped' | 'deleted' | 'kept'

/**
 * A second call to stop a recording within this time, in milliseconds, counts as a repetition of the first call.
 */
const REPEATED_MS = 10_000

/**
 * Cancels a planned recording, stops a recording in progress, or deletes an ended one (spec 38). A recording in
 * progress is cancelled if its programme has not begun yet.
 *
 * @param wanted.intent the action on the viewer's button; undefined if the state decides
 * @throws ServiceError notFound
 */
export async function remove(
  { db }: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  { id, intent }: { id: number; intent?: 'end' | 'delete' | undefined },
  now: number,
): Promise<Removal> {
  return await db.transaction(async (tx) => {
    await lockAccount(tx, owner.accountId)
    const recording = await requireRecording(tx, viewer, owner, id)
    const { startsAt, stoppedAt, removedAt } = recording
    if (removedAt !== null) throw new ServiceError('notFound')
    if (intent !== 'delete' && stoppedAt !== null && now - stoppedAt < REPEATED_MS) return 'stopped'
    const state = recordedStateOf(stateOf(recording, now))
    const isOver = state === 'recorded' || state === 'failed'
    if (isOver && intent === 'end') return 'kept'
    if (state === 'recording' && now > startsAt) {
      await changeRecording(tx, id, { stoppedAt: now })
      return 'stopped'
    }
    await changeRecording(tx, id, { removedAt: now })
    return isOver ? 'deleted' : 'cancelled'
  })
}

/**
 * Undoes {@link remove}, up to {@link RECORDING_UNDO_SECONDS} after the removal. The quota is not checked, because
 * a viewer must be able to undo a mistake even if the recording time was used meanwhile.
 *
 * @throws ServiceError notFound, also if it is too late
 */
export async function restore(
  { db }: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  id: number,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, owner.accountId)
    const { removedAt, stoppedAt } = await requireRecording(tx, viewer, owner, id)
    const since = removedAt ?? stoppedAt
    if (since === null) return
    if (now - since > RECORDING_UNDO_SECONDS * 1000) throw new ServiceError('notFound')
    // A recording that was stopped and later deleted stays stopped.
    await changeRecording(tx, id, removedAt === null ? { stoppedAt: null } : { removedAt: null })
  })
}

/**
 * Adds a recording to the profile's favourites or removes it, and removes it from Continue watching until it is watched
 * again, or undoes that. A flag that is undefined changes nothing.
 *
 * @throws ServiceError notFound; invalidInput without a flag
 */
export async function change(
  { db }: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  {
    id,
    isFavorite,
    isBegun,
  }: { id: number; isFavorite?: boolean | undefined; isBegun?: boolean | undefined },
  now: number,
): Promise<void> {
  if (isFavorite === undefined && isBegun === undefined)
    throw invalidFields([{ field: 'isFavorite', message: 'isFavorite or isBegun must be sent' }])
  const { removedAt, favouriteAt } = await requireRecording(db, viewer, owner, id)
  if (removedAt !== null) throw new ServiceError('notFound')
  await changeRecording(db, id, {
    ...(isFavorite !== undefined && { favouriteAt: isFavorite ? (favouriteAt ?? now) : null }),
    ...(isBegun !== undefined && { unlistedAt: isBegun ? null : now }),
  })
}

/** A recording that the viewer may play now, and the window to play. */
export interface PlayableRecording {
  recording: RecordingRow
  window: BoundedWindow
}

/**
 * Admits a viewer to a recording.
 *
 * @throws ServiceError the errors of an account that is not active; notFound; invalidAccessCode; noMediaFound for
 * a planned, withheld or failed recording, and for one without media; startOverForbidden while the programme runs,
 * if the guide forbids going back in it.
 */
export async function admitToRecording(
  { db, air }: RecordingParts,
  viewer: Viewer,
  owner: Owner,
  id: number,
  now: number,
): Promise<PlayableRecording> {
  requireActiveAccount(viewer)
  const recording = await requireRecording(db, viewer, owner, id)
  if (recording.removedAt !== null) throw new ServiceError('notFound')
  if (needsParentalCode(viewer, recording)) throw new ServiceError('invalidAccessCode')
  const { channelId, startsAt, endsAt, breaks, failed, withheldAt } = recording
  const interval = intervalOf(recording)
  if (failed || withheldAt !== null || now < interval.from) throw new ServiceError('noMediaFound')
  const pieces = await recordedAir(air, recording.copyId).piecesIn(channelId, interval.from, interval.to)
  const last = pieces.at(-1)
  if (!last) throw new ServiceError('noMediaFound')
  // The window includes the media that a live channel will receive later, so the window stays the same.
  const isRunning = now < interval.to + LATEST_MEDIA_MS
  const expected = isRunning ? await air.expectedIn(channelId, last.to, interval.to) : []
  const playable = playableWindow(
    withoutBreaks([...pieces, ...expected], breaks),
    interval,
    { from: startsAt, to: Math.min(endsAt, interval.to) },
    (piece) =>
      !isVisible(viewer, piece.rating) ||
      needsParentalCode(viewer, piece.rating) ||
      now < piece.liveUntil ||
      isForbiddenNeighbour(piece, recording),
  )
  if (!playable && pieces.some((piece) => now < piece.liveUntil && isOf(piece, recording)))
    throw new ServiceError('startOverForbidden')
  if (!playable || now <= playable.from) throw new ServiceError('noMediaFound')
  const isGrowing = now < playable.to || last.to < playable.to
  const holes = breaks.filter(([from, to]) => from < playable.to && to > playable.from)
  const window = { ...playable, ...(holes.length > 0 && { holes }) }
  return { recording, window: { kind: isGrowing ? 'start-over' : 'closed', ...window } }
}

/** Returns whether a piece of a recording's media belongs to a neighbour whose recording the guide forbids. */
export function isForbiddenNeighbour(
  piece: RatedPiece,
  recording: Pick<RecordingRow, 'startsAt' | 'endsAt' | 'droppedAt'>,
): boolean {
  // If the guide dropped the programme, another programme is shown at its time. The viewer may have no right to the
  // replacement.
  return piece.isRecordingForbidden && (recording.droppedAt !== null || !isOf(piece, recording))
}

/** Returns whether a piece of media belongs to a programme, and not to one of its neighbours. */
function isOf(
  { from, to }: RatedPiece,
  { startsAt, endsAt }: Pick<RecordingRow, 'startsAt' | 'endsAt'>,
): boolean {
  const middle = (from + to) / 2
  return startsAt <= middle && middle < endsAt
}
