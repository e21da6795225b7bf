import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { epg, epgEvent, epgGrid } from '@ondine/contract/channels'
import { listCountries } from '@ondine/contract/countries'
import { unpackChannel } from '@ondine/contract/guide-grid'
import type { InputOf } from '@ondine/contract/operation'
import { eq, gte, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { programmes } from '../guide-import/guide.table.ts'

const HOUR_MS = 3600_000
const NOW = NOON / 1000

describe.each(MAIN_DB)('windows of the guide, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let first: { id: number }
  let second: { id: number }
  /** Ids of the first channel's programmes, by title. */
  const ids = new Map<string, number>()

  async function announce(
    channelId: number,
    list: [title: string, from: number, to: number, level?: number][],
  ) {
    const rows = await service.context.db
      .insert(programmes)
      .values(
        list.map(([title, from, to, moralityLevel = 0]) => ({
          channelId,
          universalId: `${channelId} ${from}`,
          startsAt: NOON + from * HOUR_MS,
          endsAt: NOON + to * HOUR_MS,
          titles: { fra: title, eng: `${title} (en)` },
          genres: [title === 'Match' ? 'Sport' : 'Magazine'],
          moralityLevel,
        })),
      )
      .returning({ id: programmes.id })
    for (const [index, { id }] of rows.entries()) {
      ids.set(`${channelId} ${list[index]?.[0]} ${list[index]?.[1]}`, id)
    }
  }

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    const rules = { kind: 'sequence', titles: ['nothing'] }
    first = await make.channel('Un', rules, { mainGenre: 'Sport', free: true })
    second = await make.channel('Deux', rules, { mainGenre: 'Information' })
    await announce(first.id, [
      ['Hier', -30, -26],
      ['Matin', -3, -1],
      ['Match', -1, 1],
      ['Nuit', 1, 3, 5],
      ['Fin', 3, 5],
    ])
    await announce(second.id, [
      ['Journal', -0.5, 0.5],
      ['Match', 6, 8],
    ])
  })
  afterAll(async () => await service.remove())

  const idOf = (channel: { id: number }, title: string, from: number) =>
    ids.get(`${channel.id} ${title} ${from}`) ?? 0
  const event = async (idChannel: number, idEvent: number, actor?: Actor) =>
    await service.call(epgEvent, { idChannel, idEvent }, actor?.tokens ?? {})

  it('V7-11 returns a programme with the previous and the next one, with or without its channel', async () => {
    const id = idOf(first, 'Match', -1)
    for (const idChannel of [first.id, 0]) {
      const { result } = await event(idChannel, id)
      expect(result.previous?.title).toBe('Matin')
      expect(result.current).toMatchObject({ id, title: 'Match', id_channel: first.id, startutc: NOW - 3600 })
      expect(result.next?.title).toBe('Nuit')
    }
  })

  it('V7-11 returns no neighbour at the end of the guide', async () => {
    expect((await event(first.id, idOf(first, 'Fin', 3))).result.next).toBeNull()
    expect((await event(second.id, idOf(second, 'Journal', -0.5))).result.previous).toBeNull()
  })

  it('V3-25 tells when and on which channel the same title is shown again', async () => {
    const { showings } = (await event(first.id, idOf(first, 'Match', -1))).result
    expect(
      showings.map(({ id_channel, startutc, direct_metadata }) => [
        id_channel,
        startutc,
        direct_metadata.channel_name,
      ]),
    ).toEqual([[second.id, NOW + 6 * 3600, 'Deux']])
  })

  it('does not find a programme on another channel, an unknown one, or one hidden from a child', async () => {
    expect((await event(second.id, idOf(first, 'Match', -1))).error.code).toBe(-404)
    expect((await event(0, 2_147_483_647)).error.code).toBe(-404)
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    expect((await event(0, idOf(first, 'Nuit', 1), child)).error.code).toBe(-404)
    const { result } = await event(0, idOf(first, 'Match', -1), child)
    expect(result.next?.title).toBe('Fin')
  })

  it('V3-26 packs the guide for a grid, by channel', async () => {
    const window = { start: NOW - 3 * 3600, offset: 0, hours: 24 }
    const full = (await service.call(epg, window)).result
    const packed = (await service.call(epgGrid, window)).result
    expect(Object.keys(packed.channels).sort()).toEqual(Object.keys(full).sort())
    for (const { id } of [first, second]) {
      expect(unpackChannel(packed, id)).toEqual(
        full[`chan_${id}`]?.map(
          ({ id: idEvent, id_channel, title, startutc, endutc, isNeedParentalCode }) => ({
            id: idEvent,
            id_channel,
            title,
            startutc,
            endutc,
            isNeedParentalCode,
          }),
        ),
      )
    }
    const titles = unpackChannel(
      (await service.call(epgGrid, { ...window, channelIds: [second.id] })).result,
      second.id,
    )
    expect(titles.map(({ title }) => title)).toEqual(['Journal', 'Match'])
  })

  it('marks in a grid the programmes that need the parental code, and hides the programmes above a child’s level', async () => {
    const window = { start: NOW, offset: 0, hours: 4, channelIds: [first.id] }
    const grid = async (actor: Actor) =>
      unpackChannel((await service.call(epgGrid, window, actor.tokens)).result, first.id).map(
        ({ title, isNeedParentalCode }) => [title, isNeedParentalCode],
      )
    expect(await grid(await make.actor({ profile: { maximumMoralityLevel: 2 } }))).toEqual([
      ['Match', false],
      ['Nuit', true],
      ['Fin', false],
    ])
    expect(await grid(await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } }))).toEqual([
      ['Match', false],
      ['Fin', false],
    ])
  })

  it('V7-10 accepts filters: genres of channels and of programmes, free to air, radio', async () => {
    const found = async (filters: Record<string, unknown>) =>
      Object.entries((await service.call(epg, { start: NOW, offset: 0, hours: 12, filters })).result).flatMap(
        ([channel, list]) => list.map(({ title }) => `${channel} ${title}`),
      )
    expect(await found({ groups: ['Information'] })).toEqual([
      `chan_${second.id} Journal`,
      `chan_${second.id} Match`,
    ])
    expect(await found({ genres: ['Sport'] })).toEqual([`chan_${first.id} Match`, `chan_${second.id} Match`])
    expect((await found({ isFta: true })).every((each) => each.startsWith(`chan_${first.id} `))).toBe(true)
    expect(await found({ isRadio: true })).toEqual([])
    expect(await found({ groups: ['Nowhere'] })).toEqual([])
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const { result } = await service.call(
      epg,
      { start: NOW, offset: 0, hours: 12, filters: { groups: ['Sport'] } },
      child.tokens,
    )
    expect(result[`chan_${first.id}`]?.map(({ title }) => title)).toEqual(['Match', 'Fin'])
  })

  /** Sends an invalid request. Returns the names of the rejected fields. */
  async function refused(path: string, fields: Record<string, string>): Promise<string[]> {
    const startedAt = performance.now()
    const response = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(response.statusCode).toBe(400)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    return response.json().error.details.fields.map(({ field }: { field: string }) => field.split('.')[0])
  }

  it.each<[string, Record<string, string>, string]>([
    ['a window of no length', { hours: '0' }, 'hours'],
    ['a window backwards', { hours: '-24' }, 'hours'],
    ['a window over a year', { hours: '8784' }, 'hours'],
    ['half an hour', { hours: '0.5' }, 'hours'],
    ['a start before all time', { start: '-1' }, 'start'],
    ['a start in milliseconds', { start: String(NOON) }, 'start'],
    ['a huge start', { start: '9'.repeat(40) }, 'start'],
    ['a start that is not a number', { start: 'yesterday' }, 'start'],
    ['a huge offset', { offset: '366' }, 'offset'],
    ['hours of no day', { startHour: '6', endHour: '12' }, 'midnight'],
    ['a day and a start', { midnight: String(NOW), start: String(NOW) }, 'midnight'],
    ['hours of no length', { midnight: String(NOW), startHour: '6', endHour: '6' }, 'endHour'],
    ['hours backwards', { midnight: String(NOW), startHour: '6', endHour: '5' }, 'endHour'],
    ['hours over a month', { midnight: String(NOW), startHour: '-24', endHour: '360' }, 'endHour'],
    ['channels that are no list', { channelIds: '12' }, 'channelIds'],
    ['channels that are no numbers', { channelIds: '["1 or 1=1"]' }, 'channelIds'],
    ['negative channels', { channelIds: '[-1]' }, 'channelIds'],
    ['a channel beyond all identifiers', { channelIds: '[99999999999]' }, 'channelIds'],
    [
      'two thousand channels',
      { channelIds: JSON.stringify(Array.from({ length: 2000 }, () => 1)) },
      'channelIds',
    ],
    [
      'a hundred thousand channels',
      { channelIds: JSON.stringify(Array.from({ length: 100_000 }, () => 1)) },
      'body',
    ],
    ['broken JSON', { channelIds: '[1,' }, 'channelIds'],
    ['a filter that does not exist', { filters: '{"colour":"red"}' }, 'filters'],
    ['a filter of another kind', { filters: '{"groups":"Sport"}' }, 'filters'],
    ['filters that are no object', { filters: '[1]' }, 'filters'],
  ])('refuses %s, with its field', async (_what, fields, field) => {
    for (const path of ['/proxy/epg', '/proxy/epg/grid']) expect(await refused(path, fields)).toEqual([field])
  })

  it('refuses a window that is too large for one answer, and answers each part of it', async () => {
    const { db, connection } = service.context
    const { id } = await make.channel('Trop', { kind: 'sequence', titles: ['nothing'] })
    const from = NOON + 15 * 24 * HOUR_MS
    await db.execute(sql`
      insert into programmes (channel_id, universal_id, starts_at, ends_at, titles, morality_level)
      select ${id}::int, 'many ' || second, at, at + interval '20 seconds', '{"fra":"Un de trop"}', 0
      from generate_series(0, 50000) as second,
        lateral (select ${new Date(from).toISOString()}::timestamptz + second * interval '20 seconds' as at) as times`)
    await connection.changes.settled()
    const start = String(from / 1000)
    for (const path of ['/proxy/epg', '/proxy/epg/grid'])
      expect(await refused(path, { start, hours: '360' })).toEqual(['hours'])
    const part = { start: from / 1000, offset: 0, hours: 24 }
    expect((await service.call(epg, part)).result[`chan_${id}`]).toHaveLength(4320)
    await db.delete(programmes).where(eq(programmes.channelId, id))
    await connection.changes.settled()
  })

  it('answers other calls while it builds a large window', async () => {
    const { db, connection } = service.context
    const many = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, index) => await make.channel(`Voie ${index}`, { kind: 'sequence', titles: ['nothing'] }),
      ),
    )
    const from = NOON + 40 * 24 * HOUR_MS
    for (const { id } of many)
      await db.execute(sql`
        insert into programmes (channel_id, universal_id, starts_at, ends_at, titles, morality_level)
        select ${id}::int, ${id}::int || ' long ' || hour, at, at + interval '1 hour', '{"fra":"Longtemps"}', 0
        from generate_series(0, 359) as hour,
          lateral (select ${new Date(from).toISOString()}::timestamptz + hour * interval '1 hour' as at) as times`)
    await connection.changes.settled()
    for (const [operation, channelsPerSlice] of [
      [epg, 1],
      [epgGrid, 6],
    ] as const) {
      const making = { over: false, answered: 0 }
      const large = service
        .call(operation, { start: from / 1000, offset: 0, hours: 360 })
        .finally(() => (making.over = true))
      for (; !making.over; making.answered++) await service.call(listCountries, {})
      const { result } = await large
      expect(Object.keys('channels' in result ? result.channels : result)).toHaveLength(many.length)
      // Each call must be answered within one or two slices, so at least half as many calls as slices are
      // answered.
      expect(making.answered).toBeGreaterThanOrEqual(Math.floor(many.length / channelsPerSlice / 2))
    }
    await db.delete(programmes).where(gte(programmes.startsAt, from))
    await connection.changes.settled()
  })

  it.each([
    ['/proxy/epg/event/x/1', 'idChannel'],
    ['/proxy/epg/event/1/%', 'address'],
    ['/proxy/epg/event/1/%ED%A0%80', 'address'],
    ['/proxy/epg/event/-1/1', 'idChannel'],
    ['/proxy/epg/event/1/0', 'idEvent'],
    ['/proxy/epg/event/1/99999999999', 'idEvent'],
    ['/proxy/epg/event/1/1%27%20or%201=1', 'idEvent'],
  ])('refuses %s, with its field', async (url, field) => {
    const response = await service.app.inject({ method: 'GET', url })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details.fields[0].field).toBe(field)
  })

  it('shows a change in a grid at once', async () => {
    const window = { start: NOW + 20 * 3600, offset: 0, hours: 2, channelIds: [second.id] }
    const titles = async () =>
      unpackChannel((await service.call(epgGrid, window)).result, second.id).map(({ title }) => title)
    expect(await titles()).toEqual([])
    await announce(second.id, [['Plus tard', 20, 21]])
    await expect.poll(titles).toEqual(['Plus tard'])
  })

  it('V7-10 returns a large window complete, up to date, and compressed for clients that accept it', async () => {
    const days = Array.from({ length: 300 }, (_, index): [string, number, number] => [
      `Émission ${index}`,
      100 + index / 4,
      100 + (index + 1) / 4,
    ])
    await announce(second.id, days)
    const ask = async (accept?: string) =>
      await service.app.inject({
        method: 'POST',
        url: '/proxy/epg',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(accept !== undefined && { 'accept-encoding': accept }),
        },
        payload: `start=${NOW + 100 * 3600}&hours=80`,
      })
    const plain = await ask()
    await expect.poll(async () => (await ask()).body).toContain('Émission 299')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const whole = (await ask()).body
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accept, packing] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
    ] as const) {
      const packed = await ask(accept)
      expect(packed.headers).toMatchObject({ 'content-encoding': packing, vary: 'accept-encoding' })
      expect(packed.rawPayload.length).toBeLessThan(whole.length / 5)
      expect(unpack[packing](packed.rawPayload).toString()).toBe(whole)
    }
    expect((await ask('identity')).headers['content-encoding']).toBeUndefined()
    await service.context.db.delete(programmes).where(eq(programmes.universalId, `${second.id} 100`))
    await expect.poll(async () => (await ask()).body).not.toContain('"Émission 0"')
  })

  it('caches only the last of the windows that begin now, for one second', async () => {
    const { db } = service.context
    const day = { start: NOW, offset: 0, hours: 24 }
    const fromNow = { offset: 0, hours: 24 }
    await service.call(epg, day)
    // Request more windows than the cache can hold.
    for (let count = 0; count < 210; count++) {
      service.clock.advance(1000)
      await service.call(epg, fromNow)
    }
    /**
     * Returns which of these windows come from the cache. The table of programmes is locked, so that only cached
     * windows are answered.
     */
    const fromMemory = async (...windows: InputOf<typeof epg>[]) =>
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${programmes} in access exclusive mode`)
        const answered = windows.map(() => false)
        const answers = windows.map(async (window, index) => {
          await service.call(epg, window)
          answered[index] = true
        })
        // These calls do not read the guide. After their responses, every cached window has had time to be
        // answered too.
        for (let count = 0; count < 3; count++) await service.call(listCountries, {})
        return { answered: [...answered], answers }
      })
    service.clock.advance(400)
    const within = await fromMemory(day, fromNow)
    await Promise.all(within.answers)
    service.clock.advance(1000)
    const after = await fromMemory(day, fromNow)
    await Promise.all(after.answers)
    service.clock.set(NOON)
    expect([within.answered, after.answered]).toEqual([
      [true, true],
      [true, false],
    ])
  })

  it('answers nothing for unknown channels', async () => {
    const unknown = { start: NOW, offset: 0, hours: 24, channelIds: [999_999] }
    expect((await service.call(epg, unknown)).result).toEqual({})
    expect((await service.call(epgGrid, unknown)).result).toEqual({ titles: [], channels: {} })
  })

  it('V3-26 packs programmes after the year 2038', async () => {
    const start = Date.UTC(2100, 0, 1) / 1000
    const from = (start - NOW) / 3600
    const { id } = await make.channel('Trois', { kind: 'sequence', titles: ['nothing'] })
    await announce(id, [['Demain', from, from + 1]])
    const { result } = await service.call(epgGrid, { start, offset: 0, hours: 24, channelIds: [id] })
    expect(unpackChannel(result, id)).toMatchObject([
      { title: 'Demain', startutc: start, endutc: start + 3600 },
    ])
  })
})
