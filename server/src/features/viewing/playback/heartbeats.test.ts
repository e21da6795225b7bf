import { activeAssets } from '@ondine/contract/catalogue'
import { HEARTBEAT_SECONDS, heartbeat, readAsset, readTrailer } from '@ondine/contract/playback'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet, deleteAsset } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import {
  createSeekWriter,
  type SeekPosition,
  seekKey,
  seekPositionsOf,
  storeSeekPositions,
} from './seek-positions.ts'

describe.each(MAIN_DB)('heartbeats, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let film: Awaited<ReturnType<typeof make.asset>>
  let actor: Actor

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
  })
  beforeEach(async () => {
    film = await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 100 }) })
    actor = await make.actor()
  })
  afterAll(async () => await service.remove())

  const read = async (who = actor, id = film.id) =>
    (
      await service.call(
        readAsset,
        { idAsset: id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' },
        who.tokens,
      )
    ).result
  const beat = async (
    session: string,
    position: number | undefined,
    event: 'progress' | 'pause' | 'resume' | 'end' | 'close' = 'progress',
    isRepeated?: boolean,
  ) => await service.call(heartbeat, { session, event, position, isRepeated })
  const begun = async () =>
    (await service.call(activeAssets, { watchingMin: 1, watchingMax: 95 }, actor.tokens)).result.map(
      ({ idAsset }) => idAsset,
    )

  it('stores the position of a profile in an asset, and no other profile sees it', async () => {
    const { session } = await read()
    expect((await beat(session, 42.5)).result).toEqual({ nextInSeconds: HEARTBEAT_SECONDS })
    expect((await read()).seek).toBe(42.5)
    expect((await read(await make.actor())).seek).toBe(0)
  })

  it('V4-49 lists started assets in continue watching, and leaves out finished ones', async () => {
    const { session } = await read()
    await beat(session, 0.5)
    expect(await begun()).toEqual([])
    await beat(session, 1)
    expect(await begun()).toEqual([film.id])
    await beat(session, 95)
    expect(await begun()).toEqual([film.id])
    await beat(session, 95.2, 'end')
    expect(await begun()).toEqual([])
    // A finished asset starts again.
    expect((await read()).seek).toBe(0)
  })

  it.each(['end', 'close'] as const)(
    'V4-49 a title that is left during its last credits is finished, with the event %s',
    async (event) => {
      const credits = (start: number) => ({ type: 'credit' as const, start, end: start + 5, label: '' })
      const marked = async (name: string, ...starts: number[]) =>
        (await make.asset(name, { trackSet: buildTrackSet({ seconds: 100 }), marks: starts.map(credits) })).id
      const [whole, opening] = [await marked('Encre', 5, 90), await marked('Apogée', 5)]
      const { session } = await read(actor, whole)
      for (const position of [20, 60, 89]) {
        await beat(session, position, event)
        expect((await read(actor, whole)).seek).toBe(position)
      }
      await beat(session, 92)
      for (const id of [opening, film.id]) await beat((await read(actor, id)).session, 92, event)
      expect(new Set(await begun())).toEqual(new Set([whole, opening, film.id]))
      await beat(session, 92, event)
      expect(new Set(await begun())).toEqual(new Set([opening, film.id]))
    },
  )

  it('V4-29 a paused player that closes keeps the position of another device, and the order of viewing', async () => {
    const other = await make.asset('Encre', { trackSet: buildTrackSet({ seconds: 100 }) })
    const laptop = (await read()).session
    await beat(laptop, 10, 'pause')
    service.clock.advance(1000)
    await beat((await read(actor, other.id)).session, 10)
    service.clock.advance(1000)
    expect((await beat(laptop, 10, 'close', true)).status).toBe(200)
    expect([(await read()).seek, await begun()]).toEqual([10, [other.id, film.id]])

    const television = (await read()).session
    await beat(television, 99, 'end')
    await beat(laptop, 10, 'close', true)
    expect(await seekPositionsOf(service.context.db, actor.profileId, [film.id])).toEqual(
      new Map([[film.id, 100]]),
    )
    // The laptop plays on: its viewing is the later one.
    await beat(laptop, 12, 'close')
    expect((await read()).seek).toBe(12)
  })

  it('V4-49 a title that is paused during its last credits is finished by its close', async () => {
    const credits = { type: 'credit' as const, start: 90, end: 95, label: '' }
    const { id } = await make.asset('Encre', { trackSet: buildTrackSet({ seconds: 100 }), marks: [credits] })
    const { session } = await read(actor, id)
    await beat(session, 92, 'pause')
    expect(await begun()).toEqual([id])
    await beat(session, 92, 'close', true)
    expect(await begun()).toEqual([])
    // Another device went back meanwhile.
    await beat((await read(actor, id)).session, 40)
    await beat(session, 92, 'close', true)
    expect((await read(actor, id)).seek).toBe(40)
  })

  it('lists started assets, the last watched first', async () => {
    const other = await make.asset('Encre', { trackSet: buildTrackSet({ seconds: 100 }) })
    await beat((await read()).session, 10)
    service.clock.advance(1000)
    await beat((await read(actor, other.id)).session, 10)
    expect(await begun()).toEqual([other.id, film.id])
    service.clock.advance(1000)
    await beat((await read()).session, 20)
    expect(await begun()).toEqual([film.id, other.id])
  })

  it('stores no position beyond the end, and none for a trailer or for a heartbeat without one', async () => {
    const { session } = await read()
    await beat(session, undefined)
    expect(await begun()).toEqual([])
    await beat(session, 99_999)
    expect(await seekPositionsOf(service.context.db, actor.profileId, [film.id])).toEqual(
      new Map([[film.id, 100]]),
    )
    const trailer = await make.asset('T', { trailer: buildTrackSet({ encrypted: false }) })
    const { url } = (await service.call(readTrailer, { idMedia: trailer.trailerMediaId, format: 'dash' }))
      .result
    expect((await beat(url.split('/')[2] ?? '', 5)).status).toBe(200)
  })

  it('refuses tokens that are forged, of another kind or expired, and invalid positions', async () => {
    const { session } = await read()
    const [head, , tail] = session.split('.')
    const foreign = Buffer.from(
      JSON.stringify({ s: 'x', v: [1, 1], a: [film.id, 'x', 9], aud: 'playback', exp: 9e9 }),
    )
    for (const bad of [
      '',
      'x',
      `${head}.${foreign.toString('base64url')}.${tail}`,
      actor.tokens['x-auth-token'] ?? '',
    ]) {
      expect((await beat(bad, 1)).error.code).toBe(-1)
    }
    for (const position of [-1, Number.NaN, 1e15])
      expect((await beat(session, position)).error.code).toBe(-400)
    service.clock.advance(13 * 3600_000)
    expect((await beat(session, 1)).error.code).toBe(-1)
  })

  it('stores a thousand positions at once, the newest of each, and leaves out rows that are gone meanwhile', async () => {
    const { db } = service.context
    const gone = await make.asset('Gone')
    const positions: SeekPosition[] = [
      { profileId: actor.profileId, assetId: gone.id, seconds: 5, updatedAt: 1000 },
      { profileId: actor.profileId, assetId: film.id, seconds: 5, updatedAt: 5000 },
      { profileId: 999_999, assetId: film.id, seconds: 5, updatedAt: 5000 },
    ]
    await deleteAsset(db, gone.id)
    const statements: number[] = []
    const writer = createSeekWriter(async (batch) => {
      statements.push(batch.length)
      await storeSeekPositions(db, batch)
    }, seekKey)
    await Promise.all([
      ...positions.map(async (position) => await writer.store(position)),
      ...Array.from(
        { length: 1000 },
        async (_, second) =>
          await writer.store({
            profileId: actor.profileId,
            assetId: film.id,
            seconds: second / 20,
            updatedAt: 10_000 + second,
          }),
      ),
    ])
    expect(statements.length).toBeLessThanOrEqual(3)
    expect(await seekPositionsOf(db, actor.profileId, [film.id])).toEqual(new Map([[film.id, 999 / 20]]))
    // A position that arrives late does not replace a newer position.
    await writer.store({ profileId: actor.profileId, assetId: film.id, seconds: 1, updatedAt: 9000 })
    expect(await seekPositionsOf(db, actor.profileId, [film.id])).toEqual(new Map([[film.id, 999 / 20]]))
  })

  it('V4-49 a correction follows the positions that arrived before it, and replaces no other one', async () => {
    const { db } = service.context
    const writer = createSeekWriter<SeekPosition>(
      async (batch) => await storeSeekPositions(db, batch),
      seekKey,
    )
    const position = { profileId: actor.profileId, assetId: film.id, seconds: 92, updatedAt: 1000 }
    const correction = { ...position, seconds: 100, updatedAt: 2000, replaces: 92 }
    const removedDevice = 999_999
    const stored = async () => (await seekPositionsOf(db, actor.profileId, [film.id])).get(film.id)
    await Promise.all([writer.store(position), writer.store(correction)])
    expect(await stored()).toBe(100)
    // The correction is no play, so a position between the two is the newer one.
    await Promise.all([
      writer.store({ ...position, updatedAt: 1500 }),
      writer.store({ ...correction, deviceId: removedDevice }),
    ])
    expect(await stored()).toBe(92)
    await Promise.all([writer.store({ ...position, seconds: 40, updatedAt: 1600 }), writer.store(correction)])
    expect(await stored()).toBe(40)
  })

  it('reports the failure of a batch to all its callers, and stores the next batch', async () => {
    let broken = true
    const writer = createSeekWriter(async () => {
      if (broken) throw new Error('the disk is full')
    }, seekKey)
    const position = { profileId: 1, assetId: 1, seconds: 1, updatedAt: 1 }
    await expect(
      Promise.allSettled([writer.store(position), writer.store({ ...position, assetId: 2 })]),
    ).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    broken = false
    await expect(writer.store(position)).resolves.toBeUndefined()
  })
})
