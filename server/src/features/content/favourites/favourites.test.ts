import { listChannels } from '@ondine/contract/channels'
import {
  addFavoriteAsset,
  addFavoriteChannel,
  favoriteAssets,
  favoriteChannels,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, deleteAsset } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { assets } from '../../inventory/titles/titles.table.ts'

describe.each(MAIN_DB)('favourites, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor
  let film: number
  let strong: number
  let series: number
  let episode: number
  let channel: number

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    film = (await make.asset('La Houle')).id
    strong = (await make.asset('Front froid', { moralityLevel: 5 })).id
    series = (await make.series('Le Métier')).id
    episode = (await make.asset('La trame', { kind: 'episode', serieId: series })).id
    channel = (await make.channel('Rive', { kind: 'sequence', titles: ['La Houle'] })).id
  })
  beforeEach(async () => {
    actor = await make.actor()
  })
  afterAll(async () => await service.remove())

  const titles = async ({ tokens } = actor) =>
    (await service.call(favoriteAssets, {}, tokens)).result.map((item) =>
      item.type === 'asset'
        ? `asset ${item.payload.idAsset}`
        : `category ${item.type === 'category' ? item.payload.idCatalog : ''}`,
    )
  const channels = async ({ tokens } = actor) =>
    (await service.call(favoriteChannels, {}, tokens)).result.map(({ idChannel, isFavorite }) => [
      idChannel,
      isFavorite,
    ])

  it('V7-13 V7-15 V4-47 stores films and series for a profile, the last added first', async () => {
    expect(await titles()).toEqual([])
    expect((await service.call(addFavoriteAsset, { idAsset: film }, actor.tokens)).result).toBeNull()
    await service.call(addFavoriteAsset, { idCategory: series }, actor.tokens)
    // Adding the same film twice must succeed.
    expect((await service.call(addFavoriteAsset, { idAsset: film }, actor.tokens)).status).toBe(200)
    expect(await titles()).toEqual([`category ${series}`, `asset ${film}`])
    expect(await titles(await make.actor())).toEqual([])
    expect((await service.call(removeFavoriteAsset, { idAsset: film }, actor.tokens)).result).toBeNull()
    expect((await service.call(removeFavoriteAsset, { idAsset: film }, actor.tokens)).status).toBe(200)
    expect(await titles()).toEqual([`category ${series}`])
  })

  it('V7-13 V7-14 V3-21 stores channels, and marks them wherever channels are listed', async () => {
    const marked = async ({ tokens } = actor) =>
      (await service.call(listChannels, {}, tokens)).result.find(({ idChannel }) => idChannel === channel)
        ?.isFavorite
    expect(await marked()).toBe(false)
    await service.call(addFavoriteChannel, { idChannel: channel }, actor.tokens)
    expect([await channels(), await marked()]).toEqual([[[channel, true]], true])
    expect(await marked(await make.actor())).toBe(false)
    expect((await service.call(listChannels, {})).result[0]?.isFavorite).toBe(false)
    await service.call(removeFavoriteChannel, { idChannel: channel }, actor.tokens)
    expect([await channels(), await marked()]).toEqual([[], false])
  })

  it('a child adds nothing above its level, and its list hides titles that it may no longer see', async () => {
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const refused = await service.call(addFavoriteAsset, { idAsset: strong }, child.tokens)
    expect([refused.status, refused.error.code]).toEqual([404, -404])
    await service.call(addFavoriteAsset, { idAsset: strong }, actor.tokens)
    expect(await titles()).toEqual([`asset ${strong}`])
  })

  it('hides a series while it has no visible episode', async () => {
    const { db, connection } = service.context
    await service.call(addFavoriteAsset, { idCategory: series }, actor.tokens)
    for (const [availability, shown] of [
      ['withdrawn', []],
      ['ready', [`category ${series}`]],
    ] as const) {
      await db.update(assets).set({ availability }).where(eq(assets.id, episode))
      await connection.changes.settled()
      expect(await titles()).toEqual(shown)
    }
  })

  it('V4-48 V6-01 a visitor has none', async () => {
    for (const operation of [favoriteAssets, favoriteChannels])
      expect((await service.call(operation, {})).status).toBe(401)
    expect((await service.call(addFavoriteChannel, { idChannel: channel })).status).toBe(401)
  })

  it('names missing fields and unknown titles', async () => {
    const add = async (title: { idAsset?: number; idCategory?: number }) =>
      (await service.call(addFavoriteAsset, title, actor.tokens)).error.code
    expect(await add({})).toBe(-3010)
    expect(await add({ idAsset: film, idCategory: series })).toBe(-400)
    expect(await add({ idAsset: 999_999 })).toBe(-404)
    expect(await add({ idCategory: 999_999 })).toBe(-404)
    expect((await service.call(removeFavoriteAsset, {}, actor.tokens)).error.code).toBe(-3010)
    const unknown = await service.call(addFavoriteChannel, { idChannel: 999_999 }, actor.tokens)
    expect([unknown.status, unknown.error.code]).toEqual([404, -10])
    expect((await service.call(addFavoriteChannel, { idChannel: -1 }, actor.tokens)).status).toBe(400)
  })

  it('a title that leaves the catalogue leaves the favourites', async () => {
    const { id } = await make.asset('Parti')
    await service.call(addFavoriteAsset, { idAsset: id }, actor.tokens)
    expect(await titles()).toEqual([`asset ${id}`])
    await deleteAsset(service.context.db, id)
    expect(await titles()).toEqual([])
  })
})
