import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { liveEvents, assets as readAssets } from '@ondine/contract/catalogue'
import { getVodLicense, heartbeat, readAsset, testAsset } from '@ondine/contract/playback'
import { layoutOfChannel } from '@ondine/media/layout'
import { eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildTrackSet } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { takeLibrary } from '../../content/library/library.service.ts'
import { broadcasts, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories, medias, trackSets } from '../../inventory/titles/titles.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage, putAssetInPackage } from '../../rights/entitlements/packages.service.ts'
import { addSet, endSet, setLayout } from '../../streams/live-inputs/live-sets.repository.ts'
import { sweepLiveSets } from '../../streams/live-inputs/sweep-live-sets.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }
const NFO = (starts: number, ends: number, more = '') =>
  `<movie><title>Le concert</title><starts>${iso(starts)}</starts><ends>${iso(ends)}</ends>${more}</movie>`

function iso(time: number): string {
  return new Date(time).toISOString().replace('.000', '')
}

/** The tests write the TrackSets of live channels. Times are minutes from noon. */
describe.each(MAIN_DB)('an event that a channel carries, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { packages: { concerts: {} }, tokenDays: 400 } })
  let folder: string
  let channel: { id: number; number: number }
  let keys: string[]
  let count = 0

  beforeEach(async () => {
    scene.service.clock.set(NOON)
    folder = await mkdtemp(join(tmpdir(), 'ondine-events-'))
    keys = []
    const rules = { kind: 'sequence', titles: ['nothing'] }
    // No viewer has the package of the channel.
    const fields = { kind: 'live' as const, timeshiftSeconds: 600, inPackages: ['studio'] }
    channel = await scene.make.channel(`Studio ${++count}`, rules, fields)
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
    scene.service.clock.set(NOON)
  })

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }

  const take = async () =>
    await takeLibrary(scene.service.context, folder, {
      signal: new AbortController().signal,
      announcesEmpty: true,
    })

  /** Imports an event from `from` to `to`, into the package of the viewers. @returns its id */
  async function event(from = 0, to = 60, more = ''): Promise<number> {
    const { db, connection } = scene.service.context
    await write('Le concert (2026)/Le concert (2026).strm', `channel:${channel.number}\n`)
    await write(
      'Le concert (2026)/Le concert (2026).nfo',
      NFO(NOON + from * MINUTE, NOON + to * MINUTE, more),
    )
    expect((await take()).problems).toEqual([])
    const [row] = await db
      .select({ id: broadcasts.assetId })
      .from(broadcasts)
      .where(eq(broadcasts.channelId, channel.id))
    const id = row?.id ?? 0
    const names = { fra: 'Concerts', eng: 'Concerts' }
    await db.transaction(
      async (tx) => await putAssetInPackage(tx, await ensurePackage(tx, 'concerts', names), id),
    )
    await connection.changes.settled()
    return id
  }

  /** Stores TrackSets of one minute, from `from` to `to`. Each has a key of its own. */
  async function send(from: number, to: number): Promise<void> {
    const { db } = scene.service.context
    for (let minute = from; minute < to; minute++) {
      const document = buildTrackSet({ seconds: 60, subtitles: [] })
      const position = keys.push(document.encryption?.keyId ?? '') - 1
      if (position === 0) await setLayout(db, channel.id, layoutOfChannel([document], 4), NOON)
      const startsAt = NOON + minute * MINUTE
      const set = {
        channelId: channel.id,
        position,
        startsAt,
        joint: position === 0 ? ('break' as const) : ('continuous' as const),
        mediaSequence: position * 15,
        discontinuitySequence: 0,
      }
      const endsAt = startsAt + MINUTE
      await db.transaction(async (tx) => {
        await addSet(tx, set, document, Buffer.alloc(16, position + 1))
        await endSet(tx, { channelId: channel.id, trackSetId: document.id, startsAt, endsAt })
      })
    }
  }

  const read = async (idAsset: number, actor: Actor = scene.actor, format: 'hls' | 'dash' = 'hls') =>
    await scene.service.call(readAsset, { idAsset, format, ...LANGUAGES }, actor.tokens)

  /** Returns a playlist of a session, and when it begins and ends, in minutes from noon. */
  async function playlist(url: string) {
    const [base = ''] = url.split('main.m3u8')
    const { app } = scene.service
    const master = hls.parse((await app.inject({ url })).body) as types.MasterPlaylist
    const { body } = await app.inject({ url: `${base}${master.variants[0]?.uri}` })
    const list = hls.parse(body) as types.MediaPlaylist
    const begin = list.segments[0]?.programDateTime?.getTime() ?? 0
    const seconds = list.segments.reduce((sum, { duration }) => sum + duration, 0)
    const from = (begin - NOON) / MINUTE
    return { from, to: from + Math.round(seconds) / 60, isOver: list.endlist }
  }

  const keyStatus = async (session: string, minute: number) =>
    (await scene.service.app.inject({ url: `/play/${session}/key/${keys[minute]}` })).statusCode

  it('19.3 V4-44 plays from its start to its end, and nothing of its channel before and after', async () => {
    const idAsset = await event(5, 10)
    await send(0, 8)
    scene.service.clock.set(NOON + 8 * MINUTE)
    expect((await scene.service.call(testAsset, { idAsset }, scene.actor.tokens)).status).toBe(200)
    const { result } = await read(idAsset)
    const times = { startsAt: (NOON + 5 * MINUTE) / SECOND, endsAt: (NOON + 10 * MINUTE) / SECOND }
    expect(result).toMatchObject({ seek: 0, broadcast: { ...times, isOn: true } })
    expect(await playlist(result.url)).toEqual({ from: 5, to: 8, isOver: false })
    const keysOf = async (session: string) =>
      await Promise.all([4, 5, 7, 11].map(async (minute) => await keyStatus(session, minute)))
    expect((await keysOf(result.session)).slice(0, 3)).toEqual([403, 200, 200])
    await send(8, 12)
    scene.service.clock.set(NOON + 12 * MINUTE)
    expect(await playlist(result.url)).toEqual({ from: 5, to: 10, isOver: true })
    const again = (await read(idAsset)).result
    expect(again.broadcast).toEqual({ ...times, isOn: false })
    expect(await playlist(again.url)).toEqual({ from: 5, to: 10, isOver: true })
    expect(await keysOf(again.session)).toEqual([403, 200, 200, 403])
    const { body } = await scene.service.app.inject({
      url: (await read(idAsset, scene.actor, 'dash')).result.url,
    })
    expect(body).toContain('type="static"')
  })

  it('19.3 A2.1-16 is listed with its times, and cannot be downloaded', async () => {
    const idAsset = await event(5, 10)
    const { result } = await scene.service.call(liveEvents, {}, scene.actor.tokens)
    expect(result.map((each) => each.idAsset)).toContain(idAsset)
    const [asset] = (await scene.service.call(readAssets, { assetIds: [idAsset] })).result
    expect(asset).toMatchObject({
      title: 'Le concert',
      durationInSeconds: 300,
      downloadable: false,
      isBroadcast: true,
      availability: { state: 'ready' },
    })
  })

  it('19.3 is refused before its start, with the time of its start', async () => {
    const idAsset = await event(5, 10)
    await send(0, 3)
    expect(await read(idAsset)).toMatchObject({
      status: 404,
      error: { code: -1605, details: { availableFrom: (NOON + 5 * MINUTE) / SECOND } },
    })
    expect((await scene.service.call(testAsset, { idAsset }, scene.actor.tokens)).error.code).toBe(-1605)
  })

  it('19.3 says that there is no signal, and that nothing of it is left', async () => {
    const idAsset = await event(5, 10)
    scene.service.clock.set(NOON + 6 * MINUTE)
    expect((await read(idAsset)).error.code).toBe(-504)
    scene.service.clock.set(NOON + 11 * MINUTE)
    expect((await read(idAsset)).error.code).toBe(-1602)
  })

  it('19.3 begins with its signal if that comes late, and is whole once its last segments have arrived', async () => {
    const idAsset = await event(5, 10)
    await send(6, 7)
    scene.service.clock.set(NOON + 7 * MINUTE)
    expect((await read(idAsset)).result.broadcast).toEqual({
      startsAt: (NOON + 6 * MINUTE) / SECOND,
      endsAt: (NOON + 10 * MINUTE) / SECOND,
      isOn: true,
    })
    await send(7, 9)
    scene.service.clock.set(NOON + 10 * MINUTE + SECOND)
    const late = (await read(idAsset)).result
    expect(late.broadcast?.isOn).toBe(true)
    expect(await playlist(late.url)).toEqual({ from: 6, to: 9, isOver: false })
    await send(9, 10)
    scene.service.clock.advance(SECOND)
    expect(await playlist(late.url)).toEqual({ from: 6, to: 10, isOver: true })
    expect((await read(idAsset)).result.broadcast?.isOn).toBe(false)
  })

  it('19.3 ends with its signal if that fails before its end', async () => {
    const idAsset = await event(5, 10)
    await send(5, 8)
    scene.service.clock.set(NOON + 11 * MINUTE)
    const { result } = await read(idAsset)
    expect(result.broadcast).toMatchObject({ endsAt: (NOON + 8 * MINUTE) / SECOND, isOn: false })
    expect(await playlist(result.url)).toEqual({ from: 5, to: 8, isOver: true })
  })

  it('19.3 of pay-per-view plays for its buyer from its start to its end, and then gives no key', async () => {
    const idAsset = await event(5, 10)
    const buyer = await scene.make.actor()
    scene.service.clock.set(NOON + 6 * MINUTE)
    await send(4, 7)
    expect((await read(idAsset, buyer)).error.code).toBe(-11)
    await addGrant(scene.service.context.db, {
      accountId: buyer.account.id,
      opens: { assetId: idAsset },
      source: 'payPerView',
      sourceId: `concert ${count}`,
      from: NOON,
      to: null,
    })
    await scene.service.context.connection.changes.settled()
    const { result } = await read(idAsset, buyer)
    expect(await keyStatus(result.session, 1)).toBe(200)
    const { drm } = result
    const licence = await scene.service.call(getVodLicense, { idAsset, ...LANGUAGES }, buyer.tokens)
    expect(licence.result?.keySystem).toBe(drm?.keySystem)
    scene.service.clock.set(NOON + 10 * MINUTE)
    expect(await keyStatus(result.session, 1)).toBe(403)
    expect((await read(idAsset, buyer)).error.code).toBe(-1605)
  })

  it('19.3 is hidden from a child above its level, whatever the guide of the channel says', async () => {
    const idAsset = await event(0, 10, '<mpaa>18</mpaa>')
    await send(0, 2)
    scene.service.clock.set(NOON + 2 * MINUTE)
    const child = await scene.make.actor({
      packages: { concerts: {} },
      profile: { kid: true, maximumMoralityLevel: 2 },
    })
    expect((await read(idAsset, child)).error.code).toBe(-404)
  })

  it('19.3 counts as one playback of its title, and stores positions once it is over', async () => {
    const idAsset = await event(0, 5)
    await send(0, 5)
    scene.service.clock.set(NOON + 4 * MINUTE)
    const report = async (session: string, position: number) =>
      await scene.service.call(heartbeat, { session, position, event: 'progress' })
    const first = (await read(idAsset)).result
    expect((await report(first.session, 200)).status).toBe(200)
    scene.service.clock.set(NOON + 6 * MINUTE)
    const second = (await read(idAsset)).result
    expect(second.seek).toBe(0)
    expect((await report(second.session, 100)).status).toBe(200)
    expect((await read(idAsset)).result.seek).toBe(100)
  })

  it('19.3 keeps its media, also while its title is withdrawn, until some days after the title has expired', async () => {
    const idAsset = await event(5, 10)
    await send(0, 15)
    const { context } = scene.service
    const left = async () => {
      await sweepLiveSets(context, NOON + DAY)
      const rows = await context.db.select().from(liveSets).where(eq(liveSets.channelId, channel.id))
      return rows.map(({ position }) => position).toSorted((a, b) => a - b)
    }
    expect(await left()).toEqual([5, 6, 7, 8, 9, 14])
    const change = async (fields: Partial<typeof assets.$inferInsert>) =>
      await context.db.update(assets).set(fields).where(eq(assets.id, idAsset))
    await change({ availability: 'withdrawn', validTo: Date.now() - 6 * DAY })
    expect(await left()).toEqual([5, 6, 7, 8, 9, 14])
    await change({ validTo: Date.now() - 8 * DAY })
    expect(await left()).toEqual([14])
  })

  it('19.3 comes back with its media after its file was away', async () => {
    const idAsset = await event(0, 5)
    await send(0, 6)
    scene.service.clock.set(NOON + 5 * MINUTE)
    const file = 'Le concert (2026)/Le concert (2026).strm'
    await rm(join(folder, file))
    await write('Autre (2026)/Autre (2026).mkv', '')
    await take()
    expect((await read(idAsset)).error.code).toBe(-1605)
    await sweepLiveSets(scene.service.context, NOON + DAY)
    await write(file, `channel:${channel.number}`)
    expect((await take()).problems).toEqual([])
    expect(await playlist((await read(idAsset)).result.url)).toMatchObject({ from: 0, to: 5 })
  })

  it('19.3 goes on while the film beside it is prepared, and then becomes the film', async () => {
    const idAsset = await event(0, 10)
    await send(0, 2)
    scene.service.clock.set(NOON + 2 * MINUTE)
    await write('Le concert (2026)/Le concert (2026).mkv', '')
    expect((await take()).problems).toEqual([])
    expect((await read(idAsset)).result.broadcast?.isOn).toBe(true)
    const { db } = scene.service.context
    await db.transaction(async (tx) => {
      const film = buildTrackSet({ encrypted: false })
      await tx.insert(trackSets).values({ id: film.id, key: null, document: film, durationSeconds: 60 })
      const media = { kind: 'main' as const, assetId: idAsset, trackSetId: film.id, fingerprint: '' }
      await tx.insert(medias).values(media)
    })
    expect((await read(idAsset)).result.broadcast).toBeUndefined()
    await take()
    expect(await db.$count(broadcasts, eq(broadcasts.assetId, idAsset))).toBe(0)
  })

  it('19.3 takes the place of a film', async () => {
    const idAsset = await event(0, 10)
    await send(0, 2)
    const { db } = scene.service.context
    const film = buildTrackSet()
    await db.insert(trackSets).values({ id: film.id, key: null, document: film, durationSeconds: 60 })
    await db.insert(medias).values({ kind: 'main', assetId: idAsset, trackSetId: film.id, fingerprint: '' })
    await take()
    scene.service.clock.set(NOON + 2 * MINUTE)
    expect((await read(idAsset)).result.broadcast?.isOn).toBe(true)
  })

  it('19.3 gives no key of a time that is not the event’s any more, or of another channel', async () => {
    const idAsset = await event(0, 10)
    await send(0, 5)
    scene.service.clock.set(NOON + 5 * MINUTE)
    const { session } = (await read(idAsset)).result
    expect([await keyStatus(session, 1), await keyStatus(session, 4)]).toEqual([200, 200])
    const { db } = scene.service.context
    await db
      .update(assets)
      .set({ startsAt: NOON + 3 * MINUTE })
      .where(eq(assets.id, idAsset))
    expect([await keyStatus(session, 1), await keyStatus(session, 4)]).toEqual([403, 200])
    const other = await scene.make.channel(`Autre ${++count}`, { kind: 'sequence', titles: ['nothing'] })
    await db.update(broadcasts).set({ channelId: other.id }).where(eq(broadcasts.assetId, idAsset))
    expect(await keyStatus(session, 4)).toBe(403)
  })

  it('19.3 gives no key of what follows it, not even just after its end', async () => {
    const idAsset = await event(0, 3)
    await send(0, 3)
    scene.service.clock.set(NOON + 2 * MINUTE)
    const { session } = (await read(idAsset)).result
    await send(3, 4)
    scene.service.clock.set(NOON + 3 * MINUTE + SECOND)
    expect([await keyStatus(session, 2), await keyStatus(session, 3)]).toEqual([200, 403])
  })

  it('19.3 stays on the channel that carried it, once it is over', async () => {
    const idAsset = await event(0, 5)
    const { db } = scene.service.context
    const { number } = await scene.make.channel(`Autre ${++count}`, { kind: 'sequence', titles: ['nothing'] })
    scene.service.clock.set(NOON + 6 * MINUTE)
    const path = 'Le concert (2026)/Le concert (2026).strm'
    await write(path, `channel:${number}`)
    const reason = 'the event is over, and stays on the channel that carried it'
    expect((await take()).problems).toEqual([{ path: join(folder, path), reason }])
    const [row] = await db.select().from(broadcasts).where(eq(broadcasts.assetId, idAsset))
    expect(row?.channelId).toBe(channel.id)
  })

  /** Lets a new viewer rent an event for `slotSeconds` after the first play. */
  async function rent(idAsset: number, slotSeconds: number): Promise<Actor> {
    const renter = await scene.make.actor()
    const { db, connection } = scene.service.context
    await addGrant(db, {
      accountId: renter.account.id,
      opens: { assetId: idAsset },
      source: 'rental',
      sourceId: `rental ${count}`,
      from: NOON,
      to: null,
      slotSeconds,
    })
    await connection.changes.settled()
    return renter
  }

  it('19.3 of a rental begins the rental, also with the call for its licence', async () => {
    const idAsset = await event(0, 60)
    await send(0, 2)
    scene.service.clock.set(NOON + 2 * MINUTE)
    const renter = await rent(idAsset, 60)
    expect((await scene.service.call(getVodLicense, { idAsset, ...LANGUAGES }, renter.tokens)).status).toBe(
      200,
    )
    await scene.service.context.connection.changes.settled()
    scene.service.clock.set(NOON + 4 * MINUTE)
    expect((await read(idAsset, renter)).error.code).toBe(-11)
  })

  it('19.3 of a rental that began plays after its end, as long as the rental lasts', async () => {
    const idAsset = await event(0, 2)
    await send(0, 2)
    const renter = await rent(idAsset, 3600)
    scene.service.clock.set(NOON + 10 * MINUTE)
    const { result } = await read(idAsset, renter)
    expect(await keyStatus(result.session, 0)).toBe(200)
    await scene.service.context.connection.changes.settled()
    scene.service.clock.set(NOON + 50 * MINUTE)
    expect((await read(idAsset, renter)).status).toBe(200)
    scene.service.clock.set(NOON + 71 * MINUTE)
    expect((await read(idAsset, renter)).error.code).toBe(-11)
  })

  it.each([
    ['an address', 'https://tv.example/live.m3u8', /it does not name a channel/],
    ['nothing', '', /it does not name a channel/],
    ['a long text', `channel:1${' '.repeat(2000)}`, /it does not name a channel/],
    ['an unknown channel', 'channel:99999', /there is no channel with the number 99999/],
  ])('a broadcast file with %s is listed, and makes no title', async (_what, content, reason) => {
    await write('Gala (2026)/Gala (2026).strm', content)
    await write('Gala (2026)/Gala (2026).nfo', NFO(NOON, NOON + MINUTE))
    const { problems } = await take()
    expect(problems).toEqual([
      { path: join(folder, 'Gala (2026)/Gala (2026).strm'), reason: expect.stringMatching(reason) },
    ])
    expect(await scene.service.context.db.$count(assets, eq(assets.year, 2026))).toBe(
      await scene.service.context.db.$count(assets, eq(assets.kind, 'film')),
    )
  })

  it.each([
    ['a relay', async () => await relay(), '', /relays a stream.*inputs add \d+ --record/],
    ['a channel, but without its times', async () => channel.number, '<movie/>', /no <starts> and <ends>/],
  ])('a broadcast file with %s is listed, and makes no title', async (_what, number, nfo, reason) => {
    const file = 'Gala (2026)/Gala (2026).strm'
    await write(file, `channel:${await number()}`)
    if (nfo !== '') await write('Gala (2026)/Gala (2026).nfo', nfo)
    expect((await take()).problems).toEqual([
      { path: join(folder, file), reason: expect.stringMatching(reason) },
    ])
  })

  it.each([
    ['alone', []],
    ['of a series', ['Trame/tvshow.nfo']],
  ])(
    'a broadcast file of an episode %s is listed, and makes no title and no series',
    async (_what, others) => {
      for (const other of others) await write(other, '<tvshow/>')
      const file = 'Trame/Season 01/Trame S01E01.strm'
      await write(file, `channel:${channel.number}`)
      const reason = 'only an event can be a broadcast, not an episode of a series'
      expect((await take()).problems).toEqual([{ path: join(folder, file), reason }])
      const { db } = scene.service.context
      expect(await db.$count(categories, eq(categories.sourceKey, 'series:Trame'))).toBe(0)
    },
  )

  async function relay(): Promise<number> {
    const rules = { kind: 'sequence', titles: ['nothing'] }
    return (await scene.make.channel(`Relais ${++count}`, rules, { kind: 'relay' })).number
  }
})
