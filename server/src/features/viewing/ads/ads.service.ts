import { createHash, randomBytes } from 'node:crypto'
import type { AdBreak } from '@ondine/contract/playback'
import { type FilmBreak, interruptedTimeline, placedBreaks } from '@ondine/media/interrupted-film'
import { segmentTimes } from '@ondine/media/segment-times'
import type { Timeline } from '@ondine/media/timeline'
import { TimelineError } from '@ondine/media/timeline-error'
import type { TrackSet } from '@ondine/media/track-set'
import { clockRendition } from '@ondine/media/track-set-check'
import { and, arrayOverlaps, asc, eq, inArray, lt, not, notInArray, or, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Semaphore } from '../../../http/semaphore.ts'
import { fetchOutside, OutboundError } from '../../../outbound/fetch-outside.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { type AdOccasion, type AdsMacro, fillMacros, isVastMacro } from './ad-macros.ts'
import type { NamedAd, NamedBreak } from './ad-server.ts'
import { type AdEvent, adBreaks, adDeliveries, adSessions } from './ads.table.ts'
import { queueCreatives } from './creative-queue.ts'
import { type Exceptions, exceptionsOf } from './own-ads.ts'
import { timedTrackers } from './timed-trackers.ts'

/**
 * The breaks of a playback session. `session` is written to the token of the session, `player` is sent to the
 * player.
 */
export interface PlannedBreaks {
  session: { before: number; trackSetIds: string[] }[]
  player: AdBreak[]
}

/** A film that may get advertisements. */
export interface AdRequest {
  film: TrackSet
  /** Beginnings of the film's chapters, in seconds, in order. */
  chapters: readonly number[]
  assetId: number
  macros: AdsMacro
  storefrontId: number
}

/** The parts of the service that a request to an ad server uses. */
export type AdParts = Pick<
  Context,
  'db' | 'configurations' | 'folders' | 'jobs' | 'log' | 'settings' | 'storefronts'
>

/**
 * Plans the breaks of a session. Returns undefined without an ad server, without an answer in time, or if no
 * creative is ready. Enqueues new creatives, so that a later session can play them. A failure of the ad server
 * never stops the film.
 */
export async function planBreaks(
  parts: AdParts,
  trackSets: TrackSetStore,
  request: AdRequest,
  now: number,
): Promise<PlannedBreaks | undefined> {
  try {
    return await plannedBreaks(parts, trackSets, request, now)
  } catch (error) {
    parts.log.error({ err: error }, 'the breaks of a film could not be planned')
    return undefined
  }
}

async function plannedBreaks(
  parts: AdParts,
  trackSets: TrackSetStore,
  { film, chapters, assetId, macros, storefrontId }: AdRequest,
  now: number,
): Promise<PlannedBreaks | undefined> {
  const named = await nameBreaks(parts, storefrontId, macros, { contentId: String(assetId), now })
  const fits = (creative: TrackSet) => fitsFilm(film, creative)
  const ready = await readyCreatives(parts, trackSets, { storefrontId, named, fits }, now)
  const filled = placeBreaks(film, chapters, named, ready)
  if (filled.length === 0) return undefined
  const timeline = interruptedTimeline(film, filled)
  const deliveries: (typeof adDeliveries.$inferInsert)[] = []
  const player = placedBreaks(timeline, film).map(
    ({ position, startsAt, parts: places }, index): AdBreak => ({
      position: position / 1000,
      startsAt: startsAt / 1000,
      ads: places.flatMap((place, number) => {
        const placed = filled[index]?.ads[number]
        if (placed === undefined) return []
        const { skipAfter, clickUrl } = placed
        const duration = (place.endsAt - place.startsAt) / 1000
        const { trackers, ...timed } = timedTrackers(placed, duration)
        const report = randomBytes(18).toString('base64url')
        deliveries.push({ id: report, trackers, createdAt: now })
        return [{ duration, skipAfter, clickUrl, report, ...timed }]
      }),
    }),
  )
  await parts.db.insert(adDeliveries).values(deliveries)
  return {
    session: filled.map(({ before, trackSets: sets }) => ({ before, trackSetIds: sets.map(({ id }) => id) })),
    player,
  }
}

/** Enqueues the creatives that the ad server of a storefront returns now, so that the next film can play them. */
export async function prepareAds(parts: AdParts, storefrontId: number, now: number): Promise<void> {
  const macros = { page_url: '', device_ua: 'Ondine' }
  const named = await nameBreaks(parts, storefrontId, macros, { contentId: '-1', now })
  await nameCreatives(parts, storefrontId, named, now)
}

/** Returns the breaks that the ad server returned; an empty list without a valid answer in time. */
export async function nameBreaks(
  parts: AdParts,
  storefrontId: number,
  macros: AdsMacro,
  about: AdOccasion,
): Promise<NamedBreak[]> {
  const { configurations, folders, log } = parts
  const { serverUrl, timeoutMs } = configurations.of(storefrontId).ads
  if (serverUrl === '') return []
  try {
    const { askAdServer } = await import('./ad-server.ts')
    return await askAdServer(serverUrl, {
      ...exceptionsOf(parts),
      fill: (address) => fillMacros(address, macros, about),
      fillLink: (address) => fillLink(address, about.now),
      maxMilliseconds: timeoutMs,
      libraryFolder: folders.library,
      onLostBreak: (error) => log.warn({ err: error }, 'the ad server gave no advertisements for a break'),
      onUnusable: (addresses, errorCode) =>
        callTrackers(parts, addresses, { event: 'error', errorCode, now: about.now }),
    })
  } catch (error) {
    log.warn({ err: error }, 'the ad server gave no advertisements')
    return []
  }
}

/**
 * Maximum number of advertisements in a film. The token of a session contains an id for each advertisement, and
 * every address of the session contains the token. Proxies accept request lines of 8 kB; the heartbeat accepts
 * 4000 characters.
 */
const MOST_ADS_IN_FILM = 50

interface FilledBreak extends FilmBreak {
  ads: NamedAd[]
}

/**
 * Moves each break that has creatives to the nearest segment boundary. Breaks at the same boundary become one
 * break.
 */
function placeBreaks(
  film: TrackSet,
  chapters: readonly number[],
  named: readonly NamedBreak[],
  ready: ReadonlyMap<string, TrackSet>,
): FilledBreak[] {
  const times = segmentTimes(clockRendition(film))
  const seconds = times.startTicks(times.count) / times.timescale
  const places = new Map<number, { ads: NamedAd[]; trackSets: TrackSet[] }>()
  let count = 0
  for (const { offset, ...each } of named) {
    const at = secondsOf(offset, seconds, chapters)
    if (at === undefined) continue
    const before = segmentAt(times, at)
    const place = places.get(before) ?? { ads: [], trackSets: [] }
    const shown = showableAds(each, ready).slice(0, MOST_ADS_IN_FILM - count)
    count += shown.length
    for (const { ad, trackSet } of withBreakTrackers(each, shown)) {
      place.ads.push(ad)
      place.trackSets.push(trackSet)
    }
    if (place.ads.length > 0) places.set(before, place)
  }
  return [...places]
    .map(([before, place]) => ({ before, ...place }))
    .toSorted((one, other) => one.before - other.before)
}

/**
 * Returns the offset of a break in seconds (VMAP 1.0, section 2.3.1); undefined if its format is unknown, or if the
 * film has no such place. `#1`, the first opportunity for a break, is the beginning of the first chapter.
 */
function secondsOf(offset: string, seconds: number, chapters: readonly number[]): number | undefined {
  if (offset === 'start') return 0
  if (offset === 'end') return seconds
  const [, chapter] = /^#([1-9]\d{0,2})$/.exec(offset) ?? []
  if (chapter !== undefined) return chapters[Number(chapter) - 1]
  const [, percent] = /^(\d{1,3})%$/.exec(offset) ?? []
  if (percent !== undefined) return (Math.min(100, Number(percent)) * seconds) / 100
  const [, hours, minutes, rest] = /^(\d\d):(\d\d):(\d\d(?:\.\d{1,3})?)$/.exec(offset) ?? []
  if (hours === undefined) return undefined
  const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)
  return at <= seconds ? at : undefined
}

/**
 * Returns the index of the segment that begins nearest to a time; for the end of the film, the number of segments.
 */
function segmentAt(times: ReturnType<typeof segmentTimes>, seconds: number): number {
  let nearest = 0
  for (let index = 0; index <= times.count; index++) {
    const apart = (place: number) => Math.abs(times.startTicks(place) / times.timescale - seconds)
    if (apart(index) < apart(nearest)) nearest = index
  }
  return nearest
}

function allOf({ ads, alternatives }: NamedBreak): NamedAd[] {
  return [...ads, ...alternatives]
}

/** An advertisement whose video is ready. */
interface ShowableAd {
  ad: NamedAd
  trackSet: TrackSet
}

/** Returns the advertisements of a break whose videos are ready. Alternatives replace those whose videos are not. */
export function showableAds(
  { ads, alternatives }: Pick<NamedBreak, 'ads' | 'alternatives'>,
  ready: ReadonlyMap<string, TrackSet>,
): ShowableAd[] {
  const spare = alternatives.values()
  return ads.flatMap((first) => {
    for (let ad: NamedAd | undefined = first; ad !== undefined; ad = spare.next().value) {
      const trackSet = ready.get(ad.address)
      if (trackSet !== undefined) return [{ ad, trackSet }]
    }
    return []
  })
}

/**
 * Adds the trackers of a break to the advertisements that are shown in it. The break starts with its first
 * advertisement, and ends when its last one is complete or skipped.
 */
export function withBreakTrackers(
  { trackers: { start, end } }: Pick<NamedBreak, 'trackers'>,
  shown: readonly ShowableAd[],
): ShowableAd[] {
  return shown.map(({ ad, trackSet }, index) => {
    const trackers = { ...ad.trackers }
    if (index === 0) trackers.start = [...start, ...(trackers.start ?? [])]
    if (index === shown.length - 1) {
      trackers.complete = [...(trackers.complete ?? []), ...end]
      trackers.skip = [...(trackers.skip ?? []), ...end]
    }
    return { ad: { ...ad, trackers }, trackSet }
  })
}

/** The breaks that the ad server of a storefront returned for a film or a channel. */
interface NamedFor {
  storefrontId: number
  named: readonly NamedBreak[]
  /** Whether a creative can play in the slots of the content. */
  fits: (creative: TrackSet) => boolean
}

/** Returns the TrackSets of the creatives that can play, by address. Enqueues new creatives. */
export async function readyCreatives(
  parts: AdParts,
  trackSets: TrackSetStore,
  { storefrontId, named, fits }: NamedFor,
  now: number,
): Promise<Map<string, TrackSet>> {
  const rows = await nameCreatives(parts, storefrontId, named, now)
  const failed = new Set(rows.filter(({ state }) => state === 'failed').map(({ address }) => address))
  for (const ad of named.flatMap(allOf))
    if (failed.has(ad.address))
      callTrackers(parts, ad.errorTrackers, { event: 'error', errorCode: FILE_NOT_SHOWN, now })
  const sets = await trackSets.getAll(rows.flatMap(({ trackSetId }) => trackSetId ?? []))
  const ready = new Map<string, TrackSet>()
  for (const { address, trackSetId } of rows) {
    const trackSet = trackSetId === null ? undefined : sets.get(trackSetId)
    if (trackSet && !isTooLong(trackSet) && fits(trackSet)) ready.set(address, trackSet)
  }
  return ready
}

/**
 * Maximum number of creatives of a storefront. An ad server may return other addresses in each answer. Without a
 * limit, their videos would fill the disk and keep the encoder busy.
 */
export const MOST_CREATIVES = 500

/**
 * Age in milliseconds from which a creative can be replaced by a new one. The age counts from the last time that an
 * ad server returned the creative. The media of a replaced creative stays for another day, because sessions may
 * play it. With a shorter age, the media of many more than {@link MOST_CREATIVES} creatives could wait for removal.
 */
const REPLACED_AFTER_MS = 24 * 3600_000

/**
 * Minimum interval between two updates of a creative's `namedAt`, in milliseconds. With more updates, viewers of
 * popular films would wait for each other's lock of the row.
 */
const NAMED_EVERY_MS = 3600_000

/**
 * Records that the ad server returns these creatives now. Enqueues the creatives that are not prepared yet.
 * @returns the rows of the creatives
 */
async function nameCreatives(
  { db, jobs, log }: AdParts,
  storefrontId: number,
  breaks: readonly NamedBreak[],
  now: number,
): Promise<(typeof adCreatives.$inferSelect)[]> {
  const addresses = [...new Set(breaks.flatMap(allOf).map(({ address }) => address))]
  if (addresses.length === 0) return []
  const known = await db
    .select()
    .from(adCreatives)
    .where(inArray(adCreatives.id, addresses.map(creativeId)))
  const isKnown = new Set(known.map(({ id }) => id))
  const unknown = addresses.filter((address) => !isKnown.has(creativeId(address)))
  const room = unknown.length === 0 ? 0 : await makeRoom(db, storefrontId, unknown.length, isKnown, now)
  if (unknown.length > room)
    log.warn({ left: unknown.length - room, storefrontId }, 'there are too many creatives')
  const old = known.filter(({ namedAt }) => namedAt < now - NAMED_EVERY_MS)
  const named = [
    ...old.map(({ id, address }) => ({ id, address, storefrontId, namedAt: now })),
    ...unknown
      .slice(0, room)
      .map((address) => ({ id: creativeId(address), address, storefrontId, namedAt: now })),
  ].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const stored =
    named.length === 0
      ? []
      : await db
          .insert(adCreatives)
          // Sorted by id: concurrent statements lock the rows in the same order, and cannot deadlock.
          .values(named)
          .onConflictDoUpdate({ target: adCreatives.id, set: { namedAt: now } })
          .returning()
  const rows = [...known.filter((row) => !old.includes(row)), ...stored]
  await queueCreatives(
    jobs,
    rows.filter(({ state }) => state === 'waiting').map(({ id }) => id),
  )
  return rows
}

/**
 * Makes room for new creatives of a storefront. Deletes the creatives that an ad server returned least recently.
 *
 * @param isNamed ids of the creatives that the ad server returns now
 * @returns how many of the `wanted` creatives may be stored
 */
async function makeRoom(
  db: Database,
  storefrontId: number,
  wanted: number,
  isNamed: ReadonlySet<string>,
  now: number,
): Promise<number> {
  const ofStorefront = eq(adCreatives.storefrontId, storefrontId)
  const room = MOST_CREATIVES - (await db.$count(adCreatives, ofStorefront))
  if (room >= wanted) return wanted
  const isReplaceable = and(
    ofStorefront,
    lt(adCreatives.namedAt, now - REPLACED_AFTER_MS),
    notInArray(adCreatives.id, [...isNamed]),
  )
  const oldest = await db
    .select({ id: adCreatives.id })
    .from(adCreatives)
    .where(isReplaceable)
    .orderBy(asc(adCreatives.namedAt))
    .limit(wanted - room)
  const ids = oldest.map(({ id }) => id)
  // Repeats the condition: since the query, an ad server may have returned a creative again, or another process may
  // have replaced it.
  const replaced = await db
    .delete(adCreatives)
    .where(and(inArray(adCreatives.id, ids), isReplaceable))
    .returning({ id: adCreatives.id })
  return Math.max(0, room + replaced.length)
}

/** Maximum duration of an advertisement, in seconds. */
export const LONGEST_AD_SECONDS = 300

function isTooLong(creative: TrackSet): boolean {
  const { endTicks, timescale } = segmentTimes(clockRendition(creative))
  return endTicks / timescale > LONGEST_AD_SECONDS
}

/** Returns whether a creative can play in the slots of a film. */
function fitsFilm(film: TrackSet, creative: TrackSet): boolean {
  return canBeMade(() => interruptedTimeline(film, [{ before: 0, trackSets: [creative] }]))
}

/** Returns false if `make` throws a TimelineError. */
export function canBeMade(make: () => Timeline): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (error instanceof TimelineError) return false
    throw error
  }
}

/** Returns the id of a creative, the digest of its address. A changed video gets another address. */
export function creativeId(address: string): string {
  return createHash('sha256').update(address).digest('hex')
}

/** Maximum size of a tracker's answer, in bytes, and maximum time of a call, in milliseconds. */
const TRACKER = { maxBytes: 100_000, maxMilliseconds: 5000 }

/**
 * Maximum number of concurrent tracker calls. Without a limit, slow trackers would take all sockets of the
 * process.
 */
export const TRACKERS_AT_ONCE = 100
/**
 * Maximum number of waiting tracker calls. The operator is paid by these reports. The limit is large because all
 * viewers of a channel report the start of an advertisement within seconds, each to several trackers.
 */
const TRACKERS_WAITING = 100_000
/** The tracker calls of this process. When the queue is full, further calls are logged and dropped. */
export const trackerCalls = new Semaphore(TRACKERS_AT_ONCE, TRACKERS_WAITING)

/** Events that end an advertisement. Only one of them is reported, because both may also end the break. */
const ENDS: readonly AdEvent[] = ['complete', 'skip']

/**
 * Reports an event of an advertisement to its trackers, at most once. Returns before the trackers have answered.
 * Does nothing if the advertisement has no such event, or has ended in another way.
 */
export async function reportEvent(
  context: TrackerParts & Pick<Context, 'clock' | 'db'>,
  id: string,
  event: AdEvent,
): Promise<void> {
  const { clock, db } = context
  const [delivery] = await db
    .update(adDeliveries)
    .set({ reported: sql`array_append(${adDeliveries.reported}, ${event})` })
    .where(
      and(
        eq(adDeliveries.id, id),
        not(arrayOverlaps(adDeliveries.reported, ENDS.includes(event) ? [...ENDS] : [event])),
        sql`${adDeliveries.trackers} -> ${event} is not null`,
      ),
    )
    .returning({ trackers: adDeliveries.trackers })
  callTrackers(context, delivery?.trackers[event] ?? [], { event, now: clock.now() })
}

type TrackerParts = Pick<Context, 'configurations' | 'log' | 'settings' | 'storefronts'>

/** Error code of VAST 4 (2.3.6.3): a video that cannot be shown. */
const FILE_NOT_SHOWN = 405

/** Calls trackers of an event. Does not wait for their answers. */
function callTrackers(
  context: TrackerParts,
  addresses: readonly string[],
  { event, errorCode, now }: { event: AdEvent | 'error'; errorCode?: number; now: number },
): void {
  const { log } = context
  const exceptions = exceptionsOf(context)
  for (const address of addresses)
    void trackerCalls
      .run(async () => await callTracker(fillTracker(address, now, errorCode), exceptions))
      .catch((error: unknown) =>
        log.warn({ err: error, event }, 'a tracker of an advertisement did not answer'),
      )
}

/** Data for addresses that get no data about the viewer. */
const NO_CLIENT: AdsMacro = { page_url: '-1', device_ua: '-1' }

/** Fills the macros of a tracker. The address gets no data about the viewer. */
function fillTracker(address: string, now: number, errorCode?: number): string {
  return fillMacros(address, NO_CLIENT, {
    contentId: '-1',
    now,
    ...(errorCode !== undefined && { errorCode }),
  })
}

/**
 * Fills the macros of a link to an advertiser. The address gets no data about the viewer. Other brackets belong to the
 * advertiser's page, such as `?filter[SIZE]=42`.
 */
function fillLink(address: string, now: number): string {
  return fillMacros(address, NO_CLIENT, { contentId: '-1', now }, isVastMacro)
}

async function callTracker(address: string, exceptions: Exceptions): Promise<void> {
  try {
    const { body } = await fetchOutside(address, { ...TRACKER, ...exceptions })
    for await (const _ of body);
  } catch (error) {
    // An answer with any status shows that the tracker has received the event. Many trackers answer with 204.
    if (!(error instanceof OutboundError && error.fault === 'status')) throw error
  }
}

/** Retention of a creative since an ad server last returned it, in milliseconds. */
const KEPT_MS = 30 * 24 * 3600_000

/**
 * Deletes old deliveries, sessions, breaks and creatives. The sweep of media then removes the TrackSets of deleted
 * creatives. Failed creatives are deleted too, so that the service tries them again if an ad server still returns
 * them.
 */
export async function sweepAds(db: Database, now: number): Promise<void> {
  const yesterday = now - 24 * 3600_000
  for (const table of [adDeliveries, adSessions, adBreaks])
    await db.delete(table).where(lt(table.createdAt, yesterday))
  await db
    .delete(adCreatives)
    .where(or(lt(adCreatives.namedAt, now - KEPT_MS), eq(adCreatives.state, 'failed')))
}
