import { hierarchy, listContent } from '@ondine/contract/catalogue'
import type { Category } from '@ondine/contract/entities'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { ensureCategory } from '../../content/library/catalogue-entries.ts'
import { assetCategories, categories, images } from './titles.table.ts'

/** A key, the change, and the expected reason for the refusal. */
const REFUSED: [string, Record<string, string | boolean>, string][] = [
  ['films', { under: 'nothing' }, 'There is no category nothing.'],
  ['films', { under: 'series:Le Métier' }, 'There is no category series:Le Métier.'],
  ['series:Le Métier', { under: 'films' }, 'its import decides its place'],
  ['ring', { under: 'ring', name: 'Anneau' }, 'There is no category ring.'],
  ['outer', { under: 'outer' }, 'outer cannot be moved into itself'],
  ['outer', { under: 'inner' }, 'outer cannot be moved into itself'],
  ['fresh', {}, 'A new one needs a name.'],
  ['films', {}, 'Give a name, a parent or a position.'],
  ['a b', { name: 'Espace' }, 'A key has'],
  ['genre:Dramme', { under: 'films' }, 'Only imports make such keys.'],
  ['genre:Dramme', { name: 'Dramme' }, 'Only imports make such keys.'],
  ['series', { name: 'Séries' }, 'Only imports make such keys.'],
  ['series:Foo', { name: 'Foo' }, 'Only imports make such keys.'],
  ['films', { name: ' ' }, '--name is empty.'],
  ['films', { name: 'Films', language: 'klingon' }, '--language'],
  ['films', { position: '-1' }, '--position'],
  ['films', { top: true, under: 'moods' }, 'contradict'],
]

describe.each(MAIN_DB)('the tree of categories, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    await service.context.db.insert(categories).values([
      { kind: 'category', sourceKey: 'films', names: { fra: 'Films', eng: 'Films' } },
      { kind: 'category', sourceKey: 'genre:Drame', names: { fra: 'Drame', eng: 'Drama' }, position: 10 },
      { kind: 'series', sourceKey: 'series:Le Métier', names: { fra: 'Le Métier' }, position: 20 },
    ])
    const build = buildersOf(service.context)
    const { id } = await build.asset('La Houle')
    for (const key of ['films', 'genre:Drame']) await fill(key, id)
    await build.asset('La trame', { kind: 'episode', serieId: await idOf('series:Le Métier') })
  })
  afterAll(async () => await service.remove())

  const put = async (key: string, options: Record<string, string | boolean>) =>
    await runCommand(service, 'categories put', [key], options)
  const remove = async (key: string) => await runCommand(service, 'categories remove', [key])

  async function idOf(key: string): Promise<number> {
    const [row] = await service.context.db.select().from(categories).where(eq(categories.sourceKey, key))
    if (!row) throw new Error(`There is no category ${key}.`)
    return row.id
  }

  /** Puts a title into a category, as an import does. @returns the category's id */
  async function fill(key: string, assetId: number): Promise<number> {
    const categoryId = await idOf(key)
    await service.context.db.insert(assetCategories).values({ categoryId, assetId })
    return categoryId
  }

  /**
   * Returns the tree of categories in a viewer's answer, as text: each name is followed by its children in
   * brackets.
   */
  async function tree(language: string, tokens: Tokens = {}): Promise<string> {
    const drawn = (rows: readonly Category[]): string =>
      rows
        .map(({ name, categories: within }) => (within.length > 0 ? `${name}(${drawn(within)})` : name))
        .join(' ')
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/hierarchy',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...tokens },
      payload: new URLSearchParams({ languageId: language }).toString(),
    })
    return drawn(answer.json<{ result: Category[] }>().result)
  }

  it('V7-04 an operator creates, nests and orders categories, and imports leave them in place', async () => {
    await put('moods', { name: 'Humeurs', position: '5' })
    await put('moods', { name: 'Moods', language: 'eng' })
    await put('tender', { name: 'Tendre', under: 'moods', position: '11' })
    await put('genre:Drame', { under: 'moods' })
    await fill('tender', (await buildersOf(service.context).asset('Récif')).id)
    expect(await tree('fra')).toBe('Films Humeurs(Drame Tendre) Le Métier')
    expect(await tree('eng')).toBe('Films Moods(Drama Tendre) Le Métier')
    expect(await runCommand(service, 'categories list')).toContain(
      '  genre:Drame (eng: Drama, fra: Drame; 10)',
    )

    await put('genre:Drame', { position: '12', name: 'Drames' })
    await service.context.db.transaction(
      async (tx) => await ensureCategory(tx, 'genre:Drame', { fra: 'Drame' }, 10),
    )
    expect(await tree('fra')).toBe('Films Humeurs(Tendre Drames) Le Métier')

    await put('genre:Drame', { top: true })
    expect(await tree('fra')).toBe('Films Humeurs(Tendre) Drames Le Métier')
  })

  it.each(REFUSED)('refuses to put %s with %o', async (key, options, reason) => {
    await put('outer', { name: 'Dehors' })
    await put('inner', { name: 'Dedans', under: 'outer' })
    const before = await runCommand(service, 'categories list')
    await expect(put(key, options)).rejects.toThrow(reason)
    expect(await runCommand(service, 'categories list')).toBe(before)
  })

  it('removes an empty category, whoever created it', async () => {
    const list = async () => await runCommand(service, 'categories list')
    await put('shelf', { name: 'Étagère' })
    await put('box', { name: 'Boîte', under: 'shelf' })
    await expect(remove('shelf')).rejects.toThrow('shelf is not empty.')
    await remove('box')
    await remove('shelf')
    expect(await list()).not.toContain('Étagère')
    await expect(remove('shelf')).rejects.toThrow('There is no category shelf.')
    await expect(remove('films')).rejects.toThrow('films is not empty.')
    await expect(remove('series:Le Métier')).rejects.toThrow('comes from an import.')

    const make = async () =>
      await service.context.db.transaction(
        async (tx) => await ensureCategory(tx, 'genre:Mer', { fra: 'Mer' }, 11),
      )
    await make()
    await remove('genre:Mer')
    expect(await list()).not.toContain('genre:Mer')
    await make()
    expect(await list()).toContain('genre:Mer')
  })

  it('keeps a genre that only series have, because searches find them by its names', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const series = await build.series('Les Quais')
    await build.asset('La grue', { kind: 'episode', serieId: series.id })
    const carry = async (genres: string[]) =>
      await db.update(categories).set({ genres }).where(eq(categories.id, series.id))
    await carry(['Marine'])
    await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'genre:Marine', names: { fra: 'Marine' } })
    await put('genre:Marine', { name: 'Nautical', language: 'eng' })
    const found = async () => {
      const answer = await service.app.inject('/cms/search?term=nautical&languageId=eng')
      return answer.json<{ result: { items: unknown[] } }>().result.items.length
    }
    expect(await found()).toBe(1)
    await expect(remove('genre:Marine')).rejects.toThrow('Titles have the genre Marine')
    expect(await found()).toBe(1)

    await carry([])
    await remove('genre:Marine')
    await carry(['Marine'])
    expect(await found()).toBe(0)
    // Deleting the category directly in the database must also remove its names from the search index.
    await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'genre:Marine', names: { eng: 'Nautical' } })
    expect(await found()).toBe(1)
    await db.delete(categories).where(eq(categories.sourceKey, 'genre:Marine'))
    expect(await found()).toBe(0)
    await db.delete(categories).where(eq(categories.id, series.id))
  })

  it('V7-04 orders categories of equal position by their names, in each language', async () => {
    const { id } = await buildersOf(service.context).asset('Sables')
    await put('order', { name: 'Ordre', position: '40' })
    for (const [key, name, english] of [
      ['order-tale', 'Récit', 'Account'],
      ['order-play', 'Écume', 'Foam'],
      ['order-last', 'Fin', 'The end'],
    ] as const) {
      await put(key, { name, under: 'order' })
      await put(key, { name: english, language: 'eng' })
      await fill(key, id)
    }
    expect(await tree('fra')).toMatch(/Ordre\(Écume Fin Récit\)$/)
    expect(await tree('eng')).toMatch(/Ordre\(Account Foam The end\)$/)
    // The operator's order takes precedence.
    await put('order-play', { position: '3' })
    expect(await tree('fra')).toMatch(/Ordre\(Fin Récit Écume\)$/)
  })

  it('V3-06 categories with one common title get different pictures: its background, then its thumbnail, and no upright one', async () => {
    const { db } = service.context
    const [wide, thumbnail, upright] = ['c', 'd', 'e'].map((letter) => letter.repeat(32)) as [
      string,
      string,
      string,
    ]
    await db.insert(images).values([
      { id: wide, width: 1920, height: 1080, color: '#112233' },
      { id: thumbnail, width: 1280, height: 720, color: '#445566' },
      { id: upright, width: 1000, height: 1500, color: '#778899' },
    ])
    const { id } = await buildersOf(service.context).asset('Première neige', {
      backgroundImage: wide,
      portraitImage: upright,
      thumbnailImage: thumbnail,
    })
    const own: number[] = []
    for (const [key, name] of [
      ['romance', 'Romance'],
      ['comedy', 'Comédie'],
      ['winter', 'Hiver'],
    ] as const) {
      await put(key, { name, position: '50' })
      own.push(await fill(key, id))
    }
    const { result } = await service.call(hierarchy, {})
    const shown = result
      .filter(({ idCatalog }) => own.includes(idCatalog))
      .map(({ images: of }) => of.default?.color)
    expect(shown).toHaveLength(3)
    expect(new Set(shown)).toEqual(new Set(['#112233', '#445566']))
  })

  it('V7-04 A6-05 shows a category to viewers who may see something in it or below it, in the tree and in lists', async () => {
    const build = buildersOf(service.context)
    const child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    await put('nights', { name: 'Nuits', position: '60' })
    await put('horror', { name: 'Horreur', under: 'nights' })
    await put('tales', { name: 'Contes', under: 'nights', position: '1' })
    await put('bare', { name: 'Vide', under: 'nights', position: '2' })
    const idHorror = await fill('horror', (await build.asset('La Cave', { moralityLevel: 5 })).id)
    expect(await tree('fra')).toMatch(/ Nuits\(Horreur\)$/)
    expect(await tree('fra', child.tokens)).not.toContain('Nuits')

    await fill('tales', (await build.asset('Le Renard')).id)
    expect(await tree('fra')).toMatch(/ Nuits\(Horreur Contes\)$/)
    expect(await tree('fra', child.tokens)).toMatch(/ Nuits\(Contes\)$/)
    const [nights] = await service.context.db
      .select()
      .from(categories)
      .where(eq(categories.sourceKey, 'nights'))
    const within = async (id: number, tokens: Tokens = {}) =>
      (await service.call(listContent, { id }, tokens)).result.map((item) =>
        item.type === 'asset' ? item.payload.title : item.payload.name,
      )
    expect(await within(nights?.id ?? 0)).toEqual(['Horreur', 'Contes'])
    expect(await within(nights?.id ?? 0, child.tokens)).toEqual(['Contes'])
    expect(await within(idHorror, child.tokens)).toEqual([])
  })
})
