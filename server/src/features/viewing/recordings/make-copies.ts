import { randomBytes, randomUUID } from 'node:crypto'
import { segmentTimes } from '@ondine/media/segment-times'
import type { Rendition, TrackSet } from '@ondine/media/track-set'
import { clockRendition } from '@ondine/media/track-set-check'
import type { Context } from '../../../context.ts'
import { giveWay } from '../../../database/pace.ts'
import { ENOUGH_BYTES } from '../../../free-space.ts'
import { inLanes } from '../../../in-lanes.ts'
import { type KeyChange, rekeyInit, rekeySegment } from '../../../ingest/rekey.ts'
import { removeTrackSetIf, type SegmentStore } from '../../../segments/segment-store.ts'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { ownerOf } from '../../inventory/stores/stores.service.ts'
import { isInHole } from '../../streams/on-air/holes.service.ts'
import type { ChannelAir } from '../../streams/on-air/on-air.service.ts'
import {
  deleteCopiedSet,
  deleteCopy,
  findCopiedSets,
  findSourceSets,
  findUnfinishedSet,
  type HeldCopy,
  keepCopy,
  noteCopied,
  type PlannedSet,
  planCopy,
  readyCopy,
  releaseCopy,
  type SourceSet,
  takeCopy,
  takeUnrecordedCopies,
  type UnfinishedSet,
} from './recording-copies.repository.ts'
import { isForbiddenNeighbour } from './recordings.service.ts'

/** Dependencies of the functions that make copies. */
export interface CopyParts extends Pick<Context, 'db' | 'segments' | 'stores' | 'log' | 'freeBytes'> {
  /** Time in milliseconds since the Unix epoch. */
  now: () => number
  air: ChannelAir
}

/** After this time without progress, in milliseconds, another process may take over a copy. */
const HELD_MS = 120_000
/** Pause before a failed copy is tried again, in milliseconds. */
const RETRY_MS = 5 * 60_000
/**
 * Number of segments that are copied before the progress is stored. A killed process repeats at most these
 * segments.
 */
const SLICE = 8
/** Number of renditions that are copied at the same time. */
const LANES = 4
/** Maximum number of copies that are swept at once. */
const SWEPT = 50

/**
 * Makes the copies that are due, one after the other.
 *
 * @returns the number of complete copies
 */
export async function makeCopies(parts: CopyParts, signal: AbortSignal): Promise<number> {
  const { db, stores, log, now } = parts
  if ((await ownerOf(db, stores.media)) !== 'ours') return 0
  const holder = randomUUID()
  let made = 0
  while (!signal.aborted) {
    const copy = await takeCopy(db, holder, now(), now() + HELD_MS)
    if (!copy) break
    if (!(await hasRoom(parts))) {
      await releaseCopy(db, holder, copy.id, null)
      log.warn(
        { reserve: ENOUGH_BYTES },
        'the copies of recordings wait, because the disk has too little free space',
      )
      break
    }
    let retryAt: number | null = null
    try {
      if (await makeCopy(parts, holder, copy, signal)) made++
    } catch (error) {
      retryAt = now() + RETRY_MS
      log.error(
        { err: error, copyId: copy.id },
        'the copy of a recording could not be made; it plays the channel',
      )
    }
    await releaseCopy(db, holder, copy.id, retryAt)
    // A full disk or an unreachable store affects all copies.
    if (retryAt !== null) break
  }
  return made
}

/** Returns whether the disk has space for copies, in addition to the reserve for live inputs and imports. */
async function hasRoom({ segments: { serving }, freeBytes }: CopyParts): Promise<boolean> {
  return !('folder' in serving) || (await freeBytes(serving.folder)) >= ENOUGH_BYTES
}

/** Begins or continues a copy. @returns whether the copy is complete */
async function makeCopy(
  parts: CopyParts,
  holder: string,
  copy: HeldCopy,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, now } = parts
  if (!copy.isPlanned) await planCopy(db, holder, copy.id, await planOf(parts, copy), now())
  while (!signal.aborted && (await hasRoom(parts))) {
    if (!(await keepCopy(db, holder, copy.id, now() + HELD_MS))) return false
    const set = await findUnfinishedSet(db, copy.id)
    if (!set) return await readyCopy(db, holder, copy.id, now())
    await copySlice(parts, holder, copy.id, set)
  }
  return false
}

/** Returns the descriptions of the TrackSets of a copy. */
async function planOf({ db, air }: CopyParts, copy: HeldCopy): Promise<PlannedSet[]> {
  const pieces = await air.piecesIn(copy.channelId, copy.from, copy.to)
  const forbidden = new Set(
    pieces.filter((piece) => isForbiddenNeighbour(piece, copy)).map(({ from }) => from),
  )
  return (await findSourceSets(db, copy)).map((source) => {
    const isForbidden = forbidden.has(source.startsAt)
    const isLeftOut = isForbidden || isInHole(source.startsAt, source.endsAt, copy.breaks)
    return plannedSet(source, copy, { isForbidden, isLeftOut })
  })
}

function plannedSet(
  { document, ...source }: SourceSet,
  interval: Interval,
  { isForbidden, isLeftOut }: { isForbidden: boolean; isLeftOut: boolean },
): PlannedSet {
  const clock = clockRendition(document)
  const times = segmentTimes(clock)
  const { firstSegment, startsAt } = source
  const segmentCount = source.segmentCount ?? times.count
  // Media that does not belong to the recording gets rows but no files: forbidden neighbours, and the breaks of a
  // split programme.
  const part = isLeftOut
    ? { from: firstSegment, to: firstSegment }
    : segmentsIn(interval, clock, { startsAt, firstSegment, segmentCount })
  return {
    row: {
      ...source,
      segmentCount,
      isRecordingForbidden: source.isRecordingForbidden || isForbidden,
      sourceId: document.id,
      copiedFrom: part.from,
      copiedTo: part.to,
      nextSegment: part.from,
    },
    document: copyOf(document),
    durationSeconds: (times.endTicks - times.startTicks(0)) / times.timescale,
  }
}

function copyOf(document: TrackSet): TrackSet {
  return {
    ...document,
    id: randomBytes(16).toString('hex'),
    encryption: document.encryption && { ...document.encryption, keyId: randomBytes(16).toString('hex') },
    thumbnails: null,
  }
}

/** Returns the range of the segments that overlap an interval. Segments are counted from 0 in the TrackSet. */
function segmentsIn(
  { from, to }: Interval,
  clock: Rendition,
  {
    startsAt,
    firstSegment,
    segmentCount,
  }: Pick<SourceSet, 'startsAt' | 'firstSegment'> & { segmentCount: number },
): Interval {
  const times = segmentTimes(clock)
  const ticksAt = (time: number) =>
    times.startTicks(firstSegment) + ((time - startsAt) * times.timescale) / 1000
  const end = firstSegment + segmentCount
  const first = Math.min(Math.max(times.endedAt(ticksAt(from)), firstSegment), end)
  const last = Math.min(times.endedAt(ticksAt(to - 1)) + 1, end)
  return { from: first, to: Math.max(first, last) }
}

/** Copies the next segments of a TrackSet, as long as the process holds the copy. */
async function copySlice(
  parts: CopyParts,
  holder: string,
  copyId: number,
  set: UnfinishedSet,
): Promise<void> {
  const { db, segments, now } = parts
  const end = Math.min(set.nextSegment + SLICE, set.copiedTo)
  const keys = keysOf(set)
  const { id } = set.document
  const source = new SourceFiles(segments, set.source.document.id)
  const renditions = await inLanes(LANES, set.document.renditions, async (rendition) => {
    if (rendition.kind === 'text') return { rendition, init: undefined }
    const init = await source.read(rendition.id, 'init.mp4')
    if (init)
      await segments.write(
        { trackSet: id, rendition: rendition.id, name: 'init.mp4' },
        keys ? rekeyInit(init, keys) : init,
      )
    return { rendition, init }
  })
  // Without its init segment, a rendition cannot be played.
  const playable = renditions.filter(({ rendition, init }) => rendition.kind === 'text' || init)
  for (let segment = set.nextSegment; segment < end; segment++) {
    // Extends the hold, so that no other process takes the copy while the store is slow.
    if (!(await keepCopy(db, holder, copyId, now() + HELD_MS))) return
    await inLanes(LANES, playable, async ({ rendition, init }) => {
      if (segment >= segmentTimes(rendition).count) return
      const name = `${segment + 1}.${rendition.kind === 'text' ? 'vtt' : 'm4s'}`
      const bytes = await source.read(rendition.id, name)
      if (!bytes) return
      const copied = keys && init ? rekeySegment(bytes, init, keys) : bytes
      // Lets waiting calls run first, because encryption blocks their thread.
      await giveWay()
      await segments.write({ trackSet: id, rendition: rendition.id, name }, copied)
    })
  }
  await reportGap(parts, copyId, source)
  await noteCopied(db, copyId, set.position, end)
}

/** The files of a TrackSet of the channel. Collects the names of missing files. */
class SourceFiles {
  readonly #segments: SegmentStore
  readonly trackSet: string
  readonly missing: string[] = []

  constructor(segments: SegmentStore, trackSet: string) {
    this.#segments = segments
    this.trackSet = trackSet
  }

  /** Returns a file; undefined if it is missing. */
  async read(rendition: string, name: string): Promise<Buffer | undefined> {
    const bytes = await this.#segments.read({ trackSet: this.trackSet, rendition, name })
    if (!bytes) this.missing.push(`${rendition}/${name}`)
    return bytes
  }
}

/**
 * Logs the missing files of the channel, which are also missing in the copy.
 *
 * @throws Error if the whole TrackSet is missing. Then the store is usually the wrong one, such as an unmounted
 * folder, and the copy must wait
 */
async function reportGap(
  { stores, log }: CopyParts,
  copyId: number,
  { trackSet, missing }: SourceFiles,
): Promise<void> {
  if (missing.length === 0) return
  if (!(await stores.media.entries.isOlder(trackSet, Number.POSITIVE_INFINITY)))
    throw new Error(`The TrackSet ${trackSet} is not in the media store.`)
  log.warn({ copyId, trackSet, missing }, 'the copy of a recording has a gap, because the channel has it')
}

/** Returns the keys of a TrackSet and of its copy; undefined for clear media. */
function keysOf({ document, key, source }: UnfinishedSet): KeyChange | undefined {
  const [from, to] = [source.document.encryption, document.encryption]
  if (!from || !to) return undefined
  if (!source.key || !key) throw new Error(`The TrackSet ${source.document.id} or its copy has no key.`)
  return {
    from: { keyId: Buffer.from(from.keyId, 'hex'), key: source.key },
    to: { keyId: Buffer.from(to.keyId, 'hex'), key },
  }
}

/**
 * Removes copies to which no recording refers any more. A killed process loses nothing: either the rows remain and
 * the next sweep continues, or the store has recorded that the media must be removed.
 *
 * @returns the number of removed copies
 */
export async function sweepCopies(parts: CopyParts, signal: AbortSignal): Promise<number> {
  const { db, segments, stores, now } = parts
  if ((await ownerOf(db, stores.media)) !== 'ours') return 0
  const holder = randomUUID()
  let swept = 0
  while (!signal.aborted) {
    const copyIds = await takeUnrecordedCopies(db, holder, now(), now() + HELD_MS, SWEPT)
    for (const { trackSetId } of await findCopiedSets(db, copyIds))
      await removeTrackSetIf(segments, trackSetId, async (setAside) => {
        await deleteCopiedSet(db, trackSetId, setAside)
        return 'removed'
      })
    for (const copyId of copyIds) await deleteCopy(db, copyId)
    swept += copyIds.length
    if (copyIds.length < SWEPT) break
  }
  return swept
}
