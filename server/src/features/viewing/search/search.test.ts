import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InputOf } from '@ondine/contract/operation'
import { related, search } from '@ondine/contract/search'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { DATABASES, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { importEditorial } from '../editorial/editorial-import.service.ts'
import { rebuildIndex } from './search.repository.ts'

type Fields = Partial<InputOf<typeof search>>

describe.each(DATABASES)('search, on a database of kind %s', (kind) => {
  let service: TestService
  let adult: Actor
  let child: Actor
  let build: ReturnType<typeof buildersOf>

  const ask = async (fields: Fields, tokens: Tokens = {}) =>
    await service.call(search, { type: 'all', count: 50, itemsPerPage: 20, page: 1, ...fields }, tokens)
  const titles = async (fields: Fields, tokens: Tokens = {}): Promise<string[]> =>
    (await ask(fields, tokens)).result.items.map(({ item }) =>
      'title' in item.payload ? item.payload.title : item.payload.name,
    )

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    build = buildersOf(service.context)
    adult = await build.actor({ packages: { cinema: {} } })
    child = await build.actor({ packages: { cinema: {} }, profile: { kid: true, maximumMoralityLevel: 2 } })
    await build.asset('La Houle', {
      titles: { fra: 'La Houle', eng: 'The Swell' },
      descriptions: {
        fra: 'Une gardienne de phare attend le retour des marins.',
        eng: 'A lighthouse keeper waits for the sailors to return.',
      },
      actors: ['Ada Lorn', 'Ilan Vey'],
      directors: ['Maëlle Kerouac'],
      genres: ['Drame', 'Mer'],
      year: 2024,
      score: 4,
    })
    await build.asset('La Houle et le vent du nord', { genres: ['Documentaire'], score: 5 })
    await build.asset('Le Phare', { descriptions: { fra: 'La houle monte.' }, score: 3, year: 2020 })
    await build.asset('Apogée', {
      descriptions: { fra: 'Une station spatiale.' },
      genres: ['Science-fiction'],
    })
    await build.asset('Front froid', { moralityLevel: 4, genres: ['Drame'], actors: ['Ada Lorn'] })
    await build.asset('Minuit passé', { adult: true })
    await build.asset('Bientôt', { validFrom: NOON + 86_400_000 })
    await build.asset('Parti', { validTo: NOON - 1 })
    await build.asset('Retiré', { availability: 'withdrawn' })
    const series = await build.series('Le Métier')
    await build.asset('Épisode du fil', {
      kind: 'episode',
      serieId: series.id,
      seasonNumber: 1,
      episodeNumber: 1,
    })
    await build.channel('Rive Cinéma', { kind: 'sequence', titles: ['La Houle', 'Le Phare'] })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
  })
  afterAll(async () => await service.remove())

  it('finds titles by their words, the closest title first', async () => {
    expect(await titles({ term: 'houle' })).toEqual(['La Houle', 'La Houle et le vent du nord', 'Le Phare'])
    expect((await titles({ term: 'la houle et le' }))[0]).toBe('La Houle et le vent du nord')
  })

  it.each([
    ['without accents', 'apogee', 'Apogée'],
    ['in capitals with accents', 'APOGÉE', 'Apogée'],
    ['by the beginning of a word', 'apog', 'Apogée'],
    ['by the beginning of a word that is also its stem', 'houl', 'La Houle'],
    ['by another form of a word', 'houles', 'La Houle'],
    ['by an actor', 'ada lorn', 'La Houle'],
    ['by a director', 'kerouac', 'La Houle'],
    ['by genre', 'science fiction', 'Apogée'],
    ['by the description', 'gardienne phare', 'La Houle'],
    ['by words of several fields', 'houle lorn', 'La Houle'],
    ['by the title in another language', 'swell', 'La Houle'],
    ['without the space', 'lahoule', 'La Houle'],
    ['for a series', 'métier', 'Le Métier'],
    ['for a channel', 'rive', 'Rive Cinéma'],
    ['by a word that says nothing, as titles begin', 'la', 'La Houle'],
    ['by one letter', 'a', 'Apogée'],
  ])('finds %s', async (_how, term, title) => {
    expect((await titles({ term }))[0]).toBe(title)
  })

  it.each([
    ['a letter too few', 'hule', 'houle'],
    ['a letter too many', 'houlle', 'houle'],
    ['a wrong letter', 'hople', 'houle'],
    ['two letters swapped', 'huole', 'houle'],
    ['two slips in a long word', 'gardenne', 'gardienne'],
    ['a name', 'kerwac', 'kerouac'],
    ['only one of the words wrong', 'la huole', 'la houle'],
  ])('corrects %s, and tells what it searched for', async (_what, term, correction) => {
    const { result } = await ask({ term })
    expect(result.correction).toBe(correction)
    expect(result.items[0]?.item.payload).toMatchObject({ title: 'La Houle' })
  })

  it('corrects a word that exists but was not meant', async () => {
    // First adds "poule" to the words of the index, by a title with that name.
    const { id } = await build.asset('Poule')
    expect((await ask({ term: 'poule lorn' })).result.correction).toBe('houle lorn')
    await service.context.db.delete(assets).where(eq(assets.id, id))
  })

  it('searches in the language of the call', async () => {
    const answer = await service.app.inject('/cms/search?term=sailor&languageId=eng')
    expect(answer.json().result.items[0].item.payload.title).toBe('The Swell')
    expect(await titles({ term: 'sailor' })).toEqual([])
  })

  it('V3-33 a result tells its type and where it is used', async () => {
    const { result } = await ask({ term: 'houle' })
    expect(result.items[0]).toMatchObject({
      item: { type: 'asset', payload: { title: 'La Houle' } },
      usedIn: {
        vod: { live: true },
        epg: [{ title: 'La Houle', direct_metadata: { channel_name: 'Rive Cinéma' } }, {}, {}],
      },
    })
    expect(result.items[2]?.usedIn).toMatchObject({
      vod: { live: false },
      epg: [{ title: 'Le Phare' }, {}, {}],
    })
    const starts = result.items[0]?.usedIn.epg.map(({ startutc }) => startutc) ?? []
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const series = await ask({ term: 'métier' })
    expect(series.result.items[0]).toMatchObject({
      item: { type: 'series' },
      usedIn: { vod: { live: false }, epg: [] },
    })
    const channel = await ask({ term: 'rive' })
    expect(channel.result.items[0]).toMatchObject({
      item: { type: 'channel', programme: { title: 'La Houle' } },
      usedIn: { vod: null },
    })
  })

  it('V2.4-22 filters by type of result, and counts each filter', async () => {
    const { result } = await ask({ term: 'houle' })
    expect(result.counts).toEqual({ all: 3, movies: 3, series: 0, lives: 1, programs: 2, articles: 0 })
    expect(await titles({ term: 'houle', type: 'lives' })).toEqual(['La Houle'])
    expect(await titles({ term: 'houle', type: 'programs' })).toEqual(['La Houle', 'Le Phare'])
    expect(await titles({ term: 'métier', type: 'series' })).toEqual(['Le Métier', 'Épisode du fil'])
    expect(await titles({ term: 'rive', type: 'lives' })).toContain('Rive Cinéma')
    expect(await titles({ term: 'houle', type: 'series' })).toEqual([])
  })

  it('V2.4-22 V3-15 a live event is among the live results while it is on', async () => {
    const { id } = await build.asset('La Régate', { startsAt: NOON, endsAt: NOON + 3_600_000 })
    const found = async () => {
      const { items, counts } = (await ask({ term: 'régate', type: 'lives' })).result
      return [counts.lives, counts.programs, items.map(({ usedIn }) => usedIn.vod?.live)]
    }
    expect(await found()).toEqual([1, 0, [true]])
    service.clock.advance(3_600_000)
    expect(await found()).toEqual([0, 0, []])
    service.clock.advance(-3_600_001)
    expect(await found()).toEqual([0, 0, []])
    service.clock.set(NOON)
    await service.context.db.delete(assets).where(eq(assets.id, id))
  })

  it('V7-27 pages by count until a page is empty', async () => {
    expect(await titles({ term: 'houle', count: 2 })).toEqual(['La Houle', 'La Houle et le vent du nord'])
    expect(await titles({ term: 'houle', count: 2, page: 2 })).toEqual(['Le Phare'])
    expect(await titles({ term: 'houle', count: 2, page: 3 })).toEqual([])
  })

  it('V7-27 pages words by 50 and a JSON filter by 20 until a page is empty', async () => {
    const many = await Promise.all(
      Array.from(
        { length: 55 },
        async (_, index) => await build.asset(`Numéro ${index}`, { genres: ['Court métrage'] }),
      ),
    )
    const filter = { AD_LIGENRES: 'court metrage' }
    const pages = async (fields: Record<string, string>) => {
      const lengths: number[] = []
      do {
        const page = String(lengths.length + 1)
        const answer = await service.app.inject(
          `/cms/search?${new URLSearchParams({ ...fields, page, languageId: 'fra' })}`,
        )
        lengths.push(answer.json().result.items.length)
      } while (lengths.at(-1) !== 0)
      return lengths
    }
    expect(await pages({ filter: JSON.stringify(filter) })).toEqual([20, 20, 15, 0])
    expect(await pages({ term: 'numero' })).toEqual([50, 5, 0])
    expect((await ask({ filter, itemsPerPage: 50 })).result.items).toHaveLength(50)
    for (const { id } of many) await service.context.db.delete(assets).where(eq(assets.id, id))
  })

  it('V2.1-18 finds titles by the exact value of metadata', async () => {
    expect(await titles({ term: 'ada lorn', searchBy: 'AD_LIACTORS' })).toEqual(['La Houle', 'Front froid'])
    expect(await titles({ term: 'Maelle Kerouac', searchBy: 'AD_LIREALIS' })).toEqual(['La Houle'])
    expect(await titles({ term: 'ada', searchBy: 'AD_LIACTORS' })).toEqual([])
    expect(await titles({ filter: { AD_LIACTORS: 'Ada Lorn', TS_PRODYEAR: '2024' } })).toEqual(['La Houle'])
    expect(await titles({ filter: { AD_LIGENRES: 'drame', type: 'series' } })).toEqual([])
  })

  it('V7-27 a JSON filter may name the language, which is no condition', async () => {
    const filter = { languageId: 'eng', type: 'movies', TS_PRODYEAR: '2024' } as const
    expect(await titles({ filter })).toEqual(['The Swell'])
    expect(await titles({ filter: { ...filter, languageId: 'fra' } })).toEqual(['La Houle'])
    expect((await titles({ filter: { languageId: 'fra', type: 'movies' } })).length).toBeGreaterThan(2)
    for (const languageId of ['eng', 'xyz'] as const) {
      const query = new URLSearchParams({ filter: JSON.stringify({ languageId }) })
      expect((await service.app.inject(`/cms/search?${query}`)).statusCode).toBe(400)
    }
  })

  it('offers other titles if there are no results', async () => {
    const { result } = await ask({ term: 'zzyzx' })
    expect(result).toMatchObject({ items: [], counts: { all: 0 }, correction: null })
    expect(result.popular.length).toBeGreaterThan(2)
    expect((await ask({ term: 'houle' })).result.popular).toEqual([])
  })

  it('A6-05 a child finds nothing above its level, by any kind of search', async () => {
    for (const fields of [
      { term: 'front froid' },
      { term: 'fromt froid' },
      { term: 'froint' },
      { term: 'minuit' },
      { term: 'f' },
      { term: 'ada lorn' },
      { term: 'ada lorn', searchBy: 'AD_LIACTORS' as const },
      { filter: { AD_LIGENRES: 'drame' } },
      { term: 'zzyzx' },
    ]) {
      const { result } = await ask(fields, child.tokens)
      const seen = JSON.stringify([result.items, result.popular])
      expect(seen).not.toContain('Front froid')
      expect(seen).not.toContain('Minuit')
      expect(result.correction).not.toBe('front froid')
    }
    expect(await titles({ term: 'front froid' }, adult.tokens)).toEqual(['Front froid'])
    // "froid" is more similar than "droit", but hidden. No title says which of them is meant.
    const { id } = await build.asset('Le Quai', { descriptions: { fra: 'Tout droit vers le large.' } })
    const { result } = await ask({ term: 'froit' }, child.tokens)
    expect(result).toMatchObject({
      items: [{ item: { payload: { title: 'Le Quai' } } }],
      correction: 'droit',
    })
    expect(result.highlight).not.toContain('froid')
    expect((await ask({ term: 'froit' }, adult.tokens)).result.correction).toBe('froid')
    // A visible title contains only another form of the hidden word.
    const hidden = await build.asset('Eaux glaciales', { moralityLevel: 4 })
    const visible = await build.asset('Le Cap', { descriptions: { fra: 'Un vent glacial.' } })
    const other = (await ask({ term: 'glaciapes' }, child.tokens)).result
    expect(other).toMatchObject({ items: [{ item: { payload: { title: 'Le Cap' } } }], correction: null })
    expect(other.highlight).not.toContain('glaciales')
    expect(other.highlight).toContain('glacial')
    expect((await ask({ term: 'glaciapes' }, adult.tokens)).result.correction).toBe('glaciales')
    for (const each of [hidden, visible])
      await service.context.db.delete(assets).where(eq(assets.id, each.id))
    await service.context.db.delete(assets).where(eq(assets.id, id))
    expect(await titles({ term: 'houle' }, child.tokens)).toContain('La Houle')
  })

  it('leaves out titles that are not in the catalogue now', async () => {
    for (const term of ['bientot', 'parti', 'retire']) expect(await titles({ term })).not.toContain(term)
    service.clock.advance(2 * 86_400_000)
    expect(await titles({ term: 'bientot' })).toEqual(['Bientôt'])
    service.clock.advance(-2 * 86_400_000)
  })

  it('stays consistent with the indexed rows, also when a transaction is rolled back', async () => {
    const { db } = service.context
    const { id } = await build.asset('Récif', { genres: ['Nature'] })
    expect(await titles({ term: 'recif' })).toEqual(['Récif'])
    await db
      .update(assets)
      .set({ titles: { fra: 'Atoll' } })
      .where(eq(assets.id, id))
    expect([await titles({ term: 'recif' }), await titles({ term: 'atoll' })]).toEqual([[], ['Atoll']])
    await db
      .transaction(async (tx) => {
        await tx
          .update(assets)
          .set({ titles: { fra: 'Lagon' } })
          .where(eq(assets.id, id))
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect([await titles({ term: 'lagon' }), await titles({ term: 'atoll' })]).toEqual([[], ['Atoll']])
    await db.update(assets).set({ availability: 'withdrawn' }).where(eq(assets.id, id))
    expect(await titles({ term: 'atoll' })).toEqual([])
    await db.delete(assets).where(eq(assets.id, id))
  })

  it('V2.1-18 lists the episodes of a series in their order, whatever their arrival and their rank', async () => {
    const series = await build.series('Les Brisants')
    for (const [title, seasonNumber, episodeNumber, about] of [
      ['Grain', 2, 1, 'Les brisants, encore les brisants, toujours les brisants.'],
      ['Brume', 1, 10, ''],
      ['Accalmie', 1, 2, 'La mer se calme.'],
    ] as const)
      await build.asset(title, {
        kind: 'episode',
        serieId: series.id,
        seasonNumber,
        episodeNumber,
        descriptions: { fra: about },
      })
    expect(await titles({ term: 'brisants' })).toEqual(['Les Brisants', 'Accalmie', 'Brume', 'Grain'])
  })

  it('V3-33 finds no series without an episode that the viewer may see', async () => {
    const { db } = service.context
    const series = await build.series('Les Galets')
    await db
      .update(categories)
      .set({ genres: ['Cabotage'] })
      .where(eq(categories.id, series.id))
    const { id } = await build.asset('Ressac', { kind: 'episode', serieId: series.id, moralityLevel: 4 })
    const { id: relatedId } = await build.asset('Le Caboteur', { genres: ['Cabotage'] })
    /** Returns the titles found by words and by genre with their counts, a correction, and the related titles. */
    const found = async (tokens: Tokens) => {
      const byWord = (await ask({ term: 'galets', type: 'series' }, tokens)).result
      const byGenre = await titles({ filter: { AD_LIGENRES: 'Cabotage' } }, tokens)
      const misspelt = (await ask({ term: 'galest' }, tokens)).result
      const like = await service.call(related, { contentId: relatedId, contentType: 'asset' }, tokens)
      return {
        names: byWord.items.map(({ item }) =>
          'title' in item.payload ? item.payload.title : item.payload.name,
        ),
        counts: [byWord.counts.all, byWord.counts.series],
        byGenre: byGenre.toSorted(),
        correction: misspelt.correction,
        related: like.result.map(({ payload }) => ('title' in payload ? payload.title : payload.name)),
      }
    }
    expect(await found(adult.tokens)).toEqual({
      names: ['Les Galets', 'Ressac'],
      counts: [2, 2],
      byGenre: ['Le Caboteur', 'Les Galets'],
      correction: 'galets',
      related: ['Les Galets'],
    })
    const nothing = { names: [], counts: [0, 0], byGenre: ['Le Caboteur'], correction: null, related: [] }
    expect(await found(child.tokens)).toEqual(nothing)
    await db.update(assets).set({ availability: 'withdrawn' }).where(eq(assets.id, id))
    expect(await found(adult.tokens)).toEqual(nothing)
    const { popular } = (await ask({ term: 'xqzxqz' }, adult.tokens)).result
    expect(popular.map(({ item }) => item.payload)).not.toContainEqual(
      expect.objectContaining({ name: 'Les Galets' }),
    )
    await db.delete(categories).where(eq(categories.id, series.id))
    await db.delete(assets).where(eq(assets.id, relatedId))
  })

  it('finds episodes by the name of their series, also after it has changed', async () => {
    const { db } = service.context
    const series = await build.series('Les Sables')
    await build.asset('Premier pas', { kind: 'episode', serieId: series.id })
    expect(await titles({ term: 'sables premier' })).toEqual(['Premier pas'])
    await db
      .update(categories)
      .set({ names: { fra: 'Les Dunes' } })
      .where(eq(categories.id, series.id))
    expect(await titles({ term: 'dunes' })).toEqual(['Les Dunes', 'Premier pas'])
    expect(await titles({ term: 'sables' })).toEqual([])
  })

  it('finds programmes without an asset until they are over', async () => {
    const { db } = service.context
    const { id } = await build.asset('Journal du large', { genres: ['Info'] })
    const channel = await build.channel('Large', { kind: 'sequence', titles: ['Journal du large'] })
    await extendSchedules(db, createTrackSetStore(db), NOON)
    await db.delete(assets).where(eq(assets.id, id))
    const { result } = await ask({ term: 'journal' })
    expect(result.items).toHaveLength(1)
    expect(result.items[0]).toMatchObject({
      item: { type: 'programme', payload: { title: 'Journal du large' }, channel: { idChannel: channel.id } },
      usedIn: { vod: null, epg: [{}, {}, {}] },
    })
    expect(result.counts).toEqual({ all: 1, movies: 0, series: 0, lives: 1, programs: 1, articles: 0 })
    // The programme has no rating, so the child must not find it.
    expect(await titles({ term: 'journal' }, child.tokens)).toEqual([])
    service.clock.advance(30 * 86_400_000)
    expect(await titles({ term: 'journal' })).toEqual([])
    service.clock.advance(-30 * 86_400_000)
    await db.delete(programmes).where(eq(programmes.channelId, channel.id))
    expect(await titles({ term: 'journal' })).toEqual([])
  })

  it('V3-33 tells to the millisecond what is on now, and the next showings by time', async () => {
    const { db } = service.context
    const { id } = await build.asset('Le Musoir')
    const channel = await build.channel('Musoir', { kind: 'sequence', titles: ['nothing'] })
    const showings = [
      { startsAt: NOON + 7_200_789, endsAt: NOON + 9_000_001 },
      { startsAt: NOON + 3_600_123, endsAt: NOON + 5_400_457 },
    ]
    await db.insert(programmes).values(
      showings.map((times, index) => ({
        ...times,
        channelId: channel.id,
        universalId: `musoir ${index}`,
        assetId: id,
        titles: { fra: 'Le « Musoir » \\ l’été' },
      })),
    )
    const at = async (milliseconds: number) => {
      service.clock.advance(milliseconds)
      const { items, counts } = (await ask({ term: 'musoir', type: 'movies' })).result
      service.clock.advance(-milliseconds)
      const starts = items[0]?.usedIn.epg.map(({ startutc }) => startutc - NOON / 1000)
      return { starts, lives: counts.lives, programs: counts.programs }
    }
    // The channel of that name is always live.
    expect(await at(3_600_122)).toEqual({ starts: [3600, 7200], lives: 1, programs: 1 })
    expect(await at(3_600_123)).toEqual({ starts: [3600, 7200], lives: 2, programs: 1 })
    expect(await at(5_400_456)).toEqual({ starts: [3600, 7200], lives: 2, programs: 1 })
    expect(await at(5_400_457)).toEqual({ starts: [7200], lives: 1, programs: 1 })
    expect(await at(9_000_000)).toEqual({ starts: [7200], lives: 2, programs: 1 })
    expect(await at(9_000_001)).toEqual({ starts: [], lives: 1, programs: 0 })
  })

  it('finds a genre by its name in the language of the search, as soon as the name is known', async () => {
    const { id } = await build.asset('La Cale', { genres: ['Marine'] })
    const inEnglish = async (fields: Record<string, string>) => {
      const query = new URLSearchParams({ ...fields, languageId: 'eng' })
      const answer = (await service.app.inject(`/cms/search?${query}`)).json()
      return answer.result.items.map(
        ({ item }: { item: { payload: { idAsset?: number } } }) => item.payload.idAsset,
      )
    }
    expect(await inEnglish({ term: 'nautical' })).toEqual([])
    await service.context.db.insert(categories).values({
      kind: 'category',
      sourceKey: 'genre:Marine',
      names: { fra: 'Marine', eng: 'Nautical' },
    })
    expect(await inEnglish({ term: 'nautical' })).toEqual([id])
    expect(await inEnglish({ term: 'Nautical', searchBy: 'AD_LIGENRES' })).toEqual([id])
    expect(await titles({ term: 'marine', searchBy: 'AD_LIGENRES' })).toEqual(['La Cale'])
  })

  it('V2.1-18 finds films and series by any name of their genre, even without a category of it', async () => {
    const series = await build.series('Les Nuits blanches')
    const { db } = service.context
    await db
      .update(categories)
      .set({ genres: ['Poésie'] })
      .where(eq(categories.id, series.id))
    await build.asset('Aurore', { kind: 'episode', serieId: series.id })
    await build.asset('Vers libres', { genres: ['Poésie'] })
    const both = ['Les Nuits blanches', 'Vers libres']
    for (const term of ['poésie', 'Poetry', 'POESIE'])
      expect((await titles({ term, searchBy: 'AD_LIGENRES' })).toSorted()).toEqual(both)
    expect((await titles({ filter: { AD_LIGENRES: 'Poetry' } })).toSorted()).toEqual(both)
    expect((await titles({ term: 'poetry' })).toSorted()).toEqual(both)
    expect(await titles({ term: 'verse', searchBy: 'AD_LIGENRES' })).toEqual([])
  })

  it('finds articles and pages of the storefront by title, keywords and text, except drafts and texts hidden from a child', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    const write = async (name: string, front: string, body: string) =>
      await writeFile(join(folder, name), `---\n${front}\n---\n\n${body}\n`)
    await write('quille.fra.md', 'title: La quille', 'On carène un **vieux gréement**.')
    await write('quille.eng.md', 'title: The keel\nslug: quille', 'An old rigging is careened.')
    await write('chantier.fra.md', 'title: Le chantier\nkeywords: [gréement]', 'Rien que du bois.')
    await write('brouillon.fra.md', 'title: Brouillon\ndraft: true', 'Un gréement de plus.')
    await write('adultes.fra.md', 'title: Le soir\nlevel: 5', 'Le gréement flambe.')
    await write(
      'glace.fra.md',
      'title: La glace',
      'Les glaciers font peu de bruit. Le vent du nord reste froid.',
    )
    await write('poule.fra.md', 'title: La poule\nkeywords: [Lorn]', 'Elle pond.')
    const { storefronts } = service.context
    const { signal } = new AbortController()
    const found = async (term: string, tokens: Tokens = {}) =>
      (await ask({ term }, tokens)).result.articles.map(({ title }) => title)
    // This search caches the words that exist before the import.
    expect(await found('greement')).toEqual([])
    const done = await importEditorial(service.context, folder, { storefront: storefronts.first(), signal })
    expect(done.problems).toEqual([])
    const [best, ...others] = await found('greement')
    expect([best, ...others.toSorted()]).toEqual(['Le chantier', 'La quille', 'Le soir'])
    expect(await found('gréements')).toContain('La quille')
    expect(await found('grement')).toContain('La quille')
    expect(await found('greement', child.tokens)).toEqual(['Le chantier', 'La quille'])
    expect(await found('carène bois')).toEqual([])
    // "carene" is right, although only an article contains it, and the title "La Carine" has a similar word.
    const similar = await build.asset('La Carine')
    for (const page of [1, 2])
      expect((await ask({ term: 'carene', page })).result).toMatchObject({ items: [], correction: null })
    expect(await found('carene')).toEqual(['La quille'])
    // An article with both words far apart is no proof that the viewer means "font" and "froid".
    const cold = (await ask({ term: 'font froid' })).result
    expect(cold).toMatchObject({
      items: [{ item: { payload: { title: 'Front froid' } } }],
      correction: 'front froid',
      articles: [{ title: 'La glace' }],
    })
    // An article about both words is one, although "poule" is similar to "houle".
    const about = (await ask({ term: 'poule lorn' })).result
    expect(about).toMatchObject({ items: [], correction: null, articles: [{ title: 'La poule' }] })
    // A child does not see the only article with "flambe". For the child, the word is like a misspelt one.
    const flame = await build.asset('La Flamme')
    expect((await ask({ term: 'flambe' })).result.correction).toBeNull()
    expect((await ask({ term: 'flambe' }, child.tokens)).result.correction).toBe('flamme')
    for (const each of [similar, flame]) await service.context.db.delete(assets).where(eq(assets.id, each.id))
    const { result } = await ask({ term: 'quille' })
    expect(result).toMatchObject({ items: [], popular: [], counts: { all: 0, articles: 1 } })
    expect(result.articles[0]).toMatchObject({ title: 'La quille', detailRoute: '/read/articles/quille' })
    expect((await ask({ term: 'quille', page: 2 })).result.articles).toEqual([])
    const english = await service.app.inject('/cms/search?term=rigging&languageId=eng')
    expect(english.json().result.articles.map(({ title }: { title: string }) => title)).toEqual(['The keel'])
    // In English, a text with an English version is found only by its English words. Any other text is found
    // by its own words.
    const inEnglish = await service.app.inject('/cms/search?term=greement&languageId=eng')
    expect(inEnglish.json().result.articles.map(({ title }: { title: string }) => title)).toEqual([
      'Le chantier',
      'Le soir',
    ])
    await rebuildIndex(service.context.db)
    expect(await found('greement')).toHaveLength(3)
    // A title with the same word is found too. Titles and articles are counted separately.
    const { id } = await build.asset('Le Gréement')
    for (const type of ['all', 'articles', 'movies'] as const) {
      const narrowed = await ask({ term: 'greement', type })
      expect(narrowed.result.counts).toMatchObject({ all: 1, movies: 1, articles: 3 })
      expect(narrowed.result.items).toHaveLength(type === 'articles' ? 0 : 1)
      expect(narrowed.result.articles).toHaveLength(3)
    }
    expect((await ask({ term: 'greement', type: 'articles' }, child.tokens)).result.counts.articles).toBe(2)
    expect((await ask({ filter: { AD_LIGENRES: 'Drame', type: 'articles' } })).result).toMatchObject({
      items: [],
      articles: [],
      counts: { articles: 0 },
    })
    await service.context.db.delete(assets).where(eq(assets.id, id))
    await write('chantier.fra.md', 'title: Le chantier\nkeywords: [gréement]', 'Rien que du chanvre.')
    await rm(join(folder, 'quille.fra.md'))
    await importEditorial(service.context, folder, { storefront: storefronts.first(), signal })
    expect(await found('greement')).toEqual(['Le chantier', 'Le soir'])
    expect(await found('chanvre greement')).toEqual(['Le chantier'])
    expect(await found('bois')).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('can be rebuilt', async () => {
    const { db } = service.context
    const before = await titles({ term: 'houle' })
    await db.execute(sql`delete from search_documents`)
    expect(await titles({ term: 'houle' })).toEqual([])
    expect(await rebuildIndex(db)).toBeGreaterThan(10)
    expect(await titles({ term: 'houle' })).toEqual(before)
  })
})
