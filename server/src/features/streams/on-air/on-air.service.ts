import { isDeepStrictEqual } from 'node:util'
import type { Layout } from '@ondine/media/layout'
import type { Timeline } from '@ondine/media/timeline'
import { LIVE_WINDOW_SECONDS } from '@ondine/media/window'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../clock.ts'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { type Rated, UNRATED } from '../../rights/entitlements/entitlements.service.ts'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'
import type { ChannelWindow, Hole, LiveWindow } from '../play-sessions/play-sessions.service.ts'
import { type AirRows, channelRows, copyRows } from './air-rows.ts'
import { timelineOf } from './channel-timeline.ts'
import { ForbiddenPast } from './forbidden-past.ts'
import { forbiddenIn, UNLIMITED } from './forbidden-pieces.service.ts'
import { withoutHoles } from './holes.service.ts'
import { LiveAir } from './live-air.ts'
import { UNANNOUNCED } from './live-ratings.service.ts'
import { findLayout } from './on-air.repository.ts'

/** Times for the cache of the schedules of watched channels, in milliseconds. */
const AIR = {
  /**
   * Time before the live window that stays in memory, and whose keys sessions may get: for players that lag behind, and
   * for the segments that a window contains only in part.
   */
  lateMs: LIVE_WINDOW_SECONDS * 1000,
  aheadMs: 30 * 60_000,
  /** When the entries in memory end sooner than this, later entries are fetched in the background. */
  refreshMs: 10 * 60_000,
  /** When the entries in memory end sooner than this, the answer waits for later entries. */
  urgentMs: 20_000,
  /** A schedule is not queried again within this time, because it may not have any further entries yet. */
  retryMs: 5000,
  /** A channel without viewers for this long is removed from memory. */
  idleMs: 120_000,
} as const

/**
 * Returns how much of a channel a live manifest contains, in seconds. This is more than the time-shift, so that a
 * viewer at its limit can still fetch the segments for a while.
 */
export function liveSeconds({ reachSeconds = 0 }: LiveWindow): number {
  return reachSeconds + LIVE_WINDOW_SECONDS
}

/**
 * Part of a channel's schedule in memory. `entries` are the entries from which the Timeline was built, in the same
 * order.
 */
export interface OnAir {
  timeline: Timeline
  entries: readonly EntryRow[]
}

/** Piece of a channel's media, with its rating. Times are milliseconds since the Unix epoch. */
export interface RatedPiece {
  from: number
  to: number
  rating: Rated
  /** Whether a Timeline continues from the previous piece, even if there is a gap between them. */
  isJoined: boolean
  /** Whether the piece is the slate, the picture that replaces a silent input. */
  isSlate: boolean
  /** Whether the guide forbids recording the piece. */
  isRecordingForbidden: boolean
  /**
   * Until this time, the end of the programme, the guide allows only the live edge. 0 if the guide allows going
   * back.
   */
  liveUntil: number
}

/** Span whose key a session may request, with its rating. */
interface LicensableSpan {
  trackSetId: string
  rating: Rated
}

/**
 * Media of the channels that are being watched. The content of a library channel is a function of its schedule and
 * the clock. So no timer is needed, and channels without viewers take no memory. The content of a live channel is
 * in the database (`LiveAir`). The copy of a recording has the same interface.
 */
export interface Air {
  /** Returns the channel's Timeline around a window; undefined if nothing plays there. */
  at(channelId: number, window: ChannelWindow, now: number): Promise<OnAir | undefined>
  /** Returns the spans of a window, from its beginning to the span after the present one. */
  spansToLicense(channelId: number, window: ChannelWindow, now: number): Promise<LicensableSpan[]>
  /**
   * Returns the rating at the start of a session: of the present title for a live window, otherwise of the title
   * at the beginning of the window. Undefined if nothing plays then.
   */
  ratingAt(channelId: number, window: ChannelWindow, now: number): Promise<Rated | undefined>
  /**
   * Returns the end of the last past entry in the window whose rating is `barred`, in milliseconds since the Unix
   * epoch; undefined without such an entry.
   */
  barredUntil(
    channelId: number,
    window: LiveWindow,
    now: number,
    barred: (rating: Rated) => boolean,
  ): Promise<number | undefined>
  /**
   * Returns the time before which live sessions may play only the live edge of a channel, because the guide
   * forbids going back in an earlier programme. 0 if the guide forbids nothing.
   */
  liveUntil(channelId: number, now: number): Promise<number>
  /** Returns the media of a channel in `[from, to)`, in order of time. A gap between two pieces has no media. */
  piecesIn(channelId: number, from: number, to: number): Promise<RatedPiece[]>
  /**
   * Returns the future media of a live channel in `[from, to)`, rated by the guide. Empty for a library channel,
   * because `piecesIn` returns its future media.
   */
  expectedIn(channelId: number, from: number, to: number): Promise<RatedPiece[]>
  /**
   * Returns whether a live channel has media for a viewer who starts at `from`; by default at the live edge, which
   * needs a signal that arrives. Loads the media since `from`, so callers limit how early it may be.
   */
  hasMediaFor(channelId: number, now: number, from?: number): Promise<boolean>
  /** Removes channels that nobody has watched for a while. */
  sweep(now: number): void
  /** Number of windows in memory. */
  readonly size: number
}

/** The media of channels, and of the copies of recordings. */
export interface ChannelAir extends Air {
  /** Returns the media of a recording's copy. The copy must be ready. */
  ofCopy(copyId: number): Air
}

/**
 * Returns the media that a recording plays: its separate copy, or the media of its channel if there is no copy.
 */
export function recordedAir(air: ChannelAir, copyId: number | null | undefined): Air {
  return copyId === null || copyId === undefined ? air : air.ofCopy(copyId)
}

/** Maximum number of copies whose descriptions are in memory. */
const MOST_COPIES = 500

interface Kept {
  onAir: OnAir | undefined
  layout: Layout | undefined
  usedAt: number
  /** When the schedule was last queried. */
  askedAt: number
  loading: Promise<void> | undefined
}

export function createChannelAir(db: Database, trackSets: TrackSetStore, changes: Changes): ChannelAir {
  const forbiddenPast = new ForbiddenPast(db, changes)
  const copies = new LRUCache<number, Air>({ max: MOST_COPIES })
  const airOf = (rows: AirRows) => createAir(db, trackSets, forbiddenPast, rows)
  const channels: Air = airOf(channelRows(db))
  return {
    ...channels,
    ofCopy: (copyId) => {
      const known = copies.get(copyId) ?? airOf(copyRows(db, copyId))
      copies.set(copyId, known)
      return known
    },
    sweep: (now) => {
      channels.sweep(now)
      for (const copy of copies.values()) copy.sweep(now)
    },
    get size() {
      return channels.size
    },
  }
}

function createAir(db: Database, trackSets: TrackSetStore, forbiddenPast: ForbiddenPast, rows: AirRows): Air {
  const kept = new Map<string, Kept>()
  const live = new LiveAir(db, rows)
  const kinds = new Map<number, Promise<boolean>>()

  /** Returns whether the media of a channel comes from a live input. */
  async function isLive(channelId: number): Promise<boolean> {
    let kind = kinds.get(channelId)
    if (!kind) {
      kind = rows.isLive(channelId)
      kinds.set(channelId, kind)
      kind.catch(() => kinds.delete(channelId))
    }
    return await kind
  }

  async function load(entry: Kept, channelId: number, window: ChannelWindow, now: number): Promise<void> {
    const [from, to] =
      window.kind === 'live'
        ? [now - liveSeconds(window) * 1000 - AIR.lateMs, now + AIR.aheadMs]
        : [window.from, window.to]
    const all = await rows.entries(channelId, from, to)
    // Read after the entries: the layout only grows, so a later layout fits them.
    const layout = await findLayout(db, channelId)
    // Keeps the same object for an equal layout, so that values derived from the layout stay valid.
    if (!isDeepStrictEqual(layout, entry.layout)) entry.layout = layout
    if (!entry.layout) return
    const entries = unbrokenAround(all, window.kind === 'live' ? now : window.from)
    if (entries.length === 0) return
    const found = await trackSets.getAll(entries.map(({ trackSetId }) => trackSetId))
    entry.onAir = { timeline: timelineOf(entry.layout, entries, found), entries }
  }

  async function ask(entry: Kept, channelId: number, window: ChannelWindow, now: number): Promise<void> {
    // Concurrent viewers share one query.
    entry.askedAt = now
    entry.loading ??= load(entry, channelId, window, now).finally(() => {
      entry.loading = undefined
    })
    await entry.loading
  }

  async function at(channelId: number, window: ChannelWindow, now: number): Promise<OnAir | undefined> {
    const onAir = (await isLive(channelId))
      ? await liveAt(channelId, window, now)
      : await libraryAt(channelId, window, now)
    return onAir && withoutHoles(onAir, holesOf(window))
  }

  async function liveAt(
    channelId: number,
    window: ChannelWindow,
    now: number,
    mustBeNew = false,
  ): Promise<OnAir | undefined> {
    const seconds = window.kind === 'live' ? liveSeconds(window) : 0
    return await live.at(channelId, seconds, window, now, mustBeNew)
  }

  async function libraryAt(
    channelId: number,
    window: ChannelWindow,
    now: number,
  ): Promise<OnAir | undefined> {
    const key =
      window.kind === 'live'
        ? `${channelId}:${window.reachSeconds ?? 0}`
        : `${channelId}:${window.from}:${window.to}`
    let entry = kept.get(key)
    if (!entry) {
      entry = { onAir: undefined, layout: undefined, usedAt: now, askedAt: -AIR.retryMs, loading: undefined }
      kept.set(key, entry)
    }
    entry.usedAt = now
    const left = leftAhead(entry, window, now)
    if (left >= AIR.refreshMs) return entry.onAir
    const asked = Math.abs(now - entry.askedAt) < AIR.retryMs
    if (left < AIR.urgentMs) {
      if (!asked || entry.loading) await ask(entry, channelId, window, now)
    } else if (!asked) {
      // The entries in memory still suffice, so a failure of this query is ignored. If the queries keep failing, a
      // later caller waits for a query and gets its failure.
      ask(entry, channelId, window, now).catch(() => undefined)
    }
    return entry.onAir
  }

  async function licensable(
    channelId: number,
    entries: readonly EntryRow[],
    window: ChannelWindow,
  ): Promise<LicensableSpan[]> {
    if (!(await isLive(channelId))) return await withRatings(rows, channelId, entries)
    const ratings = await live.ratingsOf(channelId, entries, unknownIn(window))
    return entries.map(({ trackSetId }, index) => ({ trackSetId, rating: ratings[index] ?? UNRATED }))
  }

  return {
    at,
    spansToLicense: async (channelId, window, now) => {
      // A player may request the key of a segment that another process listed a moment ago.
      const whole = (await isLive(channelId))
        ? await liveAt(channelId, window, now, true)
        : await libraryAt(channelId, window, now)
      const onAir = whole && withoutHoles(whole, holesOf(window))
      const begun = onAir ? entriesToLicense(onAir.entries, window, now) : []
      const since = window.kind === 'live' ? await forbiddenPast.until(channelId, now) : 0
      // A player that lags behind still requests keys of the previous live edge.
      const lateMs = LIVE_WINDOW_SECONDS * 1000 + AIR.lateMs
      const entries = begun.filter(({ endsAt }) => endsAt > Math.min(since, now - lateMs))
      return await licensable(channelId, entries, window)
    },
    ratingAt: async (channelId, window, now) => {
      const onAir = await at(channelId, window, now)
      const time = window.kind === 'live' ? now : window.from
      if (await isLive(channelId)) {
        // The newest segment may have ended a moment ago. So this takes the last entry that began before the time.
        const shown = onAir?.entries.findLast(({ startsAt }) => startsAt <= time)
        if (!shown) return undefined
        const moment = { ...shown, startsAt: time, endsAt: time + 1 }
        return (await live.ratingsOf(channelId, [moment], unknownIn(window)))[0]
      }
      const entry = onAir?.entries.find(({ startsAt, endsAt }) => startsAt <= time && endsAt > time)
      const [span] = await withRatings(rows, channelId, entry ? [entry] : [])
      return span?.rating
    },
    barredUntil: async (channelId, window, now, barred) => {
      const onAir = await at(channelId, window, now)
      const past = onAir
        ? entriesToLicense(onAir.entries, window, now).filter(({ endsAt }) => endsAt <= now)
        : []
      const spans = await licensable(channelId, past, window)
      return past[spans.findLastIndex(({ rating }) => barred(rating))]?.endsAt
    },
    liveUntil: async (channelId, now) => await forbiddenPast.until(channelId, now),
    piecesIn: async (channelId, from, to) => {
      if (await isLive(channelId)) return await live.piecesIn(channelId, from, to)
      const entries = await rows.entries(channelId, from, to)
      const spans = await withRatings(rows, channelId, entries)
      const forbidden = await forbiddenIn(db, channelId, entries)
      return entries.map(({ startsAt, endsAt, isRecordingForbidden = false }, index) => ({
        ...(forbidden[index] ?? UNLIMITED),
        isRecordingForbidden: isRecordingForbidden || forbidden[index]?.isRecordingForbidden === true,
        from: startsAt,
        to: endsAt,
        // `spans` has one span for each entry.
        rating: spans[index]?.rating ?? UNRATED,
        isJoined: entries[index - 1]?.endsAt === startsAt,
        isSlate: false,
      }))
    },
    expectedIn: async (channelId, from, to) =>
      (await isLive(channelId)) && from < to ? await live.expectedIn(channelId, from, to) : [],
    hasMediaFor: async (channelId, now, from) => await live.hasMediaFor(channelId, now, from),
    sweep: (now) => {
      for (const [key, { usedAt, loading }] of kept) {
        if (now - usedAt > AIR.idleMs && !loading) kept.delete(key)
      }
      live.sweep(now)
      kinds.clear()
    },
    get size() {
      return kept.size + live.size
    },
  }
}

/** Interval at which channels without viewers are removed from memory, in milliseconds. */
const SWEEP_MS = 30_000

/**
 * Regularly removes channels without viewers. One timer serves all channels. @returns a function that stops the
 * timer
 */
export function sweepRegularly(air: ChannelAir, clock: Clock): () => void {
  // The timer does not keep the process alive.
  const sweeping = setInterval(() => air.sweep(clock.now()), SWEEP_MS).unref()
  return () => clearInterval(sweeping)
}

async function withRatings(
  rows: AirRows,
  channelId: number,
  entries: readonly EntryRow[],
): Promise<LicensableSpan[]> {
  // Ratings are queried each time: a title may have been rated or removed after the entries were read.
  const ratings = await rows.ratings(
    channelId,
    entries.map(({ position }) => position),
  )
  return entries.map(({ trackSetId, position }) => ({
    trackSetId,
    rating: ratings.get(position) ?? UNRATED,
  }))
}

/**
 * Returns the rating of live media for which neither the guide nor the media has a rating. In a recording, such
 * media counts as unrated and not as unannounced, because the guide may no longer contain its programme.
 */
function unknownIn({ kind }: ChannelWindow): Rated {
  return kind === 'live' ? UNANNOUNCED : UNRATED
}

function holesOf(window: ChannelWindow): readonly Hole[] | undefined {
  return window.kind === 'live' ? undefined : window.holes
}

/** Returns for how long the entries in memory suffice, in milliseconds. */
function leftAhead({ onAir }: Kept, window: ChannelWindow, now: number): number {
  const last = onAir?.entries.at(-1)
  if (!last) return -1
  if (window.kind === 'live') return last.endsAt - now
  return last.endsAt >= window.to ? Number.POSITIVE_INFINITY : last.endsAt - Math.min(now, window.to)
}

/**
 * Returns the first run of consecutive entries that ends after `time`, or else the last run. An outage of the
 * service leaves a gap between two runs.
 */
function unbrokenAround(entries: readonly EntryRow[], time: number): EntryRow[] {
  let run: EntryRow[] = []
  for (const entry of entries) {
    const last = run.at(-1)
    if (last && last.endsAt !== entry.startsAt) {
      if (last.endsAt > time) break
      run = []
    }
    run.push(entry)
  }
  return run
}

/**
 * Returns the entries whose keys a session may get: from the window's beginning to the entry after the present
 * one, which players prefetch.
 */
function entriesToLicense(entries: readonly EntryRow[], window: ChannelWindow, now: number): EntryRow[] {
  // A live window ends with a whole segment, and begins with one. So it reaches further back than its duration.
  const from = window.kind === 'live' ? now - liveSeconds(window) * 1000 - AIR.lateMs : window.from
  const to = window.kind === 'live' ? now : Math.min(now, window.to)
  // The end of a window is exclusive: an entry that begins at that time is not part of it.
  const inside = window.kind === 'live' ? entries : entries.filter(({ startsAt }) => startsAt < window.to)
  const begun = inside.filter(({ startsAt, endsAt }) => endsAt > from && startsAt <= to)
  const next = window.kind === 'closed' ? undefined : inside.find(({ startsAt }) => startsAt > to)
  return next ? [...begun, next] : begun
}
