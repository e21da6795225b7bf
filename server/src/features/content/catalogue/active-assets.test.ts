import {
  activeAssets,
  contentData,
  homeContent,
  removeActiveAsset,
  restoreActiveAsset,
} from '@ondine/contract/catalogue'
import type { InputOf } from '@ondine/contract/operation'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'

describe.each(MAIN_DB)('assets in progress, on a database of kind %s', (kind) => {
  let service: TestService
  let subscriber: Actor
  let film: number
  let episode: number

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    const build = buildersOf(service.context)
    subscriber = await build.actor({ packages: { cinema: {} } })
    film = (await build.asset('La Houle', { inPackages: ['cinema'] })).id
    const series = await build.series('Le Métier')
    episode = (await build.asset('Épisode 1', { kind: 'episode', serieId: series.id })).id
  })
  afterAll(async () => await service.remove())

  it('V3-16 V4-49 V7-12 a started asset appears in activeAssets with its percentage, and leaves it when finished', async () => {
    const playing = await service.call(
      readAsset,
      { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' },
      subscriber.tokens,
    )
    const at = async (position: number) => {
      await service.call(heartbeat, { session: playing.result.session, position, event: 'progress' })
      service.clock.advance(1000)
      const { result } = await service.call(
        activeAssets,
        { watchingMin: 1, watchingMax: 95 },
        subscriber.tokens,
      )
      return result.map(({ idAsset, seekTime, alreadyWatchedInPercent }) => [
        idAsset,
        seekTime,
        alreadyWatchedInPercent,
      ])
    }
    expect(await at(0.3)).toEqual([])
    expect(await at(30)).toEqual([[film, 30, 50]])
    expect(await at(57)).toEqual([[film, 57, 95]])
    expect(await at(58)).toEqual([])
  })

  it('V4-49 an asset that a profile removes leaves its list but keeps its position, until it is restored or watched again', async () => {
    const { tokens, profileId } = subscriber
    const stopped = async (seconds: number) => {
      service.clock.advance(1000)
      const position = { profileId, assetId: film, seconds, updatedAt: service.clock.now() }
      await storeSeekPositions(service.context.db, [position])
    }
    const goesOn = async () => {
      const list = await service.call(activeAssets, { watchingMin: 1, watchingMax: 95 }, tokens)
      const home = await service.call(homeContent, {}, tokens)
      const rail = home.result.find(({ kind: source }) => source === 'continue')
      const inRail = (rail?.items ?? []).map((item) => item.type === 'asset' && item.payload.idAsset)
      expect(inRail).toEqual(list.result.map(({ idAsset }) => idAsset))
      return inRail
    }
    await stopped(30)
    expect(await goesOn()).toEqual([film])

    await service.call(removeActiveAsset, { idAsset: film }, tokens)
    expect(await goesOn()).toEqual([])
    // The removal affects only the list. The film's page still offers to resume, and the history still contains
    // the film.
    const page = await service.call(contentData, { idAsset: film }, tokens)
    expect(page.result.content).toMatchObject({ payload: { seekTime: 30 } })
    const history = await service.call(
      activeAssets,
      { allAssets: 1, watchingMin: 1, watchingMax: 95 },
      tokens,
    )
    expect(history.result.map(({ idAsset }) => idAsset)).toEqual([film])

    await service.call(restoreActiveAsset, { idAsset: film }, tokens)
    expect(await goesOn()).toEqual([film])

    await service.call(removeActiveAsset, { idAsset: film }, tokens)
    await stopped(31)
    expect(await goesOn()).toEqual([film])
  })

  it('V4-49 a removal and its undoing leave the order of viewing alone, also for the episode to resume', async () => {
    const make = buildersOf(service.context)
    const { tokens, profileId } = await make.actor()
    const series = await make.series('Le Large')
    const built = async (title: string) =>
      (await make.asset(title, { kind: 'episode', serieId: series.id })).id
    const [first, second] = [await built('Épisode 1'), await built('Épisode 2')]
    const stopped = async (assetId: number, updatedAt: number) =>
      await storeSeekPositions(service.context.db, [{ profileId, assetId, seconds: 20, updatedAt }])
    const order = async () =>
      (
        await service.call(activeAssets, { allAssets: 1, watchingMin: 1, watchingMax: 95 }, tokens)
      ).result.flatMap(({ idAsset }) => (idAsset === first || idAsset === second ? [idAsset] : []))
    const goesOn = async () =>
      (await service.call(activeAssets, { watchingMin: 1, watchingMax: 95 }, tokens)).result
        .map(({ idAsset }) => idAsset)
        .filter((id) => id === first || id === second)
    const resumed = async () =>
      (await service.call(contentData, { idCategory: series.id }, tokens)).result.resume?.idAsset

    await stopped(first, service.clock.now())
    service.clock.advance(1000)
    await stopped(second, service.clock.now())
    service.clock.advance(60_000)
    await service.call(removeActiveAsset, { idAsset: first }, tokens)
    expect([await order(), await goesOn(), await resumed()]).toEqual([[second, first], [second], second])
    await service.call(restoreActiveAsset, { idAsset: first }, tokens)
    expect([await order(), await goesOn(), await resumed()]).toEqual([
      [second, first],
      [second, first],
      second,
    ])

    // A play before the removal that is reported late counts as a play, and does not bring the title back.
    await service.call(removeActiveAsset, { idAsset: first }, tokens)
    await stopped(first, service.clock.now() - 30_000)
    expect([await order(), await goesOn(), await resumed()]).toEqual([[first, second], [second], first])
    await stopped(first, service.clock.now() + 1000)
    expect(await goesOn()).toEqual([first, second])
  })

  it('V7-12 activeAssets returns the requested types, all of them if asked, and no rented asset', async () => {
    const active = async (input: Partial<InputOf<typeof activeAssets>>) => {
      const wish = { watchingMin: 1, watchingMax: 95, ...input }
      const answer = await service.call(activeAssets, wish, subscriber.tokens)
      return answer.status === 200
        ? answer.result.map(({ idAsset }) => idAsset)
        : answer.error.details?.fields
    }
    await storeSeekPositions(service.context.db, [
      { profileId: subscriber.profileId, assetId: film, seconds: 58, updatedAt: service.clock.now() },
      {
        profileId: subscriber.profileId,
        assetId: episode,
        seconds: 20,
        updatedAt: service.clock.now() + 1,
      },
    ])
    expect(await active({})).toEqual([episode])
    expect(await active({ allAssets: 0 })).toEqual([episode])
    for (const allAssets of [1, 2, -1]) expect(await active({ allAssets })).toEqual([episode, film])
    expect(await active({ allAssets: 1, contentTypeFilter: 'movie' })).toEqual([film])
    expect(await active({ allAssets: 1, contentTypeFilter: 'movie,episode' })).toHaveLength(2)
    expect(await active({ contentTypeFilter: 'movie' })).toEqual([])
    expect(await active({ allAssets: 1, commercialModel: 'SVOD' })).toHaveLength(2)
    expect(await active({ allAssets: 1, commercialModel: 'TVOD' })).toEqual([])
    expect(await active({ watchingMin: 96, watchingMax: 95 })).toMatchObject([{ field: 'watchingMin' }])
    expect(await active({ watchingMin: -1 })).toMatchObject([{ field: 'watchingMin' }])
    expect(await active({ contentTypeFilter: 'opera' })).toMatchObject([{ field: 'contentTypeFilter' }])
    expect(await active({ contentTypeFilter: 'x'.repeat(10_000) })).toMatchObject([
      { field: 'contentTypeFilter' },
    ])
  })
})
