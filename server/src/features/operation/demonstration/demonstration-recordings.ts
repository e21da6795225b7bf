import { LIVE_CHANNEL } from '@ondine/demo/live-channel'
import { KEEPERS_LOG } from '@ondine/demo/live-guide'
import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { findAccountByEmail } from '../../people/accounts/accounts.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { type Viewer, viewerOf } from '../../rights/entitlements/entitlements.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { type Owner, type RecordingParts, schedule } from '../../viewing/recordings/recordings.service.ts'
import { recordings } from '../../viewing/recordings/recordings.table.ts'
import { recordSeries } from '../../viewing/recordings/series-recordings.service.ts'
import { SUBSCRIBER } from './demonstration-accounts.ts'

/** Interval between attempts to record while the guide has too few programmes, in milliseconds. */
const LOOK_MS = 10_000
const HOUR_MS = 3_600_000
/** Only programmes within this time before or after now are recorded. In milliseconds. */
const REACH_MS = 30 * HOUR_MS
/** Number of episodes that the series recording keeps. */
const KEPT_EPISODES = 5

/** The film channel, whose current programme is recorded, and the children's channel. */
const FILMS = 'Rive'
const CHILDREN = 'Petit'
/** Channels whose last ended programme is recorded. */
const RECORDED = [FILMS, 'Terra', 'Onde 4']

interface Showing {
  idEvent: number
  idChannel: number
  startsAt: number
  endsAt: number
  titles: Readonly<Record<string, string>>
}

/** A recording to make. `at` is the time of the request. */
interface Wish {
  wanted: Showing
  at: number
}

/**
 * Recordings of the demonstration's subscriber: one complete, one running, one planned, one failed, and a series.
 * A child's profile has recordings too. The recordings are made once, as soon as the channels have programmes. The
 * recordings of a profile that already has some do not change.
 */
export class DemonstrationRecordings {
  readonly #context: Pick<Context, 'db' | 'clock' | 'configurations' | 'log'>
  readonly #parts: RecordingParts

  constructor(context: Pick<Context, 'db' | 'clock' | 'configurations' | 'log'>, parts: RecordingParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Makes the recordings in the background, as soon as the guide allows. */
  start(storefronts: readonly { id: number }[], signal: AbortSignal): void {
    let isLooking = false
    const look = async () => {
      if (isLooking || signal.aborted) return
      isLooking = true
      try {
        if (await this.record(storefronts)) clearInterval(timer)
      } catch (error) {
        this.#context.log.error({ err: error }, 'the recordings of the demonstration could not be made')
      } finally {
        isLooking = false
      }
    }
    const timer = setInterval(() => void look(), LOOK_MS).unref()
    signal.addEventListener('abort', () => clearInterval(timer))
    void look()
  }

  /** Makes the missing recordings. Returns false if some must be tried again later. */
  async record(storefronts: readonly { id: number }[]): Promise<boolean> {
    const guide = await this.#guide()
    if (!guide) return false
    let isDone = true
    for (const { id } of storefronts) isDone = (await this.#recordFor(id, guide)) && isDone
    return isDone
  }

  async #recordFor(storefrontId: number, guide: Guide): Promise<boolean> {
    const { db, clock, configurations } = this.#context
    const now = clock.now()
    const account = await findAccountByEmail(db, storefrontId, SUBSCRIBER)
    if (account?.status !== 'ACTIVE') return true
    const profiles = await listProfiles(db, account.id)
    const own = profiles.find(({ kid }) => !kid)
    const child = profiles.find(({ kid }) => kid)
    for (const profile of [own, child]) {
      if (!profile) continue
      const owner = { accountId: account.id, profileId: profile.id }
      if ((await db.$count(recordings, eq(recordings.profileId, profile.id))) > 0) continue
      const viewer = await viewerOf({ db, configurations }, { account: { id: account.id }, profile }, now)
      // The purchase of the plan with the channels runs at the same time, and may not be complete yet.
      if (viewer.packageIds.size === 0) return false
      for (const wish of profile.kid ? wishesOfChild(guide, now) : wishesOf(guide, now))
        await this.#try(async () => await schedule(this.#parts, viewer, owner, wish.wanted, wish.at))
      if (!profile.kid) await this.#recordSeries(viewer, owner, guide, now)
    }
    return true
  }

  async #recordSeries(viewer: Viewer, owner: Owner, guide: Guide, now: number): Promise<void> {
    const episode = guide.live.find(({ titles, startsAt }) => isSeries(titles) && startsAt > now)
    if (!episode) return
    const { idEvent, idChannel } = episode
    const wanted = {
      idEvent,
      idChannel,
      channelId: idChannel,
      episodes: 'new',
      keepLast: KEPT_EPISODES,
    } as const
    await this.#try(async () => await recordSeries(this.#parts, viewer, owner, wanted, now))
  }

  /** Makes one recording. A failure does not stop the other recordings. */
  async #try(record: () => Promise<unknown>): Promise<void> {
    try {
      await record()
    } catch (error) {
      this.#context.log.warn({ err: error }, 'a recording of the demonstration was not made')
    }
  }

  /**
   * Returns the programmes of the demonstration's channels around now; undefined if a channel has no programmes
   * yet.
   */
  async #guide(): Promise<Guide | undefined> {
    const { db, clock } = this.#context
    const now = clock.now()
    const names = [...RECORDED, CHILDREN, LIVE_CHANNEL.name]
    const rows = await db
      .select({
        idEvent: programmes.id,
        idChannel: programmes.channelId,
        startsAt: programmes.startsAt,
        endsAt: programmes.endsAt,
        titles: programmes.titles,
        channel: channels.sourceKey,
      })
      .from(programmes)
      .innerJoin(channels, eq(channels.id, programmes.channelId))
      .where(
        and(
          inArray(channels.sourceKey, names),
          gt(programmes.endsAt, now - REACH_MS),
          lt(programmes.startsAt, now + REACH_MS),
        ),
      )
      .orderBy(asc(programmes.startsAt))
    const of = Map.groupBy(rows, ({ channel }) => channel)
    const hasAll = names.every((name) => of.get(name)?.some((each) => isOn(each, now)))
    if (!hasAll) return undefined
    return {
      live: of.get(LIVE_CHANNEL.name) ?? [],
      children: of.get(CHILDREN) ?? [],
      films: of.get(FILMS) ?? [],
      recorded: RECORDED.map((name) => of.get(name) ?? []),
    }
  }
}

/** Programmes of the channels, sorted by time. */
interface Guide {
  live: readonly Showing[]
  children: readonly Showing[]
  films: readonly Showing[]
  recorded: readonly (readonly Showing[])[]
}

function wishesOf({ live, films, recorded }: Guide, now: number): Wish[] {
  const running = films.find((each) => isOn(each, now))
  // Recording this programme fails, because the live channel had no signal before the first start.
  const missed = lastBefore(live, now)
  return [
    ...at(
      now,
      ...recorded.map((showings) => lastBefore(showings, now)),
      running,
      ...next(live, now, 2),
      ...next(films, now, 1),
    ),
    ...(missed ? at(missed.startsAt - HOUR_MS, missed) : []),
  ]
}

function wishesOfChild({ children, live }: Guide, now: number): Wish[] {
  return at(now, lastBefore(children, now), ...next(children, now, 1), ...next(live, now, 1))
}

function at(time: number, ...showings: (Showing | undefined)[]): Wish[] {
  return showings.flatMap((wanted) => (wanted ? [{ wanted, at: time }] : []))
}

function isOn({ startsAt, endsAt }: Pick<Showing, 'startsAt' | 'endsAt'>, now: number): boolean {
  return startsAt <= now && now < endsAt
}

/** Returns the last programme whose recording would have ended by now, including its margin. */
function lastBefore(showings: readonly Showing[], now: number): Showing | undefined {
  return showings.findLast(({ endsAt, titles }) => endsAt + HOUR_MS / 6 < now && !isSeries(titles))
}

/** Returns the next `count` programmes, without episodes of the series. The series has a series recording. */
function next(showings: readonly Showing[], now: number, count: number): Showing[] {
  return showings.filter(({ startsAt, titles }) => startsAt > now && !isSeries(titles)).slice(0, count)
}

/** Returns whether these are the titles of the live channel's series. */
function isSeries(titles: Showing['titles']): boolean {
  return titles.fra === KEEPERS_LOG.title.fra
}
