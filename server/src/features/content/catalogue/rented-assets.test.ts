import { activeAssets } from '@ondine/contract/catalogue'
import type { InputOf } from '@ondine/contract/operation'
import { and, eq, isNotNull } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { addGrant, endGrants, type NewGrant } from '../../rights/entitlements/grants.service.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'

const DAY = 24 * 3_600_000
/** Bounds of the playback positions, in percent. Rentals ignore them. */
const BOUNDS = { watchingMin: 1, watchingMax: 95 }

describe.each(MAIN_DB)('rented assets, on a database of kind %s', (kind) => {
  const scene = testScene(kind)
  let film: number
  let other: number
  let series: number
  let episodes: number[]
  let count = 0

  beforeAll(async () => {
    film = (await scene.make.asset('La Houle', { inPackages: ['cinema'] })).id
    other = (await scene.make.asset('Encre', { inPackages: ['cinema'] })).id
    series = (await scene.make.series('Le Métier')).id
    episodes = []
    for (const title of ['La chaîne', 'La trame'])
      episodes.push((await scene.make.asset(title, { kind: 'episode', serieId: series })).id)
  })

  const rent = async (opens: NewGrant['opens'], right: Partial<NewGrant> = {}, actor = scene.actor) => {
    const sourceId = `order ${++count}`
    const grant = { accountId: actor.account.id, opens, source: 'rental' as const, sourceId }
    await addGrant(scene.service.context.db, { ...grant, from: NOON - DAY, to: NOON + DAY, ...right })
    return { source: 'rental' as const, sourceId }
  }
  const library = async (wish: Partial<InputOf<typeof activeAssets>> = {}, actor: Actor = scene.actor) => {
    const answer = await scene.service.call(
      activeAssets,
      { ...BOUNDS, allAssets: 0, commercialModel: 'TVOD', contentTypeFilter: 'movie,episode', ...wish },
      actor.tokens,
    )
    return answer.result.map(({ idAsset }) => idAsset)
  }

  it('A7.3-16 the library contains the account’s rentals, the latest first, and the episodes of a series', async () => {
    await rent({ assetId: film })
    await rent({ categoryId: series })
    expect(await library()).toEqual([...episodes, film])
    expect(await library({ contentTypeFilter: 'movie' })).toEqual([film])
    expect(await library({ contentTypeFilter: 'episode' })).toEqual(episodes)
    expect(await library({}, await scene.make.actor())).toEqual([])
  })

  it('A7.3-16 V3-18 lists a title once, however often it was rented, with its right', async () => {
    await rent({ assetId: film })
    await rent({ assetId: film }, { slotSeconds: 3600 })
    const { result } = await scene.service.call(
      activeAssets,
      { ...BOUNDS, commercialModel: 'TVOD' },
      scene.actor.tokens,
    )
    expect(
      result.map(({ idAsset, isIncludedInUserOffers, rental }) => [idAsset, isIncludedInUserOffers, rental]),
    ).toEqual([[film, true, { until: (NOON + DAY) / 1000, slotSeconds: null }]])
  })

  it('A2.1-28 a past rental disappears from the library, and remains in the list of all rentals', async () => {
    await rent({ assetId: film }, { to: NOON - 1 })
    const { source, sourceId } = await rent({ assetId: other })
    expect(await library()).toEqual([other])
    const origins = { sourceIds: [sourceId], accountIds: [scene.actor.account.id] }
    await endGrants(scene.service.context.db, { source, ...origins }, NOON)
    expect(await library()).toEqual([])
    expect(await library({ allAssets: 1 })).toEqual([other, film])
  })

  it('A2.1-28 a past rental says when its last right ended, a current one does not', async () => {
    await rent({ assetId: film }, { to: NOON - 5000 })
    await rent({ assetId: film }, { to: NOON - 9000 })
    await rent({ categoryId: series }, { slotSeconds: 60 })
    const ends = async () => {
      const wish = { ...BOUNDS, allAssets: 1, commercialModel: 'TVOD' as const }
      const { result } = await scene.service.call(activeAssets, wish, scene.actor.tokens)
      return new Map(result.map(({ idAsset, rentalEndedAt }) => [idAsset, rentalEndedAt]))
    }
    expect(await ends()).toEqual(
      new Map([[film, NOON / 1000 - 5], ...episodes.map((id) => [id, undefined] as const)]),
    )
    await scene.service.context.db
      .update(grants)
      .set({ startedAt: NOON - 100_000 })
      .where(and(eq(grants.accountId, scene.actor.account.id), isNotNull(grants.slotSeconds)))
    await expect
      .poll(async () => [...(await ends()).values()])
      .toEqual([NOON / 1000 - 40, NOON / 1000 - 40, NOON / 1000 - 5])
  })

  it('A7.3-16 rights from a subscription, a gift or an operator are not rentals', async () => {
    for (const source of ['subscription', 'gift', 'operator'] as const)
      await rent({ assetId: film }, { source })
    expect(await library({ allAssets: 1 })).toEqual([])
  })

  it('V4-50 rentals in the library are not repeated in continue watching, but in all started assets', async () => {
    const { profileId } = scene.actor
    const position = { profileId, seconds: 30, updatedAt: scene.service.clock.now() }
    await storeSeekPositions(scene.service.context.db, [{ ...position, assetId: film }])
    const begun = async (allAssets: 0 | 1) => {
      const { result } = await scene.service.call(activeAssets, { ...BOUNDS, allAssets }, scene.actor.tokens)
      return result.map(({ idAsset }) => idAsset)
    }
    expect(await begun(0)).toEqual([film])
    await rent({ assetId: film })
    expect([await begun(0), await begun(1)]).toEqual([[], [film]])
  })

  it('A7.3-16 is empty for a visitor, and refuses an unknown content type', async () => {
    const visitor = await scene.service.call(activeAssets, { ...BOUNDS, commercialModel: 'TVOD' }, {})
    expect(visitor.error.code).toBe(-1)
    const wrong = await scene.service.call(
      activeAssets,
      { ...BOUNDS, commercialModel: 'FREE' as 'TVOD' },
      scene.actor.tokens,
    )
    expect(wrong.error.details?.fields).toMatchObject([{ field: 'commercialModel' }])
  })
})
