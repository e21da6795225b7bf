import {
  assets,
  contentData,
  hierarchy,
  homeContent,
  listContent,
  type RailItem,
} from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import type { Asset } from '@ondine/contract/entities'
import { related } from '@ondine/contract/search'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet, deleteAsset } from '../../../../test/builders.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import {
  assetCategories,
  assets as assetRows,
  categories,
  images,
} from '../../inventory/titles/titles.table.ts'
import { seekPositions } from '../../viewing/playback/playback.table.ts'
import { CatalogueView } from './catalogue-view.ts'

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
      actors: ['Ada Lorn', 'Sammy Davis, Jr.', 'Ilan Vey'],
      directors: ['Maëlle Kerouac'],
      score: 4.3,
      tags: ['phare', 'tempête'],
      website: 'https://la-houle.example',
      taglines: { fra: 'La mer monte.' },
      premiered: '2026-01-05',
      studio: 'Ondine',
      backgroundImage: picture.id,
    })
    const violent = await build.asset('Front froid', {
      moralityLevel: 4,
      genres: ['Drame'],
      customSlug: 'froid-de-loup',
      descriptions: { fra: 'Le *vent*\ntourne [ici](x).' },
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
        synopses: { fra: 'Trois leçons.' },
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

  function titlesOf(items: RailItem[]): string[] {
    return items.map(({ type, payload }) =>
      type === 'asset' || type === 'recording' ? payload.title : payload.name,
    )
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
      downloadable: true,
      path: [`/${ids.films}`],
      packageIds: [expect.any(Number)],
      linkedOffers: [],
      linkedTransactionalOffers: [],
      rentalPrice: null,
      live: false,
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
      posterImage: null,
      backgroundImage: { url: `/images/${'a'.repeat(32)}`, width: 1920, height: 1080, color: '#112233' },
      validityStartDateTime: NOON / 1000 - 365 * 86_400,
      validityEndDateTime: null,
    })
  })

  it('V3-11 V3-12 metadata use the specified keys, and unknown values are left out', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.film, episodes[1]!] }, subscriber.tokens)
    expect(result[0]?.directMetadata).toMatchObject({
      AD_ASSTITLE: 'La Houle',
      TS_DURATION: 1,
      TS_PRODYEAR: 2026,
      // The no-break space tells the comma in a name from the one between names.
      AD_LIACTORS: 'Ada Lorn, Sammy Davis,\u00A0Jr., Ilan Vey',
      AD_LIGENRES: 'Drame, Mer',
      AD_SCORPUBL: 4.3,
    })
    expect(result[0]?.directMetadata).toMatchObject({
      TS_RELEDATE: '2026-01-05',
      AD_LIASMEDI: expect.stringMatching(/^fra\/non, fra\/fra, /),
      AD_CSASNAME: 'TP',
      AD_LIPRODUC: 'Ondine',
      AD_SUBTITLE: 'La mer monte.',
      AD_LIREALIS: 'Maëlle Kerouac',
      AD_ORIGTYPE: 'movie',
    })
    expect(result[1]?.directMetadata).not.toHaveProperty('AD_LIREALIS')
    expect(result[1]?.directMetadata).toMatchObject({
      AD_SERIESEA: 1,
      AD_SERIESEP: 2,
      AD_SURTITLE: 'Le Métier',
      AD_SERIECOL: ids.series,
    })
    expect(result[1]).toMatchObject({ isSerie: true, serieId: ids.series })
    expect(result[1]?.directMetadata).toMatchObject({ AD_ORIGTYPE: 'episode' })
  })

  it('V3-13 metadata name picture, seasons, level, age, tags, website, channel, number and slug', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.film, ids.violent] }, subscriber.tokens)
    expect(result[0]?.directMetadata).toMatchObject({
      AD_IMAGEID: `/images/${'a'.repeat(32)}`,
      MORALITY_LEVEL: 0,
      rating: 0,
      TAGS: 'phare, tempête',
      website: 'https://la-houle.example',
    })
    expect(result[1]).toMatchObject({
      detailRoute: `/content/froid-de-loup-${ids.violent}`,
      directMetadata: { MORALITY_LEVEL: 4, rating: 14, AD_CSASNAME: '-14', custom_slug: 'froid-de-loup' },
    })
    const { content } = (await service.call(contentData, { idCategory: ids.series })).result
    expect(content.payload.directMetadata).toMatchObject({ NUMERO_SEASONS: 1 })
    const build = buildersOf(service.context)
    const withSpecials = await build.series('La Digue')
    for (const seasonNumber of [0, 1, 2]) {
      const [season] = await service.context.db
        .insert(categories)
        .values({
          kind: 'season',
          sourceKey: `series:La Digue/${seasonNumber}`,
          parentId: withSpecials.id,
          names: { fra: `Saison ${seasonNumber}` },
          seasonNumber,
        })
        .returning()
      const within = { serieId: withSpecials.id, seasonId: season!.id, seasonNumber, episodeNumber: 1 }
      await build.asset(`Digue ${seasonNumber}`, { kind: 'episode', ...within })
    }
    const digue = (await service.call(contentData, { idCategory: withSpecials.id })).result.content
    expect(digue.payload).toMatchObject({ seasonNumber: 2, directMetadata: { NUMERO_SEASONS: 2 } })
    await service.context.db.delete(categories).where(eq(categories.id, withSpecials.id))
    const { id } = await build.channel('Rive', { kind: 'sequence', titles: ['x'] }, { number: 7 })
    const [channel] = (await service.call(listChannels, {})).result
    expect(channel?.metadatas).toMatchObject({ channel_name: 'Rive', LOCALIZE_NUMBER: 7 })
    await service.context.db.delete(channels).where(eq(channels.id, id))
  })

  it('V3-07 a detail has its description in Markdown too, with special characters escaped', async () => {
    const { result } = await service.call(contentData, { idAsset: ids.violent })
    expect(result.content.payload).toMatchObject({
      description: 'Le *vent*\ntourne [ici](x).',
      descriptionMarkdown: String.raw`Le \*vent\*` + '\n\n' + String.raw`tourne \[ici\]\(x\)\.`,
    })
  })

  it('V3-07 no line of a French text begins with a lone punctuation mark, and an English text stays unchanged', async () => {
    const written = 'Le vent tourne : « revenez » !'
    const { id } = await buildersOf(service.context).asset('Retour', {
      descriptions: { fra: written, eng: written },
      taglines: { fra: 'Et après ?' },
    })
    const read = async (languageId: string) => {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/proxy/contentData',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ idAsset: String(id), languageId }).toString(),
      })
      return answer.json<{ result: { content: { payload: Asset } } }>().result.content.payload
    }
    expect(await read('fra')).toMatchObject({
      description: 'Le vent tourne\u00A0: «\u00A0revenez\u00A0»\u00A0!',
      tagline: 'Et après\u00A0?',
    })
    expect((await read('eng')).description).toBe(written)
    await deleteAsset(service.context.db, id)
  })

  it('V1-03 V3-15 an event is live from its start to its end, also on a page that was loaded in between', async () => {
    const { id } = await buildersOf(service.context).asset('La régate', {
      startsAt: NOON + 60_000,
      endsAt: NOON + 120_000,
    })
    const read = async () => {
      const [event] = (await service.call(assets, { assetIds: [id] })).result
      return event
    }
    service.clock.set(NOON)
    expect(await read()).toMatchObject({
      live: false,
      directMetadata: { TS_STARTUTC: NOON / 1000 + 60, TS_ENDUTC: NOON / 1000 + 120, AD_ORIGTYPE: 'event' },
    })
    service.clock.set(NOON + 60_000)
    expect((await read())?.live).toBe(true)
    service.clock.set(NOON + 119_999)
    expect((await read())?.live).toBe(true)
    service.clock.set(NOON + 120_000)
    expect((await read())?.live).toBe(false)
    service.clock.set(NOON)
    await deleteAsset(service.context.db, id)
  })

  it('shows genres in the reader’s language, however they were written', async () => {
    const read = async (languageId: string) => {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/proxy/assets',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ assetIds: `[${ids.film}]`, languageId }).toString(),
      })
      return answer.json<{ result: Asset[] }>().result[0]?.directMetadata.AD_LIGENRES
    }
    expect([await read('fra'), await read('eng')]).toEqual(['Drame, Mer', 'Drama, Mer'])
  })

  it('V1-14 returns texts in the language of the call, and falls back to French', async () => {
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

  it('V7-08 leaves out unknown, expired and future assets', async () => {
    const { result } = await service.call(assets, { assetIds: [999_999, ids.gone, ids.soon, ids.film] })
    expect(result.map(({ idAsset }) => idAsset)).toEqual([ids.film])
  })

  it('V3-18 tells a visitor and an account without the package that the asset is not included', async () => {
    const visitor = await service.call(assets, { assetIds: [ids.film] })
    expect(visitor.result[0]?.isIncludedInUserOffers).toBe(false)
  })

  it('V1-03 V7-04 V3-02 V3-03 V3-04 the hierarchy contains categories, series and seasons', async () => {
    const { result } = await service.call(hierarchy, {})
    expect(
      result.map(({ name, isSerie, fictif, assetCount }) => [name, isSerie, fictif, assetCount]),
    ).toEqual([
      ['Films', false, false, 3],
      ['Séries', false, true, 0],
    ])
    expect(
      result.map((each) => [
        each.absolute_asset_number,
        each.absolute_not_unique_count,
        each.relative_asset_number,
      ]),
    ).toEqual([
      [3, 3, 3],
      [3, 3, 0],
    ])
    const [series] = result[1]!.categories
    expect(series).toMatchObject({
      idCatalog: ids.series,
      synopsis: 'Trois leçons.',
      isSerie: true,
      assetCount: 3,
      moralityLevel: 0,
      adult: false,
      isBlurred: false,
      isNeedParentalCode: false,
      detailRoute: `/series/le-metier-${ids.series}/details`,
      images: { background: { color: '#112233' } },
      categories: [{ isSeason: true, seasonNumber: 1, episodeNumber: 3, parentId: ids.series }],
    })
    expect(series?.categories[0]?.detailRoute).toBe(
      `/series/saison-1-${ids.series}/details?seasonid=${ids.season}`,
    )
    // Three episodes of one minute each.
    expect(series?.directMetadata).toMatchObject({ AD_SERIESEP: 3, TS_DURATION: 3 })
    expect(series?.categories[0]?.directMetadata).toMatchObject({
      AD_SERIESEA: 1,
      AD_SERIESEP: 3,
      TS_DURATION: 3,
    })
    expect(result[0]?.directMetadata).not.toHaveProperty('TS_DURATION')
  })

  it('V3-03 a series or season without an episode that the viewer may see is in no list', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const series = await build.series('Les Forges')
    const first = await build.firstEpisodeOf(series)
    const [second] = await db
      .insert(categories)
      .values({
        kind: 'season',
        sourceKey: 'series:Les Forges/2',
        parentId: series.id,
        names: { fra: 'Saison 2' },
        seasonNumber: 2,
      })
      .returning()
    const mild = (await build.asset('Le feu', { ...first })).id
    const within = { ...first, seasonId: second!.id, seasonNumber: 2 }
    const strong = (await build.asset('La lame', { ...within, moralityLevel: 5 })).id
    const [parent] = await db.select().from(categories).where(eq(categories.sourceKey, 'series'))
    await db.update(categories).set({ parentId: parent!.id }).where(eq(categories.id, series.id))

    /** Returns the seasons in the tree, and whether the lists of all titles and of series contain the series. */
    const shown = async (viewer: Actor) => {
      const { result: tree } = await service.call(hierarchy, {}, viewer.tokens)
      const found = tree.flatMap((each) => each.categories).find(({ idCatalog }) => idCatalog === series.id)
      const isIn = async (wish: { id?: number }) =>
        titlesOf((await service.call(listContent, wish, viewer.tokens)).result).includes('Les Forges')
      return [found?.categories.map(({ name }) => name), await isIn({}), await isIn({ id: parent!.id })]
    }
    expect(await shown(subscriber)).toEqual([['Saison 1', 'Saison 2'], true, true])
    expect(await shown(child)).toEqual([['Saison 1'], true, true])
    await db.update(assetRows).set({ availability: 'withdrawn' }).where(eq(assetRows.id, mild))
    expect(await shown(subscriber)).toEqual([['Saison 2'], true, true])
    expect(await shown(child)).toEqual([undefined, false, false])
    await db.update(assetRows).set({ availability: 'withdrawn' }).where(eq(assetRows.id, strong))
    expect(await shown(subscriber)).toEqual([undefined, false, false])
    // The page of the series remains, because links lead to it.
    expect((await service.call(contentData, { idCategory: series.id }, subscriber.tokens)).status).toBe(200)
    await db.update(assetRows).set({ availability: 'ready' }).where(eq(assetRows.id, mild))
    expect(await shown(child)).toEqual([['Saison 1'], true, true])
    await db.delete(categories).where(eq(categories.parentId, series.id))
    await db.delete(categories).where(eq(categories.id, series.id))
  })

  it('V3-05 a series counts as many seasons as it has children when these have no number', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const { id } = await build.series('La Marée')
    const season = { kind: 'season' as const, parentId: id }
    const made = await db
      .insert(categories)
      .values([
        { ...season, sourceKey: 'La Marée 4', names: { fra: 'Saison 4' }, seasonNumber: 4 },
        { ...season, sourceKey: 'La Marée 5', names: { fra: 'Saison 5' }, seasonNumber: 5 },
      ])
      .returning()
    for (const { id: seasonId } of made)
      await build.asset(`Marée ${seasonId}`, { kind: 'episode', serieId: id, seasonId })
    const { result } = await service.call(contentData, { idCategory: id })
    if (result.content.type !== 'category') throw new Error('a category was expected')
    const { seasonNumber, categories: seasons } = result.content.payload
    expect([seasonNumber, ...seasons.map((each) => each.seasonNumber)]).toEqual([2, 4, 5])
    await db.delete(categories).where(eq(categories.parentId, id))
    await db.delete(categories).where(eq(categories.id, id))
  })

  it('gives each category a different picture while its titles suffice', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const pictures = ['b', 'c'].map((letter) => letter.repeat(32))
    await db.insert(images).values(pictures.map((id) => ({ id, width: 1600, height: 900, color: '#123456' })))
    const made: number[] = []
    for (const backgroundImage of pictures)
      made.push((await build.asset(backgroundImage, { backgroundImage })).id)
    const [both = 0, one = 0] = made
    const genres: number[] = []
    for (const [index, members] of [[both, one], [both], [one]].entries()) {
      const names = { fra: `Genre ${index}`, eng: `Genre ${index}` }
      const [genre] = await db
        .insert(categories)
        .values({ kind: 'category', sourceKey: `genre:${index}`, names, position: 50 })
        .returning()
      genres.push(genre!.id)
      for (const [position, assetId] of members.entries())
        await db.insert(assetCategories).values({ categoryId: genre!.id, assetId, position })
    }
    const shown = await Promise.all(
      genres.map(async (idCategory) => {
        const { content } = (await service.call(contentData, { idCategory })).result
        return content.type === 'category' ? content.payload.images.background?.url : undefined
      }),
    )
    // Categories with one title show that title's picture. The category with both titles has no unused picture
    // left, so it shares one of them.
    expect(shown.slice(1)).toEqual(pictures.map((id) => `/images/${id}`))
    expect(pictures.map((id) => `/images/${id}`)).toContain(shown[0])
    await db.delete(categories).where(inArray(categories.id, genres.slice(1, 2)))
    const { content } = (await service.call(contentData, { idCategory: genres[0] })).result
    // After the deletion of a category, its picture is available for another category.
    expect(content.payload).toMatchObject({ images: { background: { url: `/images/${pictures[0]}` } } })
    await db.delete(categories).where(inArray(categories.id, genres))
    for (const id of made) await deleteAsset(db, id)
    await db.delete(images).where(inArray(images.id, pictures))
  })

  it('V7-05 a series without seasons contains its episodes directly', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const { id } = await build.series('La Suite')
    const episode = await build.asset('Suite 1', { kind: 'episode', serieId: id, episodeNumber: 1 })
    const { result } = await service.call(contentData, { idCategory: id })
    if (result.content.type !== 'category') throw new Error('a category was expected')
    expect(result.content.payload.assets.map(({ idAsset }) => idAsset)).toEqual([episode.id])
    await deleteAsset(db, episode.id)
    await db.delete(categories).where(eq(categories.id, id))
  })

  it('V7-05 orders specials after the seasons of a series, which begins with its first episode', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const { id } = await build.series('La Veille')
    const made: number[] = []
    for (const seasonNumber of [0, 1]) {
      const [season] = await db
        .insert(categories)
        .values({
          kind: 'season',
          parentId: id,
          sourceKey: `La Veille ${seasonNumber}`,
          names: { fra: seasonNumber === 0 ? 'Hors-série' : 'Saison 1' },
          position: seasonNumber,
          seasonNumber,
        })
        .returning()
      const within = { kind: 'episode' as const, serieId: id, seasonId: season!.id, seasonNumber }
      made.push((await build.asset(`Veille ${seasonNumber}`, { ...within, episodeNumber: 1 })).id)
    }
    const [special = 0, first = 0] = made
    const { result } = await service.call(contentData, { idCategory: id })
    if (result.content.type !== 'category') throw new Error('a category was expected')
    expect(result.content.payload.categories.map(({ name }) => name)).toEqual(['Saison 1', 'Hors-série'])
    expect(result.resume?.idAsset).toBe(first)
    expect((await service.call(contentData, { idAsset: first })).result.next?.idAsset).toBe(special)
    for (const asset of made) await deleteAsset(db, asset)
    await db.delete(categories).where(eq(categories.parentId, id))
    await db.delete(categories).where(eq(categories.id, id))
  })

  it('V7-07 listContent returns items with type and payload', async () => {
    const { result } = await service.call(listContent, { id: ids.films })
    expect(titlesOf(result)).toEqual(['La Houle', 'Front froid', 'Minuit'])
    expect(result.map(({ type }) => type)).toEqual(['asset', 'asset', 'asset'])
    const withRoot = await service.call(listContent, { id: ids.films, includeRoot: true })
    expect(withRoot.result[0]).toMatchObject({ type: 'category', payload: { idCatalog: ids.films } })
    const unknown = await service.call(listContent, { id: 999_999 })
    expect([unknown.status, unknown.error.code]).toEqual([404, -404])
  })

  it('V7-05 contentData returns an episode with its series and the next episode', async () => {
    const { result } = await service.call(contentData, { idAsset: episodes[0]! })
    expect(result.content.payload).toMatchObject({ idAsset: episodes[0] })
    expect(result.next?.idAsset).toBe(episodes[1])
    expect(result.series?.idCatalog).toBe(ids.series)
    expect(result.content.payload.directMetadata).toMatchObject({ AD_NEXTEPI: episodes[1] })
    const last = await service.call(contentData, { idAsset: episodes[2]! })
    expect(last.result.next).toBeNull()
  })

  it('V7-05 the next episode is one that can be played', async () => {
    const { db, connection } = service.context
    const setSecond = async (availability: 'preparing' | 'ready') => {
      await db.update(assetRows).set({ availability }).where(eq(assetRows.id, episodes[1]!))
      await connection.changes.settled()
    }
    await setSecond('preparing')
    const { result } = await service.call(contentData, { idAsset: episodes[0]! })
    expect(result.next?.idAsset).toBe(episodes[2])
    expect(result.content.payload).toMatchObject({ directMetadata: { AD_NEXTEPI: episodes[2] } })
    const { result: second } = await service.call(contentData, { idAsset: episodes[1]! })
    expect(second.next?.idAsset).toBe(episodes[2])
    await setSecond('ready')
  })

  it('V7-07 listContent sorts a category once for all viewers, also for a profile that has started something', async () => {
    const { profileId, tokens } = subscriber
    await service.context.db
      .insert(seekPositions)
      .values({ profileId, assetId: ids.film, seconds: 600, updatedAt: NOON })
    await service.context.connection.changes.settled()
    const list = async (offset: number) =>
      (await service.call(listContent, { id: ids.films, sort: 'ascendant', limit: 1, offset }, tokens)).result
    const first = await list(0)
    const read = vi.spyOn(CatalogueView.prototype, 'contents')
    const shown = vi.spyOn(CatalogueView.prototype, 'shows')
    const all = [...first, ...(await list(1)), ...(await list(2))]
    const calls = [read.mock.calls.length, shown.mock.calls.length]
    vi.restoreAllMocks()
    expect(calls).toEqual([0, 0])
    const begun = all.find((item) => item.type === 'asset' && item.payload.idAsset === ids.film)
    expect(begun).toMatchObject({ payload: { seekTime: 600 } })
    await service.context.db.delete(seekPositions)
    await service.context.connection.changes.settled()
  })

  it('V7-05 contentData returns a series with its seasons and their episodes', async () => {
    const { result } = await service.call(contentData, { idCategory: ids.series })
    if (result.content.type !== 'category') throw new Error('a category was expected')
    expect(result.content.payload.categories[0]?.assets.map(({ idAsset }) => idAsset)).toEqual(episodes)
  })

  it('A8.1-06 contentData refuses a call without an id', async () => {
    const { status, error } = await service.call(contentData, {})
    expect([status, error.code]).toEqual([400, -3010])
  })

  it('V3-32 V7-06 home shows rails with content, the hero first, and no empty rail', async () => {
    const { result } = await service.call(homeContent, {})
    expect(result.map(({ kind, layout }) => [kind, layout])).toEqual([
      ['hero', 'Hero'],
      ['category', 'Poster'],
      ['category', 'Cover'],
    ])
    expect(titlesOf(result[0]!.items)).toEqual(['La Houle', 'Le Métier'])
    expect(titlesOf(result[2]!.items)).toEqual(['Le Métier'])
  })

  it('A6-05 shows a child nothing above its level, in any call', async () => {
    const { tokens } = child
    const seen = new Set<string>()
    const add = (items: RailItem[]) => titlesOf(items).forEach((title) => seen.add(title))
    for (const rail of (await service.call(homeContent, {}, tokens)).result) add(rail.items)
    add((await service.call(listContent, { id: ids.films }, tokens)).result)
    add((await service.call(related, { contentId: ids.film, contentType: 'asset' }, tokens)).result)
    const byId = await service.call(assets, { assetIds: Object.values(ids) }, tokens)
    byId.result.forEach(({ title }) => seen.add(title))
    expect(seen).toContain('La Houle')
    expect(seen).not.toContain('Front froid')
    expect(seen).not.toContain('Minuit')
    const direct = await service.call(contentData, { idAsset: ids.violent }, tokens)
    expect([direct.status, direct.error.code]).toEqual([404, -404])
  })

  it('A6-08 blurs adult content and asks for the code', async () => {
    const { result } = await service.call(assets, { assetIds: [ids.adult] }, subscriber.tokens)
    expect(result[0]).toMatchObject({ adult: true, isBlurred: true, isNeedParentalCode: true })
  })
})
