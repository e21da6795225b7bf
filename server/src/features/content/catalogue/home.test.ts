import {
  homeContent,
  listContent,
  type Rail,
  type RailItem,
  type SortOption,
} from '@ondine/contract/catalogue'
import { LAYOUT_KINDS } from '@ondine/contract/configuration-values'
import { addFavoriteAsset, removeFavoriteAsset } from '@ondine/contract/favourites'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { assetCategories, assets, categories, images } from '../../inventory/titles/titles.table.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'

const DAY_MS = 86_400_000

describe.each(MAIN_DB)('home and lists, on a database of kind %s', (kind) => {
  let service: TestService
  let subscriber: Actor
  let child: Actor
  let films: number
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    service = await startTestService(kind)
    const { db } = service.context
    const build = buildersOf(service.context)
    subscriber = await build.actor({ packages: { cinema: {} } })
    child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const picture = { id: 'a'.repeat(32), width: 1920, height: 1080, color: '#112233' }
    await db.insert(images).values(picture)
    const [category] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'films', names: { fra: 'Films', eng: 'Films' } })
      .returning()
    films = category!.id
    for (const [title, fields] of Object.entries({
      Été: { year: 2020, genres: ['Drame'], validFrom: NOON - 40 * DAY_MS },
      abysses: { year: 2024, genres: ['Mer'], validFrom: NOON - 2 * DAY_MS, backgroundImage: picture.id },
      Zone: { year: 2026, genres: ['Drame'], moralityLevel: 5, validFrom: NOON - 60 * DAY_MS },
      'Film 10': { year: 2019, directors: ['Ada Lorn'], validFrom: NOON - 50 * DAY_MS },
      'Film 9': { year: 2025, validFrom: NOON - 45 * DAY_MS, validTo: NOON + 3 * DAY_MS },
    })) {
      const { id } = await build.asset(title, fields)
      ids[title] = id
      await db.insert(assetCategories).values({ categoryId: films, assetId: id })
    }
    await build.channel('Rive', { kind: 'sequence', titles: ['Zone'] })
  })
  afterAll(async () => await service.remove())

  /** Configures the home pages of the first storefront, as an operator does. */
  async function compose(home: Record<string, unknown>) {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const changes = Object.entries(home).map(([path, value]) => ({ path: `home.${path}`, value }))
    await configurations.change(id, configurations.stored(id).revision, changes, {
      author: 'test',
      reason: '',
    })
  }

  async function home(
    input: { type?: 'connected' | 'disconnected' | 'offers' | 'dynamic' } = {},
    who?: Actor,
  ) {
    return (await service.call(homeContent, input, who?.tokens)).result
  }

  function titlesOf(items: readonly RailItem[]): string[] {
    return items.map(({ type, payload }) =>
      type === 'asset' || type === 'recording' ? payload.title : payload.name,
    )
  }

  function titlesIn(rails: readonly Rail[], id: string): string[] {
    return titlesOf(rails.find((rail) => rail.id === id)?.items ?? [])
  }

  it('V3-32 V7-06 returns each type of home page as the operator composed it', async () => {
    const list = (id: string, title: string) => [
      { id, source: 'list', titles: [{ idAsset: ids[title] }], title: { fra: id } },
    ]
    await compose({
      connected: list('mine', 'Été'),
      disconnected: list('yours', 'abysses'),
      offers: list('sold', 'Zone'),
      dynamic: list('moving', 'Film 10'),
    })
    for (const [type, id, title] of [
      ['connected', 'mine', 'Été'],
      ['disconnected', 'yours', 'abysses'],
      ['offers', 'sold', 'Zone'],
      ['dynamic', 'moving', 'Film 10'],
    ] as const) {
      const rails = await home({ type })
      expect(rails.map((rail) => [rail.id, rail.title, titlesOf(rail.items)])).toEqual([[id, id, [title]]])
    }
    expect((await home()).map(({ id }) => id)).toEqual(['yours'])
    expect((await home({}, subscriber)).map(({ id }) => id)).toEqual(['mine'])
  })

  it('V3-53 returns a rail with its layout, title size and picture height', async () => {
    await compose({
      disconnected: LAYOUT_KINDS.map((layout) => ({
        id: layout,
        source: 'category',
        idCatalog: films,
        layout,
        titleSize: 33,
        imageHeight: 480,
      })),
    })
    const rails = await home()
    expect(rails.map(({ layout }) => layout)).toEqual([...LAYOUT_KINDS])
    expect(new Set(rails.map(({ titleSize, imageHeight }) => `${titleSize} ${imageHeight}`))).toEqual(
      new Set(['33 480']),
    )
    expect(rails[0]?.route).toBe(`/category/films-${films}`)
  })

  it('V4-47 V6-01 a rail of favourites contains the profile’s own, the last added first', async () => {
    const rails = [{ id: 'kept', source: 'favorites', limit: 2 }]
    await compose({ connected: rails, disconnected: rails, children: rails })
    expect(await home({}, subscriber)).toEqual([])
    for (const title of ['Été', 'Zone', 'abysses'])
      await service.call(addFavoriteAsset, { idAsset: ids[title]! }, subscriber.tokens)
    const [rail] = await home({}, subscriber)
    expect([rail?.kind, rail?.layout, titlesOf(rail?.items ?? [])]).toEqual([
      'favorites',
      'Cover',
      ['abysses', 'Zone'],
    ])
    await service.call(removeFavoriteAsset, { idAsset: ids.abysses! }, subscriber.tokens)
    expect(titlesIn(await home({}, subscriber), 'kept')).toEqual(['Zone', 'Été'])
    expect(await home()).toEqual([])
    expect(await home({}, child)).toEqual([])
    for (const title of ['Été', 'Zone'])
      await service.call(removeFavoriteAsset, { idAsset: ids[title]! }, subscriber.tokens)
  })

  it('fills rails from a category, a list, a query, new titles and leaving titles, and sends no empty rail', async () => {
    const query = (id: string, fields: object) => ({ id, source: 'query', query: fields })
    await compose({
      disconnected: [
        { id: 'category', source: 'category', idCatalog: films, limit: 2 },
        { id: 'gone', source: 'category', idCatalog: 999_999 },
        {
          id: 'list',
          source: 'list',
          titles: [{ idAsset: ids.Zone }, { idAsset: 999_999 }, { idCatalog: films }],
        },
        query('genre', { genres: ['Drame'] }),
        query('person', { people: ['Ada Lorn'] }),
        query('years', { fromYear: 2024, toYear: 2025 }),
        query('nothing', { genres: ['Western'] }),
        { id: 'new', source: 'new' },
        { id: 'leaving', source: 'leaving' },
        { id: 'continue', source: 'continue' },
      ],
    })
    const rails = await home()
    expect(Object.fromEntries(rails.map(({ id, items }) => [id, titlesOf(items)]))).toEqual({
      category: ['abysses', 'Été'],
      list: ['Zone', 'Films'],
      genre: ['Été', 'Zone'],
      person: ['Film 10'],
      years: ['abysses', 'Film 9'],
      new: ['abysses'],
      leaving: ['Film 9'],
    })
  })

  it('leaves out a rail of new titles that repeats a rail above it', async () => {
    const list = (...titles: (number | undefined)[]) => ({
      id: 'list',
      source: 'list',
      titles: titles.map((idAsset) => ({ idAsset })),
    })
    const fresh = { id: 'new', source: 'new' }
    const shown = async () => (await home()).map(({ id }) => id)
    await compose({ disconnected: [list(ids.abysses), fresh] })
    expect(await shown()).toEqual(['list'])
    await compose({ disconnected: [fresh, list(ids.abysses)] })
    expect(await shown()).toEqual(['new', 'list'])
    await compose({ disconnected: [list(ids.abysses, ids.Zone), fresh] })
    expect(await shown()).toEqual(['list', 'new'])
  })

  it('opens with a title that is ready and has a picture to fill the screen', async () => {
    await compose({
      disconnected: [
        { id: 'hero', source: 'hero', limit: 5 },
        { id: 'all', source: 'category', idCatalog: films },
      ],
    })
    expect(titlesIn(await home(), 'hero')).toEqual(['abysses'])
  })

  it('V4-49 continue watching and the progress on every other rail belong to the profile', async () => {
    const rails = [
      { id: 'continue', source: 'continue' },
      { id: 'all', source: 'category', idCatalog: films },
    ]
    await compose({ connected: rails })
    expect((await home({}, subscriber)).map(({ id }) => id)).toEqual(['all'])
    await storeSeekPositions(service.context.db, [
      { profileId: subscriber.profileId, assetId: ids['Été']!, seconds: 30, updatedAt: NOON },
    ])
    const own = await home({}, subscriber)
    expect(titlesIn(own, 'continue')).toEqual(['Été'])
    const percents = (found: readonly Rail[]) =>
      found.flatMap(({ items }) =>
        items.flatMap((item) =>
          item.type === 'asset' && item.payload.title === 'Été' ? [item.payload.alreadyWatchedInPercent] : [],
        ),
      )
    expect(percents(own)).toEqual([50, 50])
    const list = await service.call(listContent, { id: films }, subscriber.tokens)
    expect(list.result.map((item) => item.type === 'asset' && item.payload.seekTime)).toContain(30)
    const other = await home({ type: 'connected' })
    expect(percents(other)).toEqual([0])
  })

  it('A6-05 shows a child nothing above its level on any composed rail', async () => {
    await compose({
      children: [
        { id: 'list', source: 'list', titles: [{ idAsset: ids.Zone }] },
        { id: 'query', source: 'query', query: { genres: ['Drame'] } },
        { id: 'all', source: 'category', idCatalog: films },
        { id: 'hero', source: 'hero', titles: [{ idAsset: ids.Zone }] },
      ],
    })
    const rails = await home({}, child)
    expect(rails.map(({ id }) => id)).toEqual(['query', 'all'])
    expect(rails.flatMap(({ items }) => titlesOf(items))).not.toContain('Zone')
  })

  it('marks a rail that fails, and still returns the others', async () => {
    await compose({
      disconnected: [
        { id: 'live', source: 'live' },
        { id: 'all', source: 'category', idCatalog: films },
      ],
    })
    const { channels } = service.context.catalogue
    const items = channels.items
    channels.items = async () => await Promise.reject(new Error('no database'))
    const broken = await home()
    channels.items = items
    expect(broken.map(({ id, failed, items: found }) => [id, failed, found.length])).toEqual([
      ['live', true, 0],
      ['all', false, 5],
    ])
    expect((await home()).map(({ id, failed }) => [id, failed])).toEqual([
      ['live', false],
      ['all', false],
    ])
  })

  it('shows changes at once, and titles that start or end by the clock', async () => {
    await compose({ disconnected: [{ id: 'all', source: 'category', idCatalog: films }] })
    const { db } = service.context
    await db
      .update(assets)
      .set({ titles: { fra: 'Hiver' } })
      .where(eq(assets.id, ids['Été']!))
    expect(titlesIn(await home(), 'all')).toContain('Hiver')
    await db
      .update(assets)
      .set({ titles: { fra: 'Été' } })
      .where(eq(assets.id, ids['Été']!))
    service.clock.set(NOON + 3 * DAY_MS)
    expect(titlesIn(await home(), 'all')).not.toContain('Film 9')
    service.clock.set(NOON)
    expect(titlesIn(await home(), 'all')).toContain('Film 9')
  })

  it('V3-54 sorts lists by title up and down, by publication, at random, or in the operator’s order', async () => {
    const sorted = async (fields: { sort: SortOption; shuffle?: number }) =>
      titlesOf((await service.call(listContent, { id: films, ...fields })).result)
    const up = ['abysses', 'Été', 'Film 9', 'Film 10', 'Zone']
    expect(await sorted({ sort: 'ascendant' })).toEqual(up)
    expect(await sorted({ sort: 'descendant' })).toEqual(up.toReversed())
    expect(await sorted({ sort: 'publication-date' })).toEqual([
      'abysses',
      'Été',
      'Film 9',
      'Film 10',
      'Zone',
    ])
    const shuffles = await Promise.all(
      Array.from({ length: 8 }, async (_, shuffle) => await sorted({ sort: 'random', shuffle })),
    )
    for (const shuffle of shuffles) expect(shuffle.toSorted()).toEqual(up.toSorted())
    expect(new Set(shuffles.map(String)).size).toBeGreaterThan(3)
    expect(await sorted({ sort: 'random', shuffle: 5 })).toEqual(shuffles[5])
  })

  it('returns lists in parts, in one order, and the whole catalogue without a category', async () => {
    const part = async (offset: number) =>
      titlesOf((await service.call(listContent, { id: films, sort: 'ascendant', offset, limit: 2 })).result)
    expect([await part(0), await part(2), await part(4), await part(6)]).toEqual([
      ['abysses', 'Été'],
      ['Film 9', 'Film 10'],
      ['Zone'],
      [],
    ])
    expect(titlesOf((await service.call(listContent, {})).result)).toHaveLength(5)
  })

  it.each([
    ['sort', { sort: 'sideways' }],
    ['limit', { limit: '0' }],
    ['limit', { limit: '501' }],
    ['offset', { offset: '-1' }],
    ['shuffle', { shuffle: '16' }],
    ['id', { id: '0' }],
    ['id', { id: 'films' }],
  ])('refuses a wrong %s', async (field, fields) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/listContent',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details.fields[0].field).toBe(field)
  })

  it.each([
    ['of 400 characters', 'M'.repeat(400)],
    ['of one letter', 'M'],
    ['from right to left', 'البحر الأزرق'],
    ['with markup', '<script>alert(1)</script>'],
  ])('accepts a title %s unchanged', async (_, title) => {
    const { db } = service.context
    await db
      .update(assets)
      .set({ titles: { fra: title } })
      .where(eq(assets.id, ids.Zone!))
    const { result } = await service.call(listContent, { id: films })
    expect(titlesOf(result)).toContain(title)
  })

  it('V3-32 shows no series without an episode that the viewer may see', async () => {
    const { db, connection } = service.context
    const make = buildersOf(service.context)
    const series = await make.series('Grand large')
    const { id } = await make.asset('Escale', { kind: 'episode', serieId: series.id, moralityLevel: 5 })
    const kept = await service.call(addFavoriteAsset, { idCategory: series.id }, subscriber.tokens)
    expect(kept.status).toBe(200)
    const query = { kind: 'series', genres: [], people: [] }
    const rails = [
      { id: 'listed', source: 'list', titles: [{ idCatalog: series.id }] },
      { id: 'asked', source: 'query', query },
      { id: 'kept', source: 'favorites' },
    ]
    await compose({ connected: rails, children: rails })
    const railsOf = async (who: Actor) =>
      (await home({}, who)).filter(({ items }) => titlesOf(items).includes('Grand large')).map(({ id }) => id)
    expect([await railsOf(subscriber), await railsOf(child)]).toEqual([['listed', 'asked', 'kept'], []])
    await db.update(assets).set({ availability: 'withdrawn' }).where(eq(assets.id, id))
    await connection.changes.settled()
    expect([await railsOf(subscriber), await railsOf(child)]).toEqual([[], []])
    await db.delete(categories).where(eq(categories.id, series.id))
  })

  it('V3-32 V6-03 a series opens home with the episode that its button plays; other rails show no episode', async () => {
    const build = buildersOf(service.context)
    const series = await build.series('Encre')
    const picture = 'a'.repeat(32)
    await service.context.db
      .update(categories)
      .set({ backgroundImage: picture })
      .where(eq(categories.id, series.id))
    const episode = async (episodeNumber: number) =>
      (
        await build.asset(`Encre ${episodeNumber}`, {
          kind: 'episode',
          serieId: series.id,
          seasonNumber: 1,
          episodeNumber,
        })
      ).id
    const first = await episode(1)
    const second = await episode(2)
    const titles = [{ idCatalog: series.id }]
    const rails = [
      { id: 'hero', source: 'hero', titles },
      { id: 'slides', source: 'list', titles, layout: 'FullScreen' },
      { id: 'covers', source: 'list', titles, layout: 'Cover' },
    ]
    await compose({ connected: rails })
    const resumes = async (who?: Actor) =>
      (await home({ type: 'connected' }, who)).map(({ id, items: [item] }) => [
        id,
        item?.type === 'category' ? item.payload.resume?.idAsset : 'no series',
      ])
    const none = rails.map(({ id }) => [id, undefined])
    const unbegun = [
      ['hero', first],
      ['slides', first],
      ['covers', undefined],
    ]
    expect(await resumes(subscriber)).toEqual(unbegun)
    await storeSeekPositions(service.context.db, [
      { profileId: subscriber.profileId, assetId: second, seconds: 30, updatedAt: NOON },
    ])
    const begun = [
      ['hero', second],
      ['slides', second],
      ['covers', undefined],
    ]
    expect(await resumes(subscriber)).toEqual(begun)
    expect(await resumes()).toEqual(none)
    expect(await resumes(subscriber)).toEqual(begun)
  })
})
