import { asc, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet, deleteAsset } from '../../../../test/builders.ts'
import { indexCounts } from '../../../../test/index-counts.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { scheduleRules } from '../../inventory/line-up/schedule-rules.service.ts'
import { assets, categories, medias } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { programmes } from '../guide-import/guide.table.ts'
import { extendSchedules, SCHEDULE } from './extend-schedules.ts'

const HOUR = 3600_000
/** Number of connections to PostgreSQL. The embedded database has only one connection. */
const CONNECTIONS = 3

describe.each(DATABASES)('schedules of channels, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
    make = buildersOf(service.context)
    await make.asset('Minute', { trackSet: buildTrackSet({ seconds: 60 }) })
    await make.asset('Odd', {
      trackSet: buildTrackSet({ seconds: 1801.3 }),
      trailer: buildTrackSet({ seconds: 21, encrypted: false }),
    })
  })
  afterAll(async () => await service.remove())

  const extend = async (now: number, signal?: AbortSignal, aheadMs?: number) =>
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), now, signal, aheadMs)
  const lookups = async () => await indexCounts(service.context.db, kind === 'embedded' ? 1 : CONNECTIONS)
  const entriesOf = async (channelId: number) =>
    await service.context.db
      .select()
      .from(scheduleEntries)
      .where(eq(scheduleEntries.channelId, channelId))
      .orderBy(asc(scheduleEntries.position))
  const announcedOn = async (channelId: number) =>
    await service.context.db
      .select()
      .from(programmes)
      .where(eq(programmes.channelId, channelId))
      .orderBy(asc(programmes.startsAt))
  const remove = async (channelId: number) =>
    await service.context.db.delete(channels).where(eq(channels.id, channelId))

  function expectUnbroken(entries: Awaited<ReturnType<typeof entriesOf>>) {
    for (const [index, entry] of entries.entries()) {
      const before = entries[index - 1]
      if (!before) continue
      expect(entry.position).toBe(before.position + 1)
      expect(entry.startsAt).toBe(before.endsAt)
      expect(entry.mediaSequence).toBe(before.mediaSequence + before.segmentCount)
      expect(entry.discontinuitySequence).toBe(before.discontinuitySequence + 1)
    }
  }

  it('schedules one-minute programmes 48 hours ahead, hour after hour, and never changes published entries', async () => {
    const channel = await make.channel('Minutes', { kind: 'sequence', titles: ['Minute'] })
    let published: Awaited<ReturnType<typeof entriesOf>> = []
    for (const now of [NOON, NOON + 1000, NOON + HOUR / 2, NOON + 2 * HOUR]) {
      await extend(now)
      const entries = await entriesOf(channel.id)
      expect(entries.slice(0, published.length)).toEqual(published)
      expect(entries.at(-1)?.endsAt).toBeGreaterThanOrEqual(now + 48 * HOUR)
      expectUnbroken(entries)
      published = entries
    }
    expect(published[0]?.startsAt).toBe(NOON - SCHEDULE.runInMs)
    expect(published.length).toBeGreaterThan(2880)
    await remove(channel.id)
  })

  it('schedules the whole first day of a new channel with parts of the day, no further back than it is scheduled ahead', async () => {
    const rules = {
      kind: 'dayparts',
      timeZone: 'Europe/Paris',
      dayparts: [{ from: '06:00', titles: ['Minute'] }],
    }
    const whole = await make.channel('First day', rules)
    await extend(NOON)
    const midnight = Date.parse('2026-01-15T00:00:00+01:00')
    const entries = await entriesOf(whole.id)
    expect(entries[0]).toMatchObject({ position: 0, mediaSequence: 0, startsAt: midnight })
    expectUnbroken(entries)
    expect((await announcedOn(whole.id))[0]?.startsAt).toBe(midnight)
    await remove(whole.id)
    const part = await make.channel('Near day', rules)
    await extend(NOON, undefined, HOUR)
    expect((await entriesOf(part.id))[0]?.startsAt).toBe(NOON - HOUR - SCHEDULE.runInMs)
    await remove(part.id)
  })

  it('starts a new channel at a round time of its rules', async () => {
    const channel = await make.channel('Round', { kind: 'sequence', titles: ['Minute'], roundTo: 30 })
    await extend(NOON + 17 * 60_000)
    expect((await announcedOn(channel.id))[0]?.startsAt).toBe(NOON)
    await remove(channel.id)
  })

  it('schedules every entry to the millisecond, without drift', async () => {
    const channel = await make.channel('Odd', {
      kind: 'sequence',
      titles: ['Odd'],
      roundTo: 5,
      filler: ['Odd'],
    })
    await extend(NOON)
    const entries = await entriesOf(channel.id)
    expectUnbroken(entries)
    const programmes = entries.filter((entry) => entry.kind === 'programme')
    expect(new Set(programmes.map(({ startsAt, endsAt }) => endsAt - startsAt))).toEqual(new Set([1_801_300]))
    expect(new Set(programmes.map(({ segmentCount }) => segmentCount))).toEqual(new Set([451]))
    const fillers = entries.filter((entry) => entry.kind === 'filler')
    expect(fillers.length).toBeGreaterThan(programmes.length)
    // A programme begins at a multiple of five minutes. It may begin earlier, by less than the length of the
    // shortest filler.
    for (const { startsAt } of programmes.slice(1))
      expect((300_000 - (startsAt % 300_000)) % 300_000).toBeLessThan(21_000)
    const announced = await announcedOn(channel.id)
    expect(announced.map(({ startsAt }) => startsAt)).toEqual(programmes.map(({ startsAt }) => startsAt))
    for (const [index, programme] of announced.entries()) {
      const next = announced[index + 1]
      if (next) expect(programme.endsAt).toBe(next.startsAt)
    }
    await remove(channel.id)
  })

  it('continues without a gap after a process was killed between two batches', async () => {
    const channel = await make.channel('Killed', { kind: 'shuffle', titles: ['Minute', 'Odd'] })
    const batches = new AbortController()
    const { db } = service.context
    // Abort after the first transaction, as if the process had been killed.
    const watched = new Proxy(db, {
      get: (target, name, receiver) => {
        if (name !== 'transaction') return Reflect.get(target, name, receiver) as unknown
        return async (work: Parameters<typeof db.transaction>[0]) => {
          const result = await target.transaction(work)
          batches.abort()
          return result
        }
      },
    })
    const minute = { kind: 'sequence', titles: ['Minute'] }
    const second = await make.channel('Killed too', minute)
    await extendSchedules(watched, createTrackSetStore(db), NOON, batches.signal)
    const half = await entriesOf(channel.id)
    expect((await entriesOf(second.id)).length).toBe(0)
    await extend(NOON)
    const whole = await entriesOf(channel.id)
    expect(whole.slice(0, half.length)).toEqual(half)
    for (const id of [channel.id, second.id]) {
      const entries = await entriesOf(id)
      expectUnbroken(entries)
      expect(entries.at(-1)?.endsAt).toBeGreaterThanOrEqual(NOON + 48 * HOUR)
      await remove(id)
    }
  })

  it('two concurrent processes schedule each channel once', async () => {
    const channel = await make.channel('Twice', { kind: 'sequence', titles: ['Odd'] })
    await Promise.all([extend(NOON), extend(NOON), extend(NOON)])
    await extend(NOON)
    const entries = await entriesOf(channel.id)
    expectUnbroken(entries)
    expect(entries.length).toBeLessThan(100)
    await remove(channel.id)
  })

  it('schedules only a short time ahead while titles are being prepared, and adds them when they are ready', async () => {
    const { db } = service.context
    const coming = await make.asset('Coming', { trackSet: null })
    const channel = await make.channel('Waiting', { kind: 'sequence', titles: ['Minute', 'Coming'] })
    await extend(NOON)
    const first = await entriesOf(channel.id)
    expect(first.at(-1)?.endsAt).toBeLessThan(NOON + SCHEDULE.preparingAheadMs + 60_001)
    const trackSet = buildTrackSet({ seconds: 120 })
    const donor = await make.asset('Donor', { trackSet })
    await db.update(medias).set({ assetId: coming.id }).where(eq(medias.assetId, donor.id))
    await db.update(assets).set({ availability: 'ready' }).where(eq(assets.id, coming.id))
    await extend(NOON + 60_000)
    const entries = await entriesOf(channel.id)
    expect(entries.slice(0, first.length)).toEqual(first)
    expectUnbroken(entries)
    expect(entries[first.length]?.assetId).toBe(coming.id)
    expect(entries.at(-1)?.endsAt).toBeGreaterThanOrEqual(NOON + 48 * HOUR)
    await remove(channel.id)
  })

  it('grows the layout of a channel by titles that became ready later, from their first programme on', async () => {
    const { db } = service.context
    const layoutOf = async (channelId: number) => {
      const [row] = await db
        .select({ layout: channels.layout })
        .from(channels)
        .where(eq(channels.id, channelId))
      return row?.layout?.slots.map(({ id, offeredFrom }) => [id, offeredFrom])
    }
    await make.asset('Brief', {
      trackSet: buildTrackSet({ heights: [360], audio: ['fra'], subtitles: [] }),
    })
    const rich = await make.asset('Rich', { trackSet: null })
    const channel = await make.channel('Growing', { kind: 'sequence', titles: ['Brief', 'Rich'] })
    await extend(NOON)
    const first = await entriesOf(channel.id)
    const base = [
      ['v360', undefined],
      ['a-fra', undefined],
    ]
    expect(await layoutOf(channel.id)).toEqual(base)
    const donor = await make.asset('Donor of Rich', { trackSet: buildTrackSet({ subtitles: ['eng'] }) })
    await db.update(medias).set({ assetId: rich.id }).where(eq(medias.assetId, donor.id))
    await db.update(assets).set({ availability: 'ready' }).where(eq(assets.id, rich.id))
    await extend(NOON + 60_000)
    const next = (await entriesOf(channel.id))[first.length]
    const grown = [
      ['v360', undefined],
      ['v720', next?.startsAt],
      ['a-fra', undefined],
      ['a-eng', next?.startsAt],
      ['t-eng', next?.startsAt],
    ]
    expect(await layoutOf(channel.id)).toEqual(grown)
    await extend(NOON + 2 * HOUR)
    expect(await layoutOf(channel.id)).toEqual(grown)
    await remove(channel.id)
  })

  it('schedules no further ahead than configured, even with unknown titles', async () => {
    const channel = await make.channel('Near', { kind: 'sequence', titles: ['Minute', 'Nobody made this'] })
    for (const now of [
      NOON,
      NOON + 60_000,
      NOON + SCHEDULE.settlingMs - 60_000,
      NOON + SCHEDULE.settlingMs,
    ]) {
      await extend(now, undefined, HOUR / 6)
      const end = (await entriesOf(channel.id)).at(-1)!.endsAt
      expect(end).toBeGreaterThanOrEqual(now + HOUR / 6)
      expect(end).toBeLessThan(now + HOUR / 6 + 2 * 60_000)
    }
    await remove(channel.id)
  })

  it('leaves a channel without a schedule, and without an error, while no title is ready', async () => {
    const channel = await make.channel('Empty', { kind: 'sequence', titles: ['Nobody made this'] })
    expect((await extend(NOON)).entries).toBe(0)
    expect(await entriesOf(channel.id)).toEqual([])
    await remove(channel.id)
  })

  it('after an outage continues in the present minute, with consecutive numbers', async () => {
    const channel = await make.channel('Outage', { kind: 'sequence', titles: ['Odd'] })
    await extend(NOON)
    const before = await entriesOf(channel.id)
    const last = before.at(-1)!
    const later = last.endsAt + 10 * HOUR + 12_345
    await extend(later)
    const after = (await entriesOf(channel.id)).slice(before.length)
    expect(after[0]?.startsAt).toBeLessThanOrEqual(later)
    expect(after[0]?.startsAt).toBeGreaterThan(later - SCHEDULE.runInMs - 60_001)
    expect(after[0]?.mediaSequence).toBe(last.mediaSequence + last.segmentCount)
    expect(after[0]?.discontinuitySequence).toBe(last.discontinuitySequence + 1)
    expectUnbroken(after)
    await remove(channel.id)
  })

  it('ends a block in the guide where the rules lose it', async () => {
    const block = { id: 'evening', title: { fra: 'Soirée' }, minutes: 50, titles: ['Minute'] }
    const channel = await make.channel('Blocks', {
      kind: 'sequence',
      titles: ['block:evening'],
      blocks: [block],
    })
    await extend(NOON, undefined, HOUR / 3)
    const { endsAt = 0 } = (await entriesOf(channel.id)).at(-1) ?? {}
    expect((await announcedOn(channel.id))[0]?.endsAt).toBeGreaterThan(endsAt)
    await service.context.db
      .update(channels)
      .set({ rules: scheduleRules.parse({ kind: 'sequence', titles: ['Odd'] }) })
      .where(eq(channels.id, channel.id))
    await extend(NOON)
    const [first, ...following] = await announcedOn(channel.id)
    expect([first?.titles.fra, first?.endsAt, following[0]?.startsAt]).toEqual(['Soirée', endsAt, endsAt])
    await remove(channel.id)
  })

  it('deletes entries a week after their end, and the sums continue as if they were there', async () => {
    const channel = await make.channel('Old', { kind: 'sequence', titles: ['Odd'] })
    await extend(NOON)
    const first = await entriesOf(channel.id)
    for (let day = 1; day <= 10; day++) await extend(NOON + day * 24 * HOUR)
    const kept = await entriesOf(channel.id)
    expect(kept[0]?.endsAt).toBeGreaterThan(NOON + 3 * 24 * HOUR)
    expect(kept[0]?.position).toBeGreaterThan(first.length)
    expectUnbroken(kept)
    expect(kept[0]?.mediaSequence).toBe(kept[0]!.position * 451)
    await remove(channel.id)
  })

  it('keeps announced programmes in the guide after their asset is deleted', async () => {
    const leaving = await make.asset('Leaving', { trackSet: buildTrackSet({ seconds: 900 }) })
    const channel = await make.channel('Leaving', { kind: 'sequence', titles: ['Leaving'] })
    await extend(NOON)
    const planned = await announcedOn(channel.id)
    await deleteAsset(service.context.db, leaving.id)
    const left = await announcedOn(channel.id)
    expect(left.length).toBeGreaterThan(100)
    expect(left.map(({ titles }) => titles)).toEqual(planned.map(({ titles }) => titles))
    const entries = await entriesOf(channel.id)
    expect(entries.every(({ assetId }) => assetId === null)).toBe(true)
    await remove(channel.id)
  })

  // A catalogue can have fifty thousand titles, and scheduling runs constantly. The expression of the query must
  // match the index: otherwise each query would read all titles.
  it('finds titles by the indexes on names, however many there are', async () => {
    const { db } = service.context
    const counts = Array.from({ length: 500 }, (_, index) => index)
    const films = await db
      .insert(assets)
      .values(
        counts.map((index) => ({
          kind: 'film' as const,
          sourceKey: `many ${index}`,
          titles: { fra: `Numéro ${index}`, eng: `Number ${index}` },
          durationSeconds: 60,
          availability: 'ready' as const,
          validFrom: NOON - HOUR,
        })),
      )
      .returning({ id: assets.id })
    const series = await db
      .insert(categories)
      .values(
        counts.map((index) => ({
          kind: 'series' as const,
          sourceKey: `many ${index}`,
          names: { fra: `Série ${index}`, eng: `Series ${index}` },
        })),
      )
      .returning({ id: categories.id })
    await db.execute(sql`analyze ${assets}, ${categories}`)
    const channel = await make.channel('By name', { kind: 'sequence', titles: ['NUMBER 432', 'odd'] })
    const before = await lookups()
    await extend(NOON)
    const after = await lookups()
    expect(await announcedOn(channel.id)).not.toEqual([])
    for (const name of ['assets_titles', 'categories_names'])
      expect(after.get(name)?.scans, name).toBeGreaterThan(before.get(name)?.scans ?? Infinity)
    await remove(channel.id)
    await db.delete(assets).where(
      inArray(
        assets.id,
        films.map(({ id }) => id),
      ),
    )
    await db.delete(categories).where(
      inArray(
        categories.id,
        series.map(({ id }) => id),
      ),
    )
  })
})
