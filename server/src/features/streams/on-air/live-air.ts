import { isDeepStrictEqual } from 'node:util'
import { growLayout, type Layout } from '@ondine/media/layout'
import { segmentTimes } from '@ondine/media/segment-times'
import { createTimeline, type Span, type SpanPlan, spanMilliseconds } from '@ondine/media/timeline'
import { clockRendition } from '@ondine/media/track-set-check'
import { LATEST_MEDIA_MS, LIVE_WINDOW_SECONDS, segmentStart } from '@ondine/media/window'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../../database/connection.ts'
import { type Rated, UNRATED } from '../../rights/entitlements/entitlements.service.ts'
import { ratingsBetween } from '../../television/channels/channels.service.ts'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'
import type { BoundedWindow, ChannelWindow } from '../play-sessions/play-sessions.service.ts'
import type { AirRows } from './air-rows.ts'
import { forbiddenIn, UNLIMITED } from './forbidden-pieces.service.ts'
import { rateBy, ratingsByGuide, UNANNOUNCED } from './live-ratings.service.ts'
import { findLayout, type LiveSetRow } from './on-air.repository.ts'
import type { OnAir, RatedPiece } from './on-air.service.ts'

/** Times for the cache of live channels, in milliseconds. */
const LIVE = {
  /** Media before the sliding window that stays in memory, for players that lag behind. */
  lateMs: LIVE_WINDOW_SECONDS * 1000,
  /** Minimum interval between queries for a segment that is due. */
  retryMs: 200,
  /** Minimum interval between queries for a due segment, once the signal has been silent for `silentMs`. */
  silentRetryMs: 1000,
  silentMs: 20_000,
  idleMs: 120_000,
  /** After this time, a past interval counts as complete even if its end has no media. */
  lostMs: 5 * 60_000,
  /** Maximum number of past intervals in memory. */
  mostPast: 200,
} as const

/** A cached live channel, which somebody watches. */
interface Kept {
  /**
   * Earliest media time that viewers requested: `wantedFrom` in the current period, `wantedFromBefore` in the previous
   * period. In milliseconds since the Unix epoch.
   */
  wantedFrom: number
  wantedFromBefore: number
  /** When the present period of `wantedFrom` began. */
  periodAt: number
  /** Beginning of the media in memory. */
  loadedFrom: number
  layout: Layout | undefined
  sets: readonly LiveSetRow[]
  onAir: OnAir | undefined
  /** When the next segment is expected. */
  dueAt: number
  askedAt: number
  usedAt: number
  loading: Promise<void> | undefined
}

/**
 * Live channels that are being watched. When a segment is due, one query for all viewers looks for it, so that
 * segments need no notices (docs/decisions/0077). Channels without viewers take no memory.
 */
export class LiveAir {
  readonly #db: Database
  readonly #rows: AirRows
  readonly #kept = new Map<number, Kept>()
  /** Past intervals, which never change. */
  readonly #past = new LRUCache<string, OnAir>({ max: LIVE.mostPast })

  constructor(db: Database, rows: AirRows) {
    this.#db = db
    this.#rows = rows
  }

  /** Number of channels in memory. */
  get size(): number {
    return this.#kept.size
  }

  /**
   * Returns the channel's Timeline around a window; undefined if the channel has no media there.
   *
   * @param mustBeNew whether to query for segments even if none is due
   */
  async at(
    channelId: number,
    reachSeconds: number,
    window: ChannelWindow,
    now: number,
    mustBeNew = false,
  ): Promise<OnAir | undefined> {
    if (window.kind !== 'live' && window.to <= now - LATEST_MEDIA_MS)
      return await this.#pastAt(channelId, window, now)
    const from = (window.kind === 'live' ? now - reachSeconds * 1000 : window.from) - LIVE.lateMs
    let kept = this.#kept.get(channelId)
    if (!kept) {
      kept = {
        wantedFrom: Infinity,
        wantedFromBefore: Infinity,
        periodAt: now,
        loadedFrom: Infinity,
        layout: undefined,
        sets: [],
        onAir: undefined,
        dueAt: 0,
        askedAt: -Infinity,
        usedAt: now,
        loading: undefined,
      }
      this.#kept.set(channelId, kept)
    }
    kept.usedAt = now
    want(kept, from, now)
    // A query that is in progress may have read the rows before the newest segment was stored.
    if (mustBeNew) await kept.loading
    if (mustBeNew || this.#isDue(kept, now)) await this.#ask(kept, channelId, now)
    // The query of another viewer may have begun before this viewer requested earlier media.
    if (kept.loadedFrom > from) await this.#ask(kept, channelId, now)
    return kept.onAir
  }

  /** Returns the Timeline of a past interval. Its media may exist only because a recording pins it. */
  async #pastAt(channelId: number, { from, to }: BoundedWindow, now: number): Promise<OnAir | undefined> {
    const key = `${channelId}:${from}:${to}`
    const known = this.#past.get(key)
    if (known) return known
    const sets = lastRun(await this.#rows.liveSets(channelId, from, 0, to))
    // Read after the TrackSets: the layout only grows, so a later layout fits them.
    const layout = await findLayout(this.#db, channelId)
    if (!layout || sets.length === 0) return undefined
    const onAir = onAirOf(layout, sets)
    const hasEnd = (onAir.entries.at(-1)?.endsAt ?? 0) >= to
    if (hasEnd || now - to > LIVE.lostMs) this.#past.set(key, onAir)
    return onAir
  }

  /** Returns the media in `[from, to)`, in order of time. */
  async piecesIn(channelId: number, from: number, to: number): Promise<RatedPiece[]> {
    const sets = await this.#rows.liveSets(channelId, from, 0, to)
    const entries = sets.map(entryOf)
    const ratings = await this.ratingsOf(channelId, entries, UNRATED)
    const forbidden = await forbiddenIn(this.#db, channelId, entries)
    return sets.map(({ position, isSlate, isRecordingForbidden }, index) => ({
      from: entries[index]?.startsAt ?? 0,
      to: entries[index]?.endsAt ?? 0,
      rating: ratings[index] ?? UNRATED,
      isJoined: position === (sets[index - 1]?.position ?? Number.NaN) + 1,
      isSlate,
      liveUntil: forbidden[index]?.liveUntil ?? 0,
      // Media of recordings outlives the programmes of the guide, so the stored value counts too.
      isRecordingForbidden: isRecordingForbidden || forbidden[index]?.isRecordingForbidden === true,
    }))
  }

  /** Returns the future media in `[from, to)`, as the guide announces it. */
  async expectedIn(channelId: number, from: number, to: number): Promise<RatedPiece[]> {
    const programmes = await ratingsBetween(this.#db, channelId, from, to)
    const limits = programmes.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    const inside = limits.filter((time) => time > from && time < to).toSorted((a, b) => a - b)
    const times = [...new Set([from, ...inside, to])]
    const intervals = times.slice(1).map((endsAt, index) => ({ startsAt: times[index] ?? from, endsAt }))
    const forbidden = await forbiddenIn(this.#db, channelId, intervals)
    return rateBy(programmes, intervals).map((rating = UNANNOUNCED, index) => ({
      from: intervals[index]?.startsAt ?? from,
      to: intervals[index]?.endsAt ?? to,
      rating,
      isJoined: true,
      isSlate: false,
      ...(forbidden[index] ?? UNLIMITED),
    }))
  }

  #isDue({ dueAt, askedAt, loading }: Kept, now: number): boolean {
    const retryMs = now - dueAt > LIVE.silentMs ? LIVE.silentRetryMs : LIVE.retryMs
    return loading !== undefined || (now >= dueAt && Math.abs(now - askedAt) >= retryMs)
  }

  async #ask(kept: Kept, channelId: number, now: number): Promise<void> {
    // Concurrent viewers share one query.
    kept.askedAt = now
    kept.loading ??= this.#load(kept, channelId).finally(() => {
      kept.loading = undefined
    })
    await kept.loading
  }

  async #load(kept: Kept, channelId: number): Promise<void> {
    const from = Math.min(kept.wantedFrom, kept.wantedFromBefore)
    if (from < kept.loadedFrom) kept.sets = []
    const last = kept.sets.at(-1)
    const found = await this.#rows.liveSets(channelId, from, last?.position ?? 0)
    kept.loadedFrom = from
    const isNews = found.length !== 1 || found[0]?.position !== last?.position || grown(last, found[0])
    if (!isNews) return
    const before = kept.sets.filter(
      ({ position, endsAt }) =>
        position < (found[0]?.position ?? Infinity) && endsAt !== null && endsAt > from,
    )
    kept.sets = lastRun([...before, ...found])
    const layout = await findLayout(this.#db, channelId)
    // Keeps the same object for an equal layout, so that values derived from the layout stay valid.
    if (!isDeepStrictEqual(layout, kept.layout)) kept.layout = layout
    if (kept.sets.length === 0 || !kept.layout) {
      kept.onAir = undefined
      return
    }
    kept.onAir = onAirOf(kept.layout, kept.sets)
    const newest = kept.onAir.timeline.spans.at(-1) as Span
    kept.dueAt = 2 * newest.endsAt - segmentStart(newest, newest.segmentCount - 1)
  }

  /**
   * Returns the ratings of entries, in order. They come from the guide. Recordings keep media whose programmes the
   * guide no longer contains: for such media, the stored ratings apply.
   *
   * @param unknown rating of an entry without any rating
   */
  async ratingsOf(channelId: number, entries: readonly EntryRow[], unknown: Rated): Promise<Rated[]> {
    const ratings = await ratingsByGuide(this.#db, channelId, entries)
    const missing = entries.flatMap(({ position }, index) => (ratings[index] ? [] : [position]))
    const stored = await this.#rows.storedRatings(channelId, missing)
    return entries.map(({ position }, index) => {
      const rating = ratings[index] ?? stored.get(position)
      return rating === undefined ? UNANNOUNCED : (rating ?? unknown)
    })
  }

  /**
   * Returns whether the channel has media for a viewer who starts at `from`: media after `from`, or a recent segment,
   * which shows that the signal arrives. Loads the media since `from`, so callers limit how early it may be.
   */
  async hasMediaFor(channelId: number, now: number, from = now): Promise<boolean> {
    const reachSeconds = Math.max(0, now - from) / 1000
    const onAir = await this.at(channelId, reachSeconds, { kind: 'live' }, now)
    return (onAir?.timeline.spans.at(-1)?.endsAt ?? 0) > Math.min(from, now - LIVE.silentMs)
  }

  /** Removes channels that nobody has watched for a while. */
  sweep(now: number): void {
    for (const [channelId, { usedAt, loading }] of this.#kept)
      if (now - usedAt > LIVE.idleMs && !loading) this.#kept.delete(channelId)
  }
}

/**
 * Records that a viewer requests the media of a channel from `from` on. Media before the earliest time that viewers
 * requested in the current or the previous period is dropped from memory.
 */
function want(kept: Kept, from: number, now: number): void {
  if (now - kept.periodAt >= LIVE.idleMs) {
    kept.wantedFromBefore = kept.wantedFrom
    kept.wantedFrom = Infinity
    kept.periodAt = now
  }
  kept.wantedFrom = Math.min(kept.wantedFrom, from)
}

/** Returns whether a TrackSet has ended or grown between two reads. */
function grown(before: LiveSetRow | undefined, after: LiveSetRow | undefined): boolean {
  if (!before || !after) return true
  return before.endsAt !== after.endsAt || countOf(before) !== countOf(after)
}

function countOf({ document }: LiveSetRow): number {
  return segmentTimes(clockRendition(document)).count
}

function planOf(set: LiveSetRow): SpanPlan {
  const { document, startsAt, joint, mediaSequence, discontinuitySequence } = set
  return {
    trackSet: document,
    startsAt,
    firstSegment: 0,
    segmentCount: countOf(set),
    mediaSequence,
    discontinuitySequence,
    joint,
  }
}

function entryOf(set: LiveSetRow): EntryRow {
  const { position, document, startsAt, mediaSequence, discontinuitySequence } = set
  return {
    position,
    startsAt,
    endsAt: set.endsAt ?? startsAt + spanMilliseconds(document),
    trackSetId: document.id,
    firstSegment: 0,
    segmentCount: countOf(set),
    mediaSequence,
    discontinuitySequence,
  }
}

function onAirOf(layout: Layout, sets: readonly LiveSetRow[]): OnAir {
  return { timeline: createTimeline(layoutFor(layout, sets), sets.map(planOf)), entries: sets.map(entryOf) }
}

/**
 * Returns the layout of the channel if it fits the TrackSets. The TrackSets may be from before the channel had
 * video or sound: then returns a layout built from them.
 */
function layoutFor(layout: Layout, sets: readonly LiveSetRow[]): Layout {
  const has = (kind: 'video' | 'audio') => layout.slots.some((slot) => slot.kind === kind)
  const lacks = (kind: 'video' | 'audio') =>
    sets.some(({ document }) => document.renditions.every((one) => one.kind !== kind))
  const fits = !(has('video') && lacks('video')) && !(has('audio') && lacks('audio'))
  if (fits) return layout
  return sets.reduce<Layout>((grown, { document }) => growLayout(grown, document), { ...layout, slots: [] })
}

/**
 * Returns the TrackSets after the last gap in their positions. Sweeps remove old TrackSets that no recording pins.
 */
function lastRun(sets: readonly LiveSetRow[]): LiveSetRow[] {
  const hole = sets.findLastIndex(
    ({ position }, index) => index > 0 && position !== (sets[index - 1]?.position ?? 0) + 1,
  )
  return sets.slice(Math.max(hole, 0))
}
