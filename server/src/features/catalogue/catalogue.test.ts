import {
  activeAssets,
  assets,
  contentData,
  hierarchy,
  homeContent,
  listContent,
} from '@ondine/contract/catalogue'
import type { Asset, Item } from '@ondine/contract/entities'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../test/builders.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../test/service.ts'
import { episodeToResume } from './catalogue.service.ts'
import { assetCategories, categories, images } from './catalogue.table.ts'

describe.each(DATABASES)('the catalogue, on a database of kind %s', (kind) => {
  let service: TestService
  let subscriber: Actor
  let child: Actor
  let ids: {
    film: number
    violent: number
    adult: number
    soon: number
    gone: number
    films: number
    series: number
    season: number
  }
  let episodes: number[]

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    const { db } = service.context
    const build = buildersOf(service.context)
    subscriber = await build.actor({ packages: { cinema: {} } })
    child = await build.actor({ packages: { cinema: {} }, profile: { kid: true, maximumMoralityLevel: 2 } })
    const picture = { id: 'a'.repeat(32), width: 1920, height: 1080, color: '#112233' }
    await db.insert(images).values(picture)
    const film = await build.asset('La Houle', {
      inPackages: ['cinema'],
      trailer: buildTrackSet({ seconds: 12, encrypted: false }),
      titles: { fra: 'La Houle', eng: 'The Swell' },
      descriptions: { fra: 'Une gardienne de phare.', eng: 'A lighthouse keeper.' },
      year: 2026,
      genres: ['Drame', 'Mer'],
      actors: ['Ada Lorn', 'Ilan Vey'],
      score: 4.3,
      backgroundImage: picture.id,
    })
    const violent = await build.asset('Front froid', {
      moralityLevel: 4,
      genres: ['Drame'],
      inPackages: ['cinema'],
    })
    const adult = await build.asset('Minuit', { adult: true, inPackages: ['cinema'] })
    const soon = await build.asset('Bientôt', { validFrom: NOON + 86_400_000 })
    const gone = await build.asset('Parti', { validTo: NOON - 1 })
    const [films] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'films', names: { fra: 'Films', eng: 'Films' }, position: 1 })
      .returning()
    const [root] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'series', names: { fra: 'Séries', eng: 'Series' }, position: 2 })
      .returning()
    const [series] = await db
      .insert(categories)
      .values({
        kind: 'series',
        sourceKey: 'series:Le Métier',
        parentId: root!.id,
        names: { fra: 'Le Métier' },
        backgroundImage: picture.id,
      })
      .returning()
    const [season] = await db
      .insert(categories)
      .values({
        kind: 'season',
        sourceKey: 'series:Le Métier/1',
        parentId: series!.id,
        names: { fra: 'Saison 1' },
        seasonNumber: 1,
      })
      .returning()
    for (const [position, { id }] of [film, violent, adult, soon, gone].entries()) {
      await db.insert(assetCategories).values({ categoryId: films!.id, assetId: id, position })
    }
    episodes = []
    for (const number of [1, 2, 3]) {
      const episode = await build.asset(`Épisode ${number}`, {
        kind: 'episode',
        serieId: series!.id,
        seasonId: season!.id,
        seasonNumber: 1,
        episodeNumber: number,
      })
      episodes.push(episode.id)
    }
    ids = {
      film: film.id,
      violent: violent.id,
      adult: adult.id,
      soon: soon.id,
      gone: gone.id,
      films: films!.id,
      series: series!.id,
      season: season!.id,
    }
  })
  afterAll(async () => await service.remove())

  function titlesOf(items: Item[]): string[] {
    return items.map((item) => (item.type === 'asset' ? item.payload.title : item.payload.name))
  }

  it('V3-07 V3-08 V3-09 V3-10 an asset has its fields', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.film] }, subscriber.tokens)
    expect(result).toHaveLength(1)
    expect(result[0]).toMatchObject({
      idAsset: ids.film,
      title: 'La Houle',
      description: 'Une gardienne de phare.',
      medias: [{ audioLanguages: expect.any(Array), subtitleLanguages: expect.any(Array) }],
      trailer: { idMedia: expect.any(Number) },
      durationInMinutes: 1,
      durationInSeconds: 60,
      path: [`/${ids.films}`],
      seekTime: 0,
      alreadyWatchedInPercent: 0,
      moralityLevel: 0,
      adult: false,
      isBlurred: false,
      isNeedParentalCode: false,
      isIncludedInUserOffers: true,
      isSerie: false,
      serieId: -1,
      detailRoute: `/content/la-houle-${ids.film}`,
      backgroundImage: { url: `/images/${'a'.repeat(32)}`, width: 1920, height: 1080, color: '#112233' },
      validityEndDateTime: null,
    })
  })

  it('V3-11 V3-12 metadata travel by their keys, and what is not known is left out', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.film, episodes[1]!] }, subscriber.tokens)
    expect(result[0]?.directMetadata).toMatchObject({
      AD_ASSTITLE: 'La Houle',
      TS_DURATION: 1,
      TS_PRODYEAR: 2026,
      AD_LIACTORS: 'Ada Lorn, Ilan Vey',
      AD_LIGENRES: 'Drame, Mer',
      AD_SCORPUBL: 4.3,
    })
    expect(result[0]?.directMetadata).not.toHaveProperty('AD_LIREALIS')
    expect(result[1]?.directMetadata).toMatchObject({
      AD_SERIESEA: 1,
      AD_SERIESEP: 2,
      AD_SURTITLE: 'Le Métier',
      AD_SERIECOL: ids.series,
    })
    expect(result[1]).toMatchObject({ isSerie: true, serieId: ids.series })
  })

  it('V1-14 texts come in the language of the call, and fall back to French', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/assets',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        assetIds: `[${ids.film},${ids.violent}]`,
        languageId: 'eng',
      }).toString(),
    })
    const { result } = answer.json<{ result: Asset[] }>()
    expect(result.map(({ title }) => title)).toEqual(['The Swell', 'Front froid'])
  })

  it('V7-08 unknown, expired and future assets are left out', async () => {
    const { result } = await service.call(assets, { assetIds: [999_999, ids.gone, ids.soon, ids.film] })
    expect(result.map(({ idAsset }) => idAsset)).toEqual([ids.film])
  })

  it('V3-18 a visitor and an account without the package are told that it is not included', async () => {
    const visitor = await service.call(assets, { assetIds: [ids.film] })
    expect(visitor.result[0]?.isIncludedInUserOffers).toBe(false)
  })

  it('V7-04 V3-02 V3-03 V3-04 the hierarchy holds categories, series and seasons', async () => {
    const { result } = await service.call(hierarchy, {})
    expect(result.map(({ name, isSerie, assetCount }) => [name, isSerie, assetCount])).toEqual([
      ['Films', false, 3],
      ['Séries', false, 0],
    ])
    const [series] = result[1]!.categories
    expect(series).toMatchObject({
      idCatalog: ids.series,
      isSerie: true,
      assetCount: 3,
      detailRoute: `/series/le-metier-${ids.series}/details`,
      images: { background: { color: '#112233' } },
      categories: [{ isSeason: true, seasonNumber: 1, episodeNumber: 3, parentId: ids.series }],
    })
    expect(series?.categories[0]?.detailRoute).toBe(
      `/series/saison-1-${ids.series}/details?seasonid=${ids.season}`,
    )
    expect(series?.categories[0]?.directMetadata).toMatchObject({ AD_SERIESEA: 1 })
  })

  it('V3-05 a series without a season number counts its children', async () => {
    const { result } = await service.call(contentData, { idCategory: ids.series })
    expect(result.content.payload).toMatchObject({ seasonNumber: 1 })
  })

  it('V7-07 listContent gives items with type and payload', async () => {
    const { result } = await service.call(listContent, { id: ids.films })
    expect(titlesOf(result)).toEqual(['La Houle', 'Front froid', 'Minuit'])
    expect(result.map(({ type }) => type)).toEqual(['asset', 'asset', 'asset'])
    const withRoot = await service.call(listContent, { id: ids.films, includeRoot: true })
    expect(withRoot.result[0]).toMatchObject({ type: 'category', payload: { idCatalog: ids.films } })
    const unknown = await service.call(listContent, { id: 999_999 })
    expect([unknown.status, unknown.error.code]).toEqual([404, -404])
  })

  it('V7-05 contentData gives an episode with its series and the next one', async () => {
    const { result } = await service.call(contentData, { idAsset: episodes[0]! })
    expect(result.content.payload).toMatchObject({ idAsset: episodes[0] })
    expect(result.next?.idAsset).toBe(episodes[1])
    expect(result.series?.idCatalog).toBe(ids.series)
    expect(result.content.payload.directMetadata).toMatchObject({ AD_NEXTEPI: episodes[1] })
    const last = await service.call(contentData, { idAsset: episodes[2]! })
    expect(last.result.next).toBeNull()
  })

  it('V7-05 contentData gives a series with its seasons and their episodes, and the related of a film', async () => {
    const { result } = await service.call(contentData, { idCategory: ids.series })
    if (result.content.type !== 'category') throw new Error('a category was expected')
    expect(result.content.payload.categories[0]?.assets.map(({ idAsset }) => idAsset)).toEqual(episodes)
    const film = await service.call(contentData, { idAsset: ids.film })
    expect(titlesOf(film.result.related)[0]).toBe('Front froid')
  })

  it('A8.1-06 contentData without an id says so', async () => {
    const { status, error } = await service.call(contentData, {})
    expect([status, error.code]).toEqual([400, -3010])
  })

  it('V3-16 V4-49 V7-12 what is begun is in activeAssets, with its percentage, and leaves when it is finished', async () => {
    const playing = await service.call(
      readAsset,
      { idAsset: ids.film, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' },
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
    expect(await at(30)).toEqual([[ids.film, 30, 50]])
    expect(await at(57)).toEqual([[ids.film, 57, 95]])
    expect(await at(58)).toEqual([])
  })

  it('V3-32 V7-06 home shows rails with content, the hero first, and none that is empty', async () => {
    const { result } = await service.call(homeContent, {})
    expect(result.map(({ kind, layout }) => [kind, layout])).toEqual([
      ['hero', 'Hero'],
      ['category', 'Poster'],
      ['category', 'Cover'],
    ])
    expect(titlesOf(result[0]!.items)).toEqual(['La Houle', 'Le Métier'])
    expect(titlesOf(result[2]!.items)).toEqual(['Le Métier'])
  })

  it('A6-05 a child finds nothing above its level, on any surface', async () => {
    const { tokens } = child
    const seen = new Set<string>()
    const add = (items: Item[]) => titlesOf(items).forEach((title) => seen.add(title))
    for (const rail of (await service.call(homeContent, {}, tokens)).result) add(rail.items)
    add((await service.call(listContent, { id: ids.films }, tokens)).result)
    add((await service.call(contentData, { idAsset: ids.film }, tokens)).result.related)
    const byId = await service.call(assets, { assetIds: Object.values(ids) }, tokens)
    byId.result.forEach(({ title }) => seen.add(title))
    expect(seen).toContain('La Houle')
    expect(seen).not.toContain('Front froid')
    expect(seen).not.toContain('Minuit')
    const direct = await service.call(contentData, { idAsset: ids.violent }, tokens)
    expect([direct.status, direct.error.code]).toEqual([404, -404])
  })

  it('A6-08 adult content is blurred and needs the code', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.adult] }, subscriber.tokens)
    expect(result[0]).toMatchObject({ adult: true, isBlurred: true, isNeedParentalCode: true })
  })

  it.each([
    ['assetIds', { assetIds: 'x' }],
    ['assetIds', { assetIds: '[1,"2"]' }],
    ['assetIds', { assetIds: '[-1]' }],
    ['assetIds', { assetIds: '[1e99]' }],
    ['assetIds', { assetIds: JSON.stringify(Array.from({ length: 201 }, (_, index) => index + 1)) }],
    ['assetIds', {}],
  ])('refuses wrong input with the field: %s', async (field, fields) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/assets',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details.fields[0].field.split('.')[0]).toBe(field)
  })
})

describe('the episode to go on with', () => {
  const watched = (...percents: number[]) =>
    percents.map(
      (alreadyWatchedInPercent, index) => ({ idAsset: index + 1, alreadyWatchedInPercent }) as Asset,
    )

  it.each([
    [[0, 0, 0], 1],
    [[100, 40, 0], 2],
    [[100, 96, 0], 3],
    [[30, 100, 50], 3],
    [[100, 100, 100], 1],
  ])('of episodes watched to %j percent is number %i', (percents, expected) => {
    expect(episodeToResume(watched(...percents))?.idAsset).toBe(expected)
  })

  it('of no episodes is none', () => {
    expect(episodeToResume([])).toBeNull()
  })
})
