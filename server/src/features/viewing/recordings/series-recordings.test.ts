import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import * as calls from '@ondine/contract/recordings'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import type { LocalisedText } from '../../../database/columns.ts'
import { rowsOf } from '../../../database/rows.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { categories } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { grants, packageChannels } from '../../rights/entitlements/entitlements.table.ts'
import { ensurePackage, putChannelsInPackage } from '../../rights/entitlements/packages.service.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { startEpisodeJobs } from './episode-jobs.ts'
import { storePlayback } from './played-recordings.service.ts'
import { followHourly, tendRecordings } from './recording-jobs.ts'
import { recordings } from './recordings.table.ts'
import { recordNewEpisodes } from './series-recordings.service.ts'
import { tellDropped } from './tell-dropped.ts'

const HOUR_MS = 3600_000

/** Returns the time some hours after noon, for SQL. */
const iso = (hour: number) => new Date(NOON + hour * HOUR_MS).toISOString()

describe.each(MAIN_DB)('series recordings, on a database of kind %s', (kind) => {
  const ids: Record<string, number> = {}
  const scene = testScene(kind, {
    actor: { packages: { television: {} } },
    prepared: async ({ service: { context }, make }) => {
      const { db } = context
      await ensurePackage(db, 'television', { fra: 'Télévision' }, 20)
      await ensurePackage(db, 'little', { fra: 'Peu' }, 1)
      const inPackages = ['television', 'little']
      const series = await make.series('Le Métier')
      for (const episodeNumber of [1, 2, 3]) {
        const trackSet = buildTrackSet({ seconds: 1800 })
        const numbers = { kind: 'episode', serieId: series.id, seasonNumber: 1, episodeNumber } as const
        await make.asset(`Épisode ${episodeNumber}`, { trackSet, ...numbers })
      }
      await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 1800 }) })
      const rules = { kind: 'sequence', titles: ['Le Métier', 'La Houle'] }
      ids.library = (await make.channel('Rive', rules, { inPackages })).id
      const live = { kind: 'live', rules: null } as const
      for (const name of ['un', 'deux'])
        ids[name] = (await make.channel(name, rules, { ...live, guideId: name, inPackages })).id
      ids.closed = (await make.channel('fermée', rules, { ...live, inPackages: ['x'] })).id
      ids.hidden = (await make.channel('cachée', rules, { ...live, enabled: false, inPackages })).id
      ids.relay = (await make.channel('relais', rules, { kind: 'relay', rules: null, inPackages })).id
      await extendSchedules(db, createTrackSetStore(db), NOON)
    },
  })
  const parts = () => {
    const { db, log, settings, configurations, connection } = scene.service.context
    const air = createChannelAir(db, createTrackSetStore(db), connection.changes)
    return { db, log, settings, configurations, air }
  }
  const hourly = async () => await followHourly(parts(), scene.service.clock.now())
  const tend = async () => await tendRecordings(parts(), scene.service.clock.now())

  beforeEach(async () => {
    scene.service.clock.set(NOON)
    for (const channel of ['un', 'deux', 'closed', 'hidden', 'relay'])
      await scene.service.context.db.delete(programmes).where(eq(programmes.channelId, ids[channel] ?? 0))
  })

  /** Announces an episode of « Feuilleton » that begins some hours after noon. */
  async function announce(
    channel: string,
    hour: number,
    episode: number | null,
    isRepeat = false,
  ): Promise<number> {
    const [row] = await scene.service.context.db
      .insert(programmes)
      .values({
        channelId: ids[channel] ?? 0,
        universalId: `${channel}-${hour}`,
        startsAt: NOON + hour * HOUR_MS,
        endsAt: NOON + (hour + 0.5) * HOUR_MS,
        titles: { fra: 'Feuilleton' },
        seasonNumber: 1,
        episodeNumber: episode,
        moralityLevel: 0,
        isRepeat,
      })
      .returning({ id: programmes.id })
    return row?.id ?? 0
  }
  /** Changes whether the guide forbids to record a programme. */
  async function forbid(programmeId: number, isForbidden = true): Promise<void> {
    await scene.service.context.db
      .update(programmes)
      .set({
        details: sql`coalesce(details, '{}') || ${JSON.stringify({ recordingForbidden: isForbidden })}::jsonb`,
      })
      .where(eq(programmes.id, programmeId))
  }
  async function record(
    idEvent: number,
    channel: string,
    how: { episodes?: 'new' | 'all'; anyChannel?: boolean; keepLast?: number } = {},
    actor: Actor = scene.actor,
  ) {
    const input = {
      idEvent,
      idChannel: ids[channel] ?? 0,
      episodes: how.episodes ?? 'new',
      anyChannel: how.anyChannel ?? false,
      keepLast: how.keepLast,
    }
    return await scene.service.call(calls.createSeriesRecording, input, actor.tokens)
  }
  const list = async (actor: Actor = scene.actor) =>
    (await scene.service.call(calls.listRecordings, {}, actor.tokens)).result.records
  /** Returns the recorded episodes with their hours from noon, in order of time. */
  const episodes = async (actor: Actor = scene.actor) =>
    (await list(actor))
      .map(({ episode, startutc }) => [episode, (startutc * 1000 - NOON) / HOUR_MS])
      .toReversed()
  const series = async (actor: Actor = scene.actor) =>
    (await scene.service.call(calls.listSeriesRecordings, {}, actor.tokens)).result
  /** Returns the recordings of the series of a programme. */
  const seriesOf = async (idEvent: number) =>
    (await scene.service.call(calls.listSeriesRecordings, { idEvent }, scene.actor.tokens)).result

  it('records the announced episodes of this channel, and those that are announced later', async () => {
    const first = await announce('un', 2, 1)
    await announce('deux', 3, 2)
    await announce('un', 4, 3)
    const { result } = await record(first, 'un')
    expect(result).toMatchObject({ title: 'Feuilleton', episodes: 'new', channel: 'un', isFull: false })
    expect(await episodes()).toEqual([
      [1, 2],
      [3, 4],
    ])
    await announce('un', 30, 4)
    await hourly()
    expect(await episodes()).toEqual([
      [1, 2],
      [3, 4],
      [4, 30],
    ])
    expect(await series()).toEqual([result])
  })

  it('records each episode once, at its first showing on any channel of the account', async () => {
    const first = await announce('un', 2, 1)
    await announce('closed', 3, 2)
    await announce('deux', 5, 2)
    await announce('un', 6, 1)
    await announce('un', 7, 2)
    await record(first, 'un', { anyChannel: true, episodes: 'all' })
    const recorded = [
      [1, 2],
      [2, 5],
    ]
    expect(await episodes()).toEqual(recorded)
    await hourly()
    expect(await episodes()).toEqual(recorded)
  })

  it.each(['closed', 'hidden', 'relay'])(
    'records an episode that a channel of kind %s shows at the same time',
    async (channel) => {
      const first = await announce('un', 2, 1)
      await announce(channel, 3, 2)
      await announce('deux', 3, 2)
      await record(first, 'un', { anyChannel: true })
      expect(await episodes()).toEqual([
        [1, 2],
        [2, 3],
      ])
    },
  )

  it('records a later showing of an episode on the same channel if the guide forbids the first one', async () => {
    const first = await announce('un', 2, 1)
    await forbid(await announce('un', 3, 2))
    await announce('un', 5, 2)
    await record(first, 'un')
    expect(await episodes()).toEqual([
      [1, 2],
      [2, 5],
    ])
  })

  it('records series of the same title on two channels side by side', async () => {
    const first = await announce('un', 2, 1)
    const other = await announce('deux', 3, 7)
    const { result: one } = await record(first, 'un')
    const { result: two } = await record(other, 'deux')
    expect(await episodes()).toEqual([
      [1, 2],
      [7, 3],
    ])
    expect(await series()).toEqual([one, two])
    const { result: changed } = await record(other, 'deux', { episodes: 'all' })
    expect(changed).toEqual({ ...two, episodes: 'all' })
    expect(await series()).toEqual([one, changed])
  })

  it('a rule for any channel takes the place of the rules for single channels', async () => {
    const first = await announce('un', 2, 1)
    const other = await announce('deux', 3, 7)
    const gone = await announce('deux', 4, 8)
    const { result: one } = await record(first, 'un')
    await record(other, 'deux')
    const [cancelled] = (await list()).filter(({ idEvent }) => idEvent === gone)
    await scene.service.call(calls.removeRecording, { id: cancelled?.id ?? 0 }, scene.actor.tokens)
    const rule = { id: one.id, episodes: 'new', anyChannel: true, keepLast: undefined } as const
    await scene.service.call(calls.changeSeriesRecording, rule, scene.actor.tokens)
    expect(await series()).toEqual([{ ...one, idChannel: null, channel: null }])
    const planned = [
      [1, 2],
      [7, 3],
    ]
    expect(await episodes()).toEqual(planned)
    await hourly()
    expect(await episodes()).toEqual(planned)
    await scene.service.call(calls.removeSeriesRecording, { id: one.id }, scene.actor.tokens)
    expect(await episodes()).toEqual([])
  })

  it('leaves out repeats, unless all episodes are asked for', async () => {
    const first = await announce('un', 2, 1)
    await announce('un', 4, 7, true)
    await record(first, 'un')
    expect(await episodes()).toEqual([[1, 2]])
    await record(first, 'un', { episodes: 'all' })
    expect(await episodes()).toEqual([
      [1, 2],
      [7, 4],
    ])
    expect(await series()).toHaveLength(1)
  })

  it('records a series of the library by its episodes', async () => {
    const input = { start: NOON / 1000, offset: 0, hours: 12, channelIds: [ids.library ?? 0] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const all: Programme[] = result[`chan_${ids.library ?? 0}`] ?? []
    const episode = all.find(({ title, startutc }) => title === 'Le Métier' && startutc * 1000 > NOON)
    const film = all.find(({ title }) => title === 'La Houle')
    expect((await record(episode?.id ?? 0, 'library')).result.title).toBe('Le Métier')
    expect((await list()).map((each) => each.episode)).toEqual(expect.arrayContaining([1, 2, 3]))
    expect((await record(film?.id ?? 0, 'library')).error.code).toBe(-404)
    // A series recording has the present name of its series.
    const { db } = scene.service.context
    const [{ names } = { names: {} }] = await db.select({ names: categories.names }).from(categories)
    await db.update(categories).set({ names: { fra: 'Le Métier de vivre' } })
    expect((await series()).map(({ title }) => title)).toEqual(['Le Métier de vivre'])
    await db.update(categories).set({ names })
  })

  it('records a series to which its guide later adds a title in another language', async () => {
    const { db } = scene.service.context
    const { result } = await record(await announce('un', 2, 1), 'un')
    const later = await announce('un', 30, 2)
    const translated = async (id: number) =>
      await db
        .update(programmes)
        .set({ titles: { fra: 'Feuilleton', eng: 'Soap' } })
        .where(eq(programmes.id, id))
    await translated(later)
    await hourly()
    expect(await episodes()).toEqual([
      [1, 2],
      [2, 30],
    ])
    expect(await seriesOf(later)).toEqual([result])
    const other = await announce('un', 50, 3)
    await db
      .update(programmes)
      .set({ titles: { fra: 'Autre', eng: 'Feuilleton' } })
      .where(eq(programmes.id, other))
    await hourly()
    expect(await episodes()).toHaveLength(2)
    expect(await seriesOf(other)).toEqual([])
    // The present titles of the guide name the same series.
    expect((await record(later, 'un', { episodes: 'all' })).result.id).toBe(result.id)
  })

  it('tells two series of a channel apart that have the same title in one language only', async () => {
    const titled = async (id: number, titles: LocalisedText) =>
      await scene.service.context.db.update(programmes).set({ titles }).where(eq(programmes.id, id))
    const [noon, night] = [await announce('un', 2, 1), await announce('un', 8, 2)]
    await titled(noon, { fra: 'Le 13 heures', eng: 'News' })
    await titled(night, { fra: 'Le 20 heures', eng: 'News' })
    await record(noon, 'un')
    await hourly()
    expect(await episodes()).toEqual([[1, 2]])
    expect(await seriesOf(night)).toEqual([])
  })

  it('tells a series of the library from a programme that only has its name in a guide', async () => {
    const input = { start: NOON / 1000, offset: 0, hours: 12, channelIds: [ids.library ?? 0] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const all: Programme[] = result[`chan_${ids.library ?? 0}`] ?? []
    const episode = all.find(({ title, startutc }) => title === 'Le Métier' && startutc * 1000 > NOON)
    const film = all.find(({ title }) => title === 'La Houle')
    const { result: rule } = await record(episode?.id ?? 0, 'library', { anyChannel: true })
    const namesake = await announce('un', 2, 1)
    await scene.service.context.db
      .update(programmes)
      .set({ titles: { fra: 'Le Métier' } })
      .where(eq(programmes.id, namesake))
    expect(await seriesOf(episode?.id ?? 0)).toEqual([rule])
    for (const id of [namesake, film?.id ?? 0, 999_999]) expect(await seriesOf(id)).toEqual([])
  })

  it('counts the recordings that a smaller number to keep deletes, also those of the rules that a rule replaces', async () => {
    const first = await announce('un', 1, 1)
    await announce('un', 2, 2)
    const other = await announce('deux', 3, 3)
    const { result: one } = await record(first, 'un', { episodes: 'all' })
    const { result: two } = await record(other, 'deux', { episodes: 'all' })
    expect([one, two].map(({ recorded, recordedOnAny }) => [recorded, recordedOnAny])).toEqual([
      [0, 0],
      [0, 0],
    ])
    scene.service.clock.set(NOON + 4 * HOUR_MS)
    await scene.service.context.db
      .update(recordedProgrammes)
      .set({ settledAt: NOON + 4 * HOUR_MS })
      .where(inArray(recordedProgrammes.programmeId, [first, other]))
    const counts = (await seriesOf(first)).map(({ recorded, recordedOnAny }) => [recorded, recordedOnAny])
    expect(counts).toEqual([
      [1, 2],
      [1, 2],
    ])
    const rule = { id: one.id, episodes: 'all', anyChannel: true, keepLast: 1 } as const
    const { result } = await scene.service.call(calls.changeSeriesRecording, rule, scene.actor.tokens)
    expect([result.recorded, result.recordedOnAny]).toEqual([2, 2])
    await hourly()
    expect((await series()).map(({ recorded }) => recorded)).toEqual([1])
  })

  it('A3-32 shows what it plans to an account that changes to another package of the channel', async () => {
    const { db } = scene.service.context
    const other = await scene.make.actor({ packages: { little: {} } })
    const planned = await announce('un', 2, 1)
    await record(planned, 'un', {}, other)
    const large = await ensurePackage(db, 'large', { fra: 'Grand' }, 10)
    const vast = await ensurePackage(db, 'vast', { fra: 'Immense' }, 10)
    const changeTo = async (packageId: number) =>
      await db.update(grants).set({ packageId }).where(eq(grants.accountId, other.account.id))
    try {
      await changeTo(large)
      await hourly()
      expect(await list(other)).toEqual([])
      await putChannelsInPackage(db, large, [ids.un ?? 0])
      await hourly()
      expect(await episodes(other)).toEqual([[1, 2]])
      // A recording that is over keeps the rights of its time.
      scene.service.clock.set(NOON + 4 * HOUR_MS)
      await db
        .update(recordedProgrammes)
        .set({ settledAt: NOON + 4 * HOUR_MS })
        .where(eq(recordedProgrammes.programmeId, planned))
      await putChannelsInPackage(db, vast, [ids.un ?? 0])
      await changeTo(vast)
      await hourly()
      expect(await list(other)).toEqual([])
    } finally {
      await db.delete(packageChannels).where(inArray(packageChannels.packageId, [large, vast]))
    }
  })

  it('A2.4-03 keeps an episode whose viewer records another showing after a failure', async () => {
    const first = await announce('un', 2, 1)
    const { result: rule } = await record(first, 'un')
    const [failed] = await list()
    const { db } = scene.service.context
    await db
      .update(recordedProgrammes)
      .set({ settledAt: NOON + 3 * HOUR_MS, failed: true })
      .where(eq(recordedProgrammes.programmeId, first))
    scene.service.clock.set(NOON + 3 * HOUR_MS)
    const again = await announce('deux', 5, 1)
    const wanted = { idEvent: again, idChannel: ids.deux ?? 0, replaces: failed?.id }
    const { result: retried } = await scene.service.call(calls.createRecording, wanted, scene.actor.tokens)
    expect((await list()).map(({ id }) => id)).toEqual([retried.id])
    const [row] = await db.select().from(recordings).where(eq(recordings.id, retried.id))
    expect(row?.seriesRecordingId).toBe(rule.id)
    await hourly()
    expect(await episodes()).toEqual([[1, 5]])
    // The series may still record the episode if this recording fails too.
    await db
      .update(recordedProgrammes)
      .set({ settledAt: NOON + 6 * HOUR_MS, failed: true })
      .where(eq(recordedProgrammes.programmeId, again))
    scene.service.clock.set(NOON + 6 * HOUR_MS)
    await tend()
    await announce('un', 8, 1)
    await hourly()
    expect(await episodes()).toEqual([
      [1, 5],
      [1, 8],
    ])
  })

  it('records an episode that is on air, from its beginning', async () => {
    scene.service.clock.set(NOON + 0.25 * HOUR_MS)
    const input = { start: NOON / 1000, offset: 0, hours: 12, channelIds: [ids.library ?? 0] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const all = (result[`chan_${ids.library ?? 0}`] ?? []).filter(({ title }) => title === 'Le Métier')
    const [onAir, next] = all.filter(({ endutc }) => endutc * 1000 > scene.service.clock.now())
    expect(onAir?.startutc).toBeLessThan(scene.service.clock.now() / 1000)
    await record(next?.id ?? 0, 'library')
    const running = (await list()).find(({ state }) => state === 'recording')
    expect(running).toMatchObject({ episode: 1, startutc: onAir?.startutc })
  })

  it('records an episode soon after the guide has announced it', async () => {
    const { context } = scene.service
    await record(await announce('un', 2, 1), 'un')
    await announce('un', 0.6, 2)
    for (const channel of ['un', 'deux']) await context.onGuideChanged(ids[channel] ?? 0)
    const due = sql`update jobs.job set start_after = now() where name = 'recordings-episodes' returning id`
    expect(await rowsOf(context.db, due)).toHaveLength(1)
    await startEpisodeJobs(context, parts())
    await expect
      .poll(async () => await episodes(), { timeout: 20_000 })
      .toEqual([
        [2, 0.6],
        [1, 2],
      ])
  })

  it('does not record an episode again that was cancelled or deleted', async () => {
    const first = await announce('un', 2, 1)
    await record(first, 'un', { episodes: 'all' })
    const [recording] = await list()
    await scene.service.call(calls.removeRecording, { id: recording?.id ?? 0 }, scene.actor.tokens)
    scene.service.clock.set(NOON + 61_000)
    await tend()
    await announce('un', 5, 1)
    await hourly()
    expect(await list()).toEqual([])
  })

  describe('a series whose guide tells its episodes apart by their times only', () => {
    const news = (hour: number) => ({
      channelId: ids.un ?? 0,
      universalId: `${ids.un}-${(NOON + hour * HOUR_MS) / 1000}`,
      startsAt: NOON + hour * HOUR_MS,
      endsAt: NOON + (hour + 0.5) * HOUR_MS,
      titles: { fra: 'Journal' },
      moralityLevel: 0,
    })
    const announceNews = async (...hours: number[]) =>
      await scene.service.context.db.insert(programmes).values(hours.map(news)).returning()
    /** Moves a programme as an import does, which replaces the programme by another with a new id. */
    async function move(hour: number, to: number): Promise<void> {
      const { db } = scene.service.context
      await db.delete(programmes).where(eq(programmes.startsAt, NOON + hour * HOUR_MS))
      await announceNews(to)
    }
    const hours = async () => (await episodes()).map(([, hour]) => hour)
    /** Records news at 14:00 and at 20:00 of two days, and cancels the first one for good. */
    async function cancelFirst(): Promise<void> {
      const [first] = await announceNews(2, 8, 26, 32)
      await record(first?.id ?? 0, 'un', { episodes: 'all' })
      expect(await hours()).toEqual([2, 8, 26, 32])
      const cancelled = (await list()).at(-1)?.id ?? 0
      await scene.service.call(calls.removeRecording, { id: cancelled }, scene.actor.tokens)
      scene.service.clock.set(NOON + 61_000)
      await tend()
      expect(await hours()).toEqual([8, 26, 32])
    }

    it('does not record an episode again that was cancelled and that the guide moves', async () => {
      await cancelFirst()
      await move(2, 2.5)
      await hourly()
      expect(await hours()).toEqual([8, 26, 32])
      await move(2.5, 2.25)
      await recordNewEpisodes(parts(), scene.service.clock.now(), new AbortController().signal)
      expect(await hours()).toEqual([8, 26, 32])
    })

    it('records the other episodes, and forgets the cancelled one when it is over', async () => {
      await cancelFirst()
      await move(8, 8.5)
      await announceNews(50)
      await hourly()
      const recorded = [8.5, 26, 32, 50]
      expect(await hours()).toEqual(recorded)
      scene.service.clock.set(NOON + 3 * HOUR_MS)
      await tend()
      await hourly()
      expect(await hours()).toEqual(recorded)
      const own = eq(recordings.profileId, scene.actor.profileId)
      expect(await scene.service.context.db.$count(recordings, own)).toBe(recorded.length)
    })
  })

  it('keeps the last recordings only', async () => {
    const input = { start: NOON / 1000, offset: 0, hours: 12, channelIds: [ids.library ?? 0] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const all = result[`chan_${ids.library ?? 0}`] ?? []
    const episode = all.find(({ title, startutc }) => title === 'Le Métier' && startutc * 1000 > NOON)
    await record(episode?.id ?? 0, 'library', { keepLast: 1 })
    const before = await list()
    expect(before).toHaveLength(3)
    scene.service.clock.set(NOON + 12 * HOUR_MS)
    await tend()
    // The recording that the viewer watches stays until then.
    const [latest, watched] = before
    const updatedAt = scene.service.clock.now()
    const playback = { watchedTo: undefined, updatedAt, playingUntil: updatedAt + HOUR_MS }
    await storePlayback(scene.service.context.db, [{ recordingId: watched?.id ?? 0, ...playback }])
    await hourly()
    expect((await list()).map(({ id }) => id)).toEqual([latest?.id, watched?.id])
    scene.service.clock.set(NOON + 13 * HOUR_MS + 1)
    await hourly()
    expect((await list()).map(({ id }) => id)).toEqual([latest?.id])
  })

  describe('a series whose last recording is kept', () => {
    const day = (episode: number) => 2 + (episode - 1) * 24
    /** Announces daily episodes. @returns the id of the first programme */
    async function announceDays(count: number): Promise<number> {
      for (let episode = 1; episode <= count; episode++) await announce('un', day(episode), episode)
      const [first] = await scene.service.context.db
        .select({ id: programmes.id })
        .from(programmes)
        .where(eq(programmes.universalId, 'un-2'))
      return first?.id ?? 0
    }
    const daily = (...some: number[]) => some.map((episode) => [episode, day(episode)])
    const planned = async (actor: Actor = scene.actor) =>
      (await scene.service.call(calls.readQuota, {}, actor.tokens)).result.npvr.planned

    it('reserves recording time for two episodes, and plans the next one when an episode is over', async () => {
      const small = await scene.make.actor({ packages: { little: {} } })
      const { result } = await record(await announceDays(14), 'un', { keepLast: 1 }, small)
      expect(result.isFull).toBe(false)
      expect(await episodes(small)).toEqual(daily(1, 2))
      await hourly()
      expect(await episodes(small)).toEqual(daily(1, 2))
      expect(await planned(small)).toBe(HOUR_MS)
      scene.service.clock.set(NOON + 3 * HOUR_MS)
      await tend()
      await hourly()
      expect(await episodes(small)).toEqual(daily(1, 2, 3))
      expect(await planned(small)).toBe(HOUR_MS)
    })

    it('plans all episodes of the next hour and a half, because they may be over before the next job', async () => {
      await record(await announceDays(1), 'un', { keepLast: 1 })
      const block = [
        [2, 26],
        [3, 26.5],
        [4, 27],
      ] as const
      for (const [episode, hour] of block) await announce('un', hour, episode)
      await hourly()
      expect(await episodes()).toEqual([...daily(1), block[0]])
      scene.service.clock.set(NOON + 25.6 * HOUR_MS)
      await hourly()
      expect(await episodes()).toEqual([...daily(1), ...block])
    })

    it('plans an episode that is announced later and begins before those that are planned', async () => {
      await record(await announceDays(3), 'un', { keepLast: 1 })
      await announce('un', 5, 9)
      await hourly()
      expect(await episodes()).toEqual([[1, 2], [9, 5], ...daily(2)])
    })

    it('plans as many episodes as a changed rule keeps', async () => {
      const { id } = (await record(await announceDays(5), 'un')).result
      const change = async (keepLast: number | undefined) => {
        const rule = { id, episodes: 'new', anyChannel: false, keepLast } as const
        await scene.service.call(calls.changeSeriesRecording, rule, scene.actor.tokens)
        return await episodes()
      }
      expect(await episodes()).toEqual(daily(1, 2, 3, 4, 5))
      expect(await change(1)).toEqual(daily(1, 2))
      expect(await change(2)).toEqual(daily(1, 2, 3))
      expect(await change(undefined)).toEqual(daily(1, 2, 3, 4, 5))
    })
  })

  it('reports that the recording time is used up, and continues when there is room', async () => {
    const small = await scene.make.actor({ packages: { little: {} } })
    const first = await announce('un', 2, 1)
    await announce('un', 3, 2)
    await announce('un', 4, 3)
    expect((await record(first, 'un', {}, small)).result.isFull).toBe(true)
    expect(await episodes(small)).toEqual([
      [1, 2],
      [2, 3],
    ])
    const [latest] = await list(small)
    await scene.service.call(calls.removeRecording, { id: latest?.id ?? 0 }, small.tokens)
    await hourly()
    expect(await episodes(small)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect((await series(small))[0]?.isFull).toBe(false)
  })

  describe('a series whose guide numbers its episodes in a text for viewers only', () => {
    /** Imports a guide of showings: channel, hour after noon, text with the numbers, and further elements. */
    async function take(...showings: [channel: string, hour: number, numbers: string, more?: string][]) {
      const folder = await mkdtemp(join(tmpdir(), 'ondine-series-'))
      const path = join(folder, 'guide.xml')
      const programme = ([channel, hour, numbers, more = '']: (typeof showings)[number]) =>
        show(
          channel,
          hour,
          hour + 0.5,
          `<title lang="fr">Feuilleton</title><episode-num system="onscreen">${numbers}</episode-num>${more}`,
        )
      await writeFile(path, guideOf(showings.map(programme).join('\n')))
      await runCommand(scene.service, 'guide import', [path], { name: 'series' })
      await rm(folder, { recursive: true })
    }
    const firstId = async () => {
      const [first] = await scene.service.context.db
        .select({ id: programmes.id })
        .from(programmes)
        .where(eq(programmes.startsAt, NOON + 2 * HOUR_MS))
      return first?.id ?? 0
    }
    /** Returns the recorded episodes with their seasons and hours from noon, in order of time. */
    const numbered = async () =>
      (await list())
        .map(({ season, episode, startutc }) => [season, episode, (startutc * 1000 - NOON) / HOUR_MS])
        .toReversed()
    const again = '<previously-shown/>'

    it.each(['new', 'all'] as const)(
      'is recorded with each episode of two seasons once: %s',
      async (which) => {
        await take(
          ['un', 2, 'Saison 1 Épisode 5'],
          ['un', 3, 'Saison 2 Épisode 5'],
          ['un', 4, 'Saison 2 Épisode 6'],
          ['un', 5, 'Saison 2 Épisode 5'],
          ['deux', 6, 'S02E06'],
          ['un', 7, 'Saison 1 Épisode 5', again],
          ['un', 8, 'Saison 1, épisode 6'],
        )
        await record(await firstId(), 'un', { episodes: which, anyChannel: true })
        const recorded = [
          [1, 5, 2],
          [2, 5, 3],
          [2, 6, 4],
          [1, 6, 8],
        ]
        expect(await numbered()).toEqual(recorded)
        await take(
          ['un', 30, 'Saison 2 Épisode 5'],
          ['un', 31, 'Saison 2 Épisode 7'],
          ['un', 32, 'Saison 1 Épisode 7'],
        )
        await hourly()
        expect(await numbered()).toEqual([...recorded, [2, 7, 31], [1, 7, 32]])
      },
    )

    it('keeps its last recordings, whatever their season', async () => {
      await take(
        ['un', 2, 'Saison 2 Épisode 1'],
        ['un', 3, 'Saison 1 Épisode 9'],
        ['un', 4, 'Saison 2 Épisode 2'],
        ['un', 5, 'Saison 1 Épisode 9'],
        ['un', 30, 'Saison 1 Épisode 10'],
        ['un', 31, 'Saison 2 Épisode 3'],
      )
      await record(await firstId(), 'un', { episodes: 'all', keepLast: 2 })
      const first = [
        [2, 1, 2],
        [1, 9, 3],
        [2, 2, 4],
      ]
      expect(await numbered()).toEqual(first)
      scene.service.clock.set(NOON + 6 * HOUR_MS)
      await tend()
      // The live channels of this test have no media, so each recording fails.
      await scene.service.context.db.execute(sql`update recorded_programmes set failed = false`)
      await tend()
      await hourly()
      expect(await numbered()).toEqual([...first.slice(1), [1, 10, 30], [2, 3, 31]])
    })
  })

  it('continues with the other series when one fails', async () => {
    const { db } = scene.service.context
    const first = await announce('un', 2, 1)
    const other = await scene.make.actor({ packages: { television: {} } })
    await record(first, 'un')
    await record(first, 'un', {}, other)
    await announce('un', 4, 2)
    await db.execute(sql`
      create function refused() returns trigger language plpgsql as $$ begin raise 'Refused.'; end $$`)
    await db.execute(
      sql.raw(`create trigger refused before insert on recordings for each row
        when (new.profile_id = ${scene.actor.profileId}) execute function refused()`),
    )
    try {
      await hourly()
      expect(await episodes()).toEqual([[1, 2]])
      expect(await episodes(other)).toEqual([
        [1, 2],
        [2, 4],
      ])
    } finally {
      await db.execute(sql`drop function refused cascade`)
    }
    await hourly()
    expect(await episodes()).toEqual([
      [1, 2],
      [2, 4],
    ])
  })

  it('records no further episode of a series that its profile ends meanwhile', async () => {
    const { db } = scene.service.context
    await record(await announce('un', 2, 1), 'un')
    await announce('un', 4, 2)
    await announce('un', 6, 3)
    // A trigger ends the series right after the next episode was recorded.
    await db.execute(sql`
      create function end_series() returns trigger language plpgsql as $$ begin
        update series_recordings set removed_at = new.created_at where id = new.series_recording_id;
        return null;
      end $$`)
    await db.execute(sql`
      create trigger end_series after insert on recordings for each row execute function end_series()`)
    try {
      await hourly()
      expect(await episodes()).toEqual([
        [1, 2],
        [2, 4],
      ])
    } finally {
      await db.execute(sql`drop function end_series cascade`)
    }
  })

  describe('an episode that the guide forbids to record', () => {
    async function withheld(): Promise<void> {
      const first = await announce('un', 2, 1)
      await record(first, 'un', { episodes: 'all' })
      await forbid(first)
      await hourly()
      expect((await list()).map(({ state }) => state)).toEqual(['withheld'])
    }
    const aDayLater = () => scene.service.clock.set(NOON + 27 * HOUR_MS)

    it('is recorded at its repeat, once it was deleted', async () => {
      await withheld()
      aDayLater()
      await tend()
      expect(await list()).toEqual([])
      await announce('un', 30, 1, true)
      await hourly()
      expect(await episodes()).toEqual([[1, 30]])
    })

    it('is not recorded at its repeat if the viewer cancelled it', async () => {
      await withheld()
      const [recording] = await list()
      await scene.service.call(calls.removeRecording, { id: recording?.id ?? 0 }, scene.actor.tokens)
      aDayLater()
      await tend()
      await announce('un', 30, 1, true)
      await hourly()
      expect(await list()).toEqual([])
    })
  })

  describe('an episode whose recording the guide drops, or whose recording fails', () => {
    const remove = async (id: number) =>
      await scene.service.call(calls.removeRecording, { id }, scene.actor.tokens)
    /** Sets the clock to some hours after noon, and runs the jobs. */
    const runAt = async (hour: number) => {
      scene.service.clock.set(NOON + hour * HOUR_MS)
      await tend()
      await hourly()
    }
    const both = [
      [1, 2],
      [1, 30],
    ]

    it('is recorded at its new time if the guide postpones it by a day', async () => {
      const first = await announce('un', 2, 1)
      await record(first, 'un')
      await scene.service.context.db.delete(programmes).where(eq(programmes.id, first))
      await announce('un', 30, 1)
      await hourly()
      // The guide may be wrong for a while.
      expect(await episodes()).toEqual([[1, 2]])
      const { db, clock } = scene.service.context
      scene.service.clock.set(NOON + HOUR_MS / 4)
      const letters = { mail: { order: async () => {} }, originOf: () => 'http://localhost' }
      await tellDropped({ db, ...letters }, clock.now())
      await hourly()
      expect(await episodes()).toEqual(both)
      expect((await list()).map(({ note }) => note)).toEqual([null, 'dropped'])
      await hourly()
      expect(await episodes()).toEqual(both)
    })

    describe.each([
      ['by its number', 1],
      ['only by its time', null],
    ])('and that is known %s', (_how, episodeNumber) => {
      /** The viewer may act between the end of the recording and the import that puts the episode off. */
      async function putOff(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
        const first = await announce('un', 2, episodeNumber)
        await record(first, 'un')
        scene.service.clock.set(NOON + 3 * HOUR_MS)
        const { db } = scene.service.context
        await db.execute(
          sql`update recorded_programmes set settled_at = ${iso(3)} where starts_at = ${iso(2)}`,
        )
        await meanwhile()
        await db
          .update(programmes)
          .set({ startsAt: NOON + 4 * HOUR_MS, endsAt: NOON + 4.5 * HOUR_MS })
          .where(eq(programmes.id, first))
      }
      const hours = async () => (await episodes()).map(([, hour]) => hour)

      it('is recorded at its new time if the guide puts it off after its recording has ended', async () => {
        await putOff()
        for (let run = 0; run < 2; run++) {
          await hourly()
          expect(await hours()).toEqual([2, 4])
        }
      })

      it('is not recorded at its new time if the viewer has deleted the recording', async () => {
        await putOff(async () => {
          const [recording] = await list()
          await remove(recording?.id ?? 0)
        })
        await hourly()
        expect(await hours()).toEqual([])
      })
    })

    it('is recorded at its repeat if the guide drops it after it was forbidden', async () => {
      const { clock } = scene.service
      const { db } = scene.service.context
      const first = await announce('un', 2, 1)
      await record(first, 'un', { episodes: 'all' })
      await forbid(first)
      await hourly()
      clock.set(NOON + HOUR_MS / 4)
      await tellDropped(
        { db, mail: { order: async () => {} }, originOf: () => 'http://localhost' },
        clock.now(),
      )
      clock.set(NOON + HOUR_MS / 2)
      await db.delete(programmes).where(eq(programmes.id, first))
      await announce('un', 30, 1, true)
      await hourly()
      expect(await episodes()).toEqual(both)
    })

    // The live channels of this test have no media, so each recording fails.
    it('is recorded at its repeats until a recording succeeds', async () => {
      const { db } = scene.service.context
      await record(await announce('un', 2, 1), 'un', { episodes: 'all' })
      for (const hour of [30, 32, 34]) await announce('un', hour, 1, true)
      await runAt(3)
      expect(await episodes()).toEqual(both)
      expect((await list()).map(({ state }) => state)).toEqual(['planned', 'failed'])
      await runAt(31)
      expect(await episodes()).toEqual([...both, [1, 32]])
      scene.service.clock.set(NOON + 33 * HOUR_MS)
      await tend()
      await db.execute(sql`update recorded_programmes set failed = false where starts_at = ${iso(32)}`)
      const [last] = await list()
      expect(last).toMatchObject({ episode: 1, state: 'recorded' })
      await remove(last?.id ?? 0)
      await runAt(33.5)
      expect(await episodes()).toEqual(both)
    })

    it('is not recorded at its repeat if the viewer deleted or stopped the recording', async () => {
      await record(await announce('un', 2, 1), 'un', { episodes: 'all' })
      await announce('un', 4, 2)
      await hourly()
      for (const episode of [1, 2]) await announce('un', 30 + episode, episode, true)
      const [second, first] = await list()
      scene.service.clock.set(NOON + 4.1 * HOUR_MS)
      await tend()
      await remove(first?.id ?? 0)
      expect((await remove(second?.id ?? 0)).status).toBe(200)
      await runAt(5)
      expect((await list()).map(({ id, state }) => [id, state])).toEqual([[second?.id, 'failed']])
      await runAt(6)
      expect(await episodes()).toEqual([[2, 4]])
    })

    it('is recorded at its repeat even if the failed recording has expired, or was not requested by the series', async () => {
      const { db } = scene.service.context
      await record(await announce('un', 2, 1), 'un', { episodes: 'all' })
      const own = { idEvent: await announce('un', 4, 2), idChannel: ids.un ?? 0 }
      await scene.service.call(calls.createRecording, own, scene.actor.tokens)
      await runAt(5)
      await db.execute(sql`
        update recordings r set created_at = ${iso(-31 * 24)} from recorded_programmes p
        where p.id = r.recorded_programme_id and p.starts_at = ${iso(2)}`)
      await db.execute(sql`
        update recorded_programmes set pinned_to = ${iso(-31 * 24)} where starts_at = ${iso(2)}`)
      await runAt(6)
      expect(await episodes()).toEqual([[2, 4]])
      for (const episode of [1, 2]) await announce('un', 30 + episode, episode, true)
      await hourly()
      expect(await episodes()).toEqual([
        [2, 4],
        [1, 31],
        [2, 32],
      ])
    })
  })

  it('cancels planned episodes when the series is removed, and belongs to its profile', async () => {
    const { id } = (await record(await announce('un', 2, 1), 'un')).result
    const other = await scene.make.actor({ packages: { television: {} } })
    expect(await series(other)).toEqual([])
    const remove = async (actor: Actor) =>
      await scene.service.call(calls.removeSeriesRecording, { id }, actor.tokens)
    expect((await remove(other)).error.code).toBe(-404)
    expect((await remove(scene.actor)).status).toBe(200)
    expect((await remove(scene.actor)).error.code).toBe(-404)
    expect(await list()).toEqual([])
    await announce('un', 30, 2)
    await hourly()
    expect(await list()).toEqual([])
  })

  describe('the undo of ending a series', () => {
    const end = async (id: number) =>
      await scene.service.call(calls.removeSeriesRecording, { id }, scene.actor.tokens)
    const restore = async (id: number, actor: Actor = scene.actor) =>
      await scene.service.call(calls.restoreSeriesRecording, { id }, actor.tokens)

    it('brings back its rule and its planned episodes, and goes on with new ones', async () => {
      const first = await announce('un', 2, 1)
      await announce('un', 4, 2)
      const { id } = (await record(first, 'un', { keepLast: 3 })).result
      const before = await list()
      await end(id)
      expect([await list(), await series()]).toEqual([[], []])
      await announce('un', 6, 3)
      scene.service.clock.set(NOON + 59_000)
      await tend()
      await hourly()
      expect((await restore(id)).result).toMatchObject({ id, title: 'Feuilleton', keepLast: 3 })
      expect((await list()).slice(1)).toEqual(before)
      expect(await episodes()).toEqual([
        [1, 2],
        [2, 4],
        [3, 6],
      ])
    })

    it('brings no episode back that the viewer cancelled, and withholds one that the guide forbids meanwhile', async () => {
      const first = await announce('un', 2, 1)
      const forbidden = await announce('un', 4, 2)
      await announce('un', 6, 3)
      const { id } = (await record(first, 'un')).result
      const cancelled = (await list()).find(({ episode }) => episode === 3)?.id ?? 0
      await scene.service.call(calls.removeRecording, { id: cancelled }, scene.actor.tokens)
      scene.service.clock.set(NOON + 1000)
      await end(id)
      const states = async () => (await list()).map(({ episode, state }) => [episode, state]).toReversed()
      await forbid(forbidden)
      expect((await restore(id)).status).toBe(200)
      await hourly()
      expect(await states()).toEqual([
        [1, 'planned'],
        [2, 'withheld'],
      ])
      await forbid(forbidden, false)
      await hourly()
      expect(await states()).toEqual([
        [1, 'planned'],
        [2, 'planned'],
      ])
    })

    it('is refused after a minute, to another profile, and twice', async () => {
      const { id } = (await record(await announce('un', 2, 1), 'un')).result
      expect((await restore(id)).error.code).toBe(-404)
      await end(id)
      expect((await restore(id, await scene.make.actor({ packages: { television: {} } }))).error.code).toBe(
        -404,
      )
      expect((await restore(999_999)).error.code).toBe(-404)
      scene.service.clock.set(NOON + 61_000)
      expect((await restore(id)).error.code).toBe(-404)
      await tend()
      scene.service.clock.set(NOON)
      expect((await restore(id)).error.code).toBe(-404)
    })

    it('is possible while the profile records a series of the same title on another channel', async () => {
      const first = await announce('un', 2, 1)
      const other = await announce('deux', 3, 7)
      const { id } = (await record(first, 'un')).result
      await end(id)
      await record(other, 'deux')
      expect((await restore(id)).status).toBe(200)
      expect(await episodes()).toEqual([
        [1, 2],
        [7, 3],
      ])
    })

    it('is refused if the profile records the series again meanwhile', async () => {
      const first = await announce('un', 2, 1)
      const { id } = (await record(first, 'un')).result
      await end(id)
      const { result } = await record(first, 'un')
      expect((await restore(id)).error.code).toBe(-404)
      expect((await series()).map((each) => each.id)).toEqual([result.id])
    })
  })

  describe('a changed rule', () => {
    const change = async (
      id: number,
      rule: { episodes: 'new' | 'all'; anyChannel: boolean; keepLast?: number },
      actor: Actor = scene.actor,
    ) =>
      await scene.service.call(
        calls.changeSeriesRecording,
        { id, keepLast: undefined, ...rule },
        actor.tokens,
      )

    it('plans what it adds, and cancels what it leaves out', async () => {
      const first = await announce('un', 2, 1)
      await announce('un', 4, 7, true)
      await announce('deux', 6, 8)
      const { id } = (await record(first, 'un')).result
      const wide = await change(id, { episodes: 'all', anyChannel: true, keepLast: 3 })
      expect(wide.result).toMatchObject({ id, episodes: 'all', idChannel: null, keepLast: 3 })
      const all = [
        [1, 2],
        [7, 4],
        [8, 6],
      ]
      expect(await episodes()).toEqual(all)
      await change(id, { episodes: 'new', anyChannel: false })
      expect((await series())[0]).toMatchObject({ episodes: 'new', idChannel: null, keepLast: null })
      expect(await episodes()).toEqual([
        [1, 2],
        [8, 6],
      ])
      await record(first, 'un')
      expect(await episodes()).toEqual([[1, 2]])
      await change(id, { episodes: 'all', anyChannel: true })
      expect(await episodes()).toEqual(all)
    })

    it('brings no episode back that the viewer cancelled', async () => {
      const first = await announce('un', 2, 1)
      await announce('un', 4, 7, true)
      const { id } = (await record(first, 'un', { episodes: 'all' })).result
      const [repeat] = await list()
      await scene.service.call(calls.removeRecording, { id: repeat?.id ?? 0 }, scene.actor.tokens)
      await change(id, { episodes: 'new', anyChannel: false })
      await change(id, { episodes: 'all', anyChannel: false })
      expect(await episodes()).toEqual([[1, 2]])
    })

    it('belongs to its profile, and must be whole', async () => {
      const { id } = (await record(await announce('un', 2, 1), 'un')).result
      const rule = { episodes: 'all', anyChannel: true } as const
      const other = await scene.make.actor({ packages: { television: {} } })
      expect((await change(id, rule, other)).error.code).toBe(-404)
      expect((await change(999_999, rule)).error.code).toBe(-404)
      for (const wrong of [
        { ...rule, keepLast: 0 },
        { ...rule, keepLast: 101 },
        { anyChannel: true } as never,
      ])
        expect((await change(id, wrong)).status).toBe(400)
      expect((await series())[0]).toMatchObject({ episodes: 'new', channel: 'un', keepLast: null })
    })
  })

  it('is refused without rights, without recording time, and for unknown programmes', async () => {
    const first = await announce('un', 2, 1)
    expect((await record(first, 'un', {}, await scene.make.actor())).error.code).toBe(-1721)
    expect((await record(999_999, 'un')).error.code).toBe(-404)
    expect((await record(first, 'deux')).error.code).toBe(-404)
  })
})
