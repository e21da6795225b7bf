import { randomBytes } from 'node:crypto'
import { LIVE_AD_SCHEME, type LiveAd } from '@ondine/contract/playback'
import {
  type BreakNumbers,
  type ReplacedBreak,
  segmentFrom,
  withFillers,
} from '@ondine/media/replaced-breaks'
import { breaksBetween, endOfBreak, type MarkedBreak, marksOf, type TimedMark } from '@ondine/media/splice'
import { appendSpan, createTimeline, spanMilliseconds, type Timeline } from '@ondine/media/timeline'
import type { TrackSet } from '@ondine/media/track-set'
import { and, asc, eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { Semaphore } from '../../../http/semaphore.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { getsAds } from '../../rights/entitlements/ad-rule.service.ts'
import type { LiveBreaks } from '../../streams/manifests/manifests.service.ts'
import { type AdsMacro, storableMacros } from './ad-macros.ts'
import type { NamedAd } from './ad-server.ts'
import {
  type AdParts,
  canBeMade,
  nameBreaks,
  readyCreatives,
  showableAds,
  withBreakTrackers,
} from './ads.service.ts'
import {
  type AiredAd,
  type AiredBreak,
  adBreaks,
  adDeliveries,
  adSessions,
  type Trackers,
} from './ads.table.ts'
import { timedTrackers } from './timed-trackers.ts'

/** Maximum number of sessions in memory. */
const MOST_SESSIONS = 20_000
/**
 * A session that made no request for this time, in milliseconds, is read from the database again: another process
 * may have served the session meanwhile.
 */
const STALE_MS = 20_000
/** Maximum number of concurrent calls to ad servers. All viewers of a channel reach a break in the same second. */
const ASKED_AT_ONCE = 500
/**
 * Maximum number of past breaks that a session fills when it starts. Earlier breaks show the broadcaster's media.
 */
const MOST_PAST_BREAKS = 10
/** Maximum number of advertisements in a break. */
const MOST_ADS = 20
/** `Retry-After` in seconds, for a manifest whose breaks could not be replaced. */
const RETRY_SECONDS = 1
/**
 * Maximum time that can be cut from the end of a break's last advertisement, in milliseconds. The advertisements
 * can be a little longer than the break, because encoders add frames.
 */
const CUT_MS = 500

/** A break of a session, with the session's sequence numbers at the break. */
interface KeptBreak extends AiredBreak {
  numbers: BreakNumbers
}

/** A session of a live channel that gets advertisements. */
type Session = Parameters<LiveBreaks['replace']>[0]

/** The data of a session in the memory of a process. */
interface State {
  storefrontId: number
  macros: AdsMacro
  /** Breaks that begin before this time are not filled. Milliseconds since the Unix epoch. */
  adsFrom: number
  breaks: KeptBreak[]
  usedAt: number
}

/** The breaks of live channels, and the advertisements that sessions have been given. */
export interface SessionBreaks extends LiveBreaks {
  /** Returns the TrackSets of the advertisements that a session has been given. */
  trackSetIdsOf(sessionId: string): Promise<string[]>
}

/**
 * Stores that a session gets advertisements in the breaks of its channel.
 *
 * @param session.adsFrom breaks that begin before this time are not filled; null for the time of the first
 * manifest
 */
export async function beginAdSession(
  db: Database,
  session: { id: string; storefrontId: number; macros: AdsMacro; adsFrom: number | null },
  now: number,
): Promise<void> {
  const { macros } = session
  await db
    .insert(adSessions)
    .values({ ...session, macros: storableMacros(macros), createdAt: now })
    .onConflictDoNothing()
}

/** Fills the breaks that broadcasters mark in live channels, for each session separately (docs/decisions/0102). */
export function createLiveBreaks(
  parts: AdParts & Pick<Context, 'viewers'>,
  trackSets: TrackSetStore,
): SessionBreaks {
  const { configurations, db, log, viewers } = parts
  const states = new LRUCache<string, State>({ max: MOST_SESSIONS })
  const running = new Map<string, Promise<unknown>>()
  const asking = new Semaphore(ASKED_AT_ONCE)
  const marked = new WeakMap<Timeline, TimedMark[]>()

  /** Reads the marks of a channel once, because they are the same for all sessions. */
  function marksOnce(channel: Timeline): TimedMark[] {
    const known = marked.get(channel) ?? marksOf(channel)
    marked.set(channel, known)
    return known
  }

  async function stateOf(id: string, now: number): Promise<State | undefined> {
    const known = states.get(id)
    if (known && now - known.usedAt < STALE_MS) return known
    const [session] = await db.select().from(adSessions).where(eq(adSessions.id, id))
    if (!session) return undefined
    const { storefrontId, macros } = session
    const adsFrom = session.adsFrom ?? (await storeBeginning(db, id, now))
    const state = { storefrontId, macros, adsFrom, breaks: await findBreaks(db, id), usedAt: now }
    states.set(id, state)
    return state
  }

  /** Returns whether the viewer of a session still gets advertisements. */
  async function stillGetsAds({ viewer: who, channelId }: Session, { storefrontId }: State, now: number) {
    const caller = {
      account: { id: who.accountId },
      // The strictest limits, which apply only if the profile was deleted.
      profile: { id: who.profileId, kid: true, maximumMoralityLevel: 1 },
    }
    const viewer = await viewers.of(caller, now)
    const { adFreePackages } = configurations.of(storefrontId).ads
    return await getsAds(db, viewer, { kind: 'channel', id: channelId }, adFreePackages)
  }

  /**
   * Returns the advertisements for a break. The list is empty if the viewer no longer gets advertisements, if no
   * creative fits, or if the ad server does not answer in time.
   */
  async function choose(
    session: Session,
    state: State,
    { layout }: Timeline,
    milliseconds: number,
    now: number,
  ): Promise<{ named: NamedAd; trackSet: TrackSet }[]> {
    // The viewer may have bought a package without advertisements since the session began.
    if (!(await stillGetsAds(session, state, now))) return []
    const { storefrontId, macros } = state
    const { channelId } = session
    const about = { contentId: `channel-${channelId}`, now, breakSeconds: Math.floor(milliseconds / 1000) }
    const named = await asking.run(async () => await nameBreaks(parts, storefrontId, macros, about))
    const fits = (creative: TrackSet) => fitsChannel(layout, creative)
    const ready = await readyCreatives(parts, trackSets, { storefrontId, named, fits }, now)
    let left = milliseconds + CUT_MS
    let room = MOST_ADS
    return named
      .flatMap((each) => {
        const shown = showableAds(each, ready).filter(({ trackSet }) => {
          const duration = spanMilliseconds(trackSet)
          if (room === 0 || duration > left) return false
          left -= duration
          room--
          return true
        })
        return withBreakTrackers(each, shown)
      })
      .map(({ ad, trackSet }) => ({ named: ad, trackSet }))
  }

  /** Chooses and stores the advertisements of breaks that are new to a session. */
  async function decide(
    session: Session,
    state: State,
    channel: Timeline,
    met: readonly (MarkedBreak & { begin: number })[],
    now: number,
  ): Promise<void> {
    // Another process may have stored the breaks. Reads them again before asking the ad server, which counts each
    // request.
    state.breaks = await findBreaks(db, session.id)
    const found = met.filter(
      ({ startsAt }) => !state.breaks.some((each) => each.marked.startsAt === startsAt),
    )
    const chosen = await Promise.all(
      found.map(async ({ begin, startsAt, endsAt }, index) =>
        // A break that began before the session shows the broadcaster's media to its end, even if there are further
        // marks inside the break.
        startsAt < state.adsFrom || index < found.length - MOST_PAST_BREAKS
          ? []
          : await choose(session, state, channel, endsAt - begin, now).catch((error: unknown) => {
              log.warn({ err: error }, 'a break of a live channel got no advertisements')
              return []
            }),
      ),
    )
    for (const [index, { begin, ...marks }] of found.entries()) {
      const picked = chosen[index] ?? []
      const placed = picked.map(({ named, trackSet }, place): { ad: AiredAd; trackers: Trackers } => {
        const duration = spanMilliseconds(trackSet) / 1000
        const { trackers, ...timed } = timedTrackers(named, duration)
        const ad = {
          trackSetId: trackSet.id,
          duration,
          // The filled break has the length of the broadcaster's break, so viewers cannot skip an advertisement.
          skipAfter: null,
          clickUrl: named.clickUrl,
          report: randomBytes(18).toString('base64url'),
          ...timed,
          number: place + 1,
          count: picked.length,
        }
        return { ad, trackers }
      })
      const ads = placed.map(({ ad }) => ad)
      const added = { marked: marks, startsAt: begin, ads, numbers: {} }
      const { numbers } = await build(channel, [...state.breaks, added], marksOnce(channel))
      const aired = { ...added, numbers: numbers.at(-1) ?? {} }
      const deliveries = placed.map(({ ad, trackers }) => ({ id: ad.report, trackers, createdAt: now }))
      if (await storeBreak(db, session.id, aired, deliveries, now)) state.breaks.push(aired)
      // Another process has stored this break first.
      else state.breaks = await findBreaks(db, session.id)
    }
  }

  async function build(channel: Timeline, breaks: readonly KeptBreak[], marks: readonly TimedMark[]) {
    const sets = await trackSets.getAll(breaks.flatMap(({ ads }) => ads.map(({ trackSetId }) => trackSetId)))
    return withFillers(
      channel,
      breaks.map((each) => replacedBreak(each, marks, sets)),
    )
  }

  async function replaced(session: Session, channel: Timeline, now: number): Promise<Timeline> {
    const state = await stateOf(session.id, now)
    if (!state) return channel
    state.usedAt = now
    const marks = marksOnce(channel)
    // The channel loses the beginning of a stored break earlier than its end. From then on, a mark inside the break
    // looks like the beginning of another break.
    const isKnown = (time: number) =>
      state.breaks.some(
        ({ marked: known }) =>
          known.startsAt <= time && (time < endOfBreak(known, marks) || time === known.startsAt),
      )
    const found = breaksBetween(marks)
      .filter(({ startsAt, endsAt }) => endsAt > state.adsFrom && !isKnown(startsAt))
      .flatMap((each) => {
        const begin = segmentFrom(channel, each.startsAt)
        return begin === undefined || begin >= each.endsAt ? [] : { ...each, begin }
      })
    if (found.length > 0) await decide(session, state, channel, found, now)
    if (state.breaks.every(({ ads }) => ads.length === 0)) return channel
    const { timeline, numbers } = await build(channel, state.breaks, marks)
    await keepReturns(session.id, state, numbers, marks)
    return timeline
  }

  /**
   * Stores the end of each break, and the sequence numbers after the break. Later, the channel no longer contains
   * the media from which they are computed.
   */
  async function keepReturns(
    id: string,
    state: State,
    numbers: readonly BreakNumbers[],
    marks: readonly TimedMark[],
  ): Promise<void> {
    for (const [index, { numbers: before, ...aired }] of state.breaks.entries()) {
      const after = numbers[index]
      if (!after?.after || before.after) continue
      const returned = { ...aired, marked: { ...aired.marked, endsAt: endOfBreak(aired.marked, marks) } }
      await db
        .update(adBreaks)
        .set({ aired: returned, numbers: after })
        .where(and(eq(adBreaks.sessionId, id), eq(adBreaks.markedAt, aired.marked.startsAt)))
      state.breaks[index] = { ...returned, numbers: after }
    }
  }

  return {
    replace: async (session, channel, now) => {
      // The calls of a session run one after another: its playlists are requested together, and must show the same
      // breaks.
      const before = running.get(session.id)?.catch(() => undefined) ?? Promise.resolve()
      const made = before.then(async () => {
        try {
          return await replaced(session, channel, now)
        } catch (error) {
          log.error({ err: error }, 'the breaks of a live channel could not be replaced')
          // The channel's own manifest would number the segments differently from the session's earlier manifests.
          // Players request the manifest again.
          throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: RETRY_SECONDS })
        }
      })
      running.set(session.id, made)
      try {
        return await made
      } finally {
        if (running.get(session.id) === made) running.delete(session.id)
      }
    },
    trackSetIdsOf: async (sessionId) =>
      (await findBreaks(db, sessionId)).flatMap(({ ads }) => ads.map(({ trackSetId }) => trackSetId)),
  }
}

function replacedBreak(
  { marked, startsAt, ads, numbers }: KeptBreak,
  marks: readonly TimedMark[],
  sets: ReadonlyMap<string, TrackSet>,
): ReplacedBreak {
  return {
    startsAt,
    endsAt: endOfBreak(marked, marks),
    fillers: ads.flatMap(({ trackSetId, ...ad }) => {
      const trackSet = sets.get(trackSetId)
      const data: LiveAd = ad
      const event = {
        schemeIdUri: LIVE_AD_SCHEME,
        durationMs: Math.round(ad.duration * 1000),
        data: Buffer.from(JSON.stringify(data)).toString('base64'),
      }
      return trackSet ? { trackSet, event } : []
    }),
    numbers,
  }
}

/** Returns whether a creative can play in the slots of a channel. */
function fitsChannel(layout: Timeline['layout'], creative: TrackSet): boolean {
  return canBeMade(() => createTimeline(layout, [appendSpan(null, creative)]))
}

/** Stores the time of the first manifest of a session. @returns the stored time */
async function storeBeginning(db: Database, id: string, now: number): Promise<number> {
  // Keeps the time that another process may have stored first.
  const first = sql`coalesce(${adSessions.adsFrom}, ${sql.param(now, adSessions.adsFrom)})`
  const [begun] = await db
    .update(adSessions)
    .set({ adsFrom: first })
    .where(eq(adSessions.id, id))
    .returning({ adsFrom: adSessions.adsFrom })
  return begun?.adsFrom ?? now
}

async function findBreaks(db: Database, sessionId: string): Promise<KeptBreak[]> {
  const rows = await db
    .select({ aired: adBreaks.aired, numbers: adBreaks.numbers })
    .from(adBreaks)
    .where(eq(adBreaks.sessionId, sessionId))
    .orderBy(asc(adBreaks.markedAt))
  return rows.map(({ aired, numbers }) => ({ ...aired, numbers }))
}

/** Stores the advertisements that a session shows in a break. @returns false if the break was already stored */
async function storeBreak(
  db: Database,
  sessionId: string,
  { numbers, ...aired }: KeptBreak,
  deliveries: (typeof adDeliveries.$inferInsert)[],
  now: number,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await tx
      .insert(adBreaks)
      .values({ sessionId, markedAt: aired.marked.startsAt, aired, numbers, createdAt: now })
      .onConflictDoNothing()
      .returning({ markedAt: adBreaks.markedAt })
    if (stored.length > 0 && deliveries.length > 0) await tx.insert(adDeliveries).values(deliveries)
    return stored.length > 0
  })
}
