import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PUBLICATION_PATH, type PublicationAnswer, publicationQuery } from '@ondine/contract/publication'
import {
  menusHistory,
  readMenus,
  replaceMenus,
  restoreMenus,
  undoMenus,
} from '@ondine/contract/publication-calls'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { assetCategories, categories } from '../../inventory/titles/titles.table.ts'
import { accountToken } from '../../people/sign-in/tokens.ts'
import { importEditorial } from '../editorial/editorial-import.service.ts'

describe.each(MAIN_DB)('the publication, on a database of kind %s', (kind) => {
  let service: TestService
  let bearer: string
  let asOperator: Tokens

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    bearer = `Bearer ${service.context.storefronts.first().apiKey}`
    asOperator = (await buildersOf(service.context).operator()).tokens
    const { db } = service.context
    const rows = await db
      .insert(categories)
      .values([
        { kind: 'category', sourceKey: 'films', names: { fra: 'Films', eng: 'Films' }, position: 0 },
        { kind: 'category', sourceKey: 'series', names: { fra: 'Séries', eng: 'Series' }, position: 1 },
        { kind: 'category', sourceKey: 'genre:Drame', names: { fra: 'Drame', eng: 'Drama' }, position: 2 },
      ])
      .returning()
    const { id } = await buildersOf(service.context).asset('La Houle')
    await db.insert(assetCategories).values(rows.map((row) => ({ categoryId: row.id, assetId: id })))
  })
  afterAll(async () => await service.remove())

  async function ask(body: unknown, headers: Record<string, string> = { authorization: bearer }) {
    const answer = await service.app.inject({
      method: 'POST',
      url: PUBLICATION_PATH,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.statusCode, answer: answer.json<PublicationAnswer>() }
  }

  it('V2.4-10 links to texts of the operator only if they exist', async () => {
    const references = async () => {
      const { answer } = await ask({ query: publicationQuery('fra') })
      return answer.data?.publication.footer.flatMap(({ content }) =>
        content.map(({ reference }) => reference),
      )
    }
    const texts = ['page/help', 'page/faq', 'page/terms', 'page/privacy', 'legal', 'articles']
    const linked = async () => {
      const known = await references()
      return texts.filter((reference) => known?.includes(reference))
    }
    expect(await linked()).toEqual([])
    const folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    const text = (title: string) => `---\ntitle: ${title}\n---\n\n## Qui ?\n\nNous.\n`
    for (const path of [
      'page/help',
      'page/terms',
      'page/privacy',
      'page/legal',
      'faq/aide',
      'articles/mer',
    ]) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, `${path}.fra.md`), text('Mentions'))
    }
    const { storefronts } = service.context
    const { signal } = new AbortController()
    await importEditorial(service.context, folder, { storefront: storefronts.first(), signal })
    expect(await linked()).toEqual(texts)
    await rm(folder, { recursive: true })
  })

  it('V7-33 V3-01 returns header and footer in the requested language', async () => {
    const french = await ask({ query: publicationQuery('fra') })
    expect(french.status).toBe(200)
    const { header = [], footer = [] } = french.answer.data?.publication ?? {}
    expect(header[0]).toEqual({ title: 'Accueil', reference: '/', image: '', content: [] })
    expect(header.find(({ title }) => title === 'Guide')).toMatchObject({ reference: 'epg' })
    for (const entry of [...header, ...footer])
      for (const link of entry.content)
        expect(Object.keys(link)).toEqual(['id', 'title', 'reference', 'image'])
    expect(footer.flatMap(({ content }) => content.map(({ title }) => title))).toContain('Guide')

    const english = await ask({ query: publicationQuery('eng') })
    expect(english.answer.data?.publication.header[0]?.title).toBe('Home')
  })

  it('V7-33 requires the bearer of a storefront', async () => {
    const query = publicationQuery('fra')
    expect((await ask({ query }, {})).status).toBe(401)
    expect((await ask({ query }, { authorization: 'Bearer nobody' })).status).toBe(401)
    expect((await ask({ query }, { authorization: 'Basic b25kaW5lOg==' })).status).toBe(401)
  })

  it.each([
    ['no query', {}],
    ['a query that is not a text', { query: 12 }],
    ['a list', []],
    ['no GraphQL', { query: '{{{' }],
    ['a field that there is not', { query: '{ accounts { email } }' }],
    ['the schema itself', { query: '{ __schema { types { name } } }' }],
    ['an unknown language', { query: '{ publication(language: "xxx") { header { title } } }' }],
    ['a query that is too long', { query: `{ ${'a'.repeat(3000)} }` }],
    [
      'more fields than anybody needs',
      {
        query: `{ ${Array.from({ length: 60 }, (_, i) => `a${i}: publication(language: "fra") { header { title } }`).join(' ')} }`,
      },
    ],
    ['a mutation', { query: 'mutation { publication(language: "fra") { header { title } } }' }],
  ])('refuses %s, and reveals no internals', async (_what, body) => {
    const { status, answer } = await ask(body)
    expect(status).toBe(400)
    expect(answer.errors?.[0]?.message).toBeTruthy()
    expect(JSON.stringify(answer)).not.toMatch(/    at |node_modules|Did you mean/)
  })

  it('refuses a body that is not JSON', async () => {
    expect((await ask('{')).status).toBe(400)
  })

  it('V3-01 shows the articles that an operator publishes, separately for each language, until they are withdrawn', async () => {
    const link = { id: '1', title: 'Nouveautés', reference: 'page/nouveau', image: '/images/x' }
    const header = [{ title: 'Cinéma', reference: 'assets', image: 'film', content: [link] }]
    const set = { fra: { header, footer: [] } }
    const published = await service.call(
      replaceMenus,
      { revision: 0, document: set, reason: 'Autumn' },
      asOperator,
    )
    expect(published).toMatchObject({ status: 200, result: { revision: 1 } })
    expect((await ask({ query: publicationQuery('fra') })).answer.data?.publication).toEqual({
      header,
      footer: [],
    })
    const english = await ask({ query: publicationQuery('eng') })
    expect(english.answer.data?.publication.header[0]?.title).toBe('Home')

    const stale = await service.call(replaceMenus, { revision: 0, document: {}, reason: '' }, asOperator)
    expect(stale.status).toBe(409)
    expect((await service.call(undoMenus, { revision: 1, reason: '' }, asOperator)).status).toBe(200)
    expect((await ask({ query: publicationQuery('fra') })).answer.data?.publication.header[0]?.title).toBe(
      'Accueil',
    )
    expect((await service.call(restoreMenus, { revision: 2, to: 1, reason: '' }, asOperator)).status).toBe(
      200,
    )
    expect((await service.call(readMenus, {}, asOperator)).result).toMatchObject({ revision: 3, set })
    const { result: history } = await service.call(menusHistory, { before: 100, count: 10 }, asOperator)
    expect(history.map(({ revision, reason }) => [revision, reason]).at(-1)).toEqual([1, 'Autumn'])
    await service.call(undoMenus, { revision: 3, reason: '' }, asOperator)
  })

  const entry = { title: 'Ailleurs', reference: '/' }
  it.each([
    ['fra.header.0.reference', { fra: { header: [{ ...entry, reference: 'javascript:alert(1)' }] } }],
    ['fra.header.0.reference', { fra: { header: [{ ...entry, reference: 'data:text/html,x' }] } }],
    ['fra.header.0.image', { fra: { header: [{ ...entry, image: 'javascript:alert(1)' }] } }],
    ['fra.header.0.image', { fra: { header: [{ ...entry, image: 'No Icon' }] } }],
    ['fra.header.0.image', { fra: { header: [{ ...entry, image: '../film' }] } }],
    ['fra.header.0.title', { fra: { header: [{ ...entry, title: ' ' }] } }],
    ['fra.header.0.title', { fra: { header: [{ reference: '/' }] } }],
    ['fra.footer.0.content.0.title', { fra: { footer: [{ ...entry, content: [{ reference: '/' }] }] } }],
    ['fra.header', { fra: { header: 'Accueil' } }],
    ['fra', { fra: { headers: [] } }],
    ['xxx', { xxx: { header: [] } }],
  ])('refuses menus with a fault at %s', async (path, document) => {
    const { revision } = (await service.call(readMenus, {}, asOperator)).result
    const answer = await service.call(replaceMenus, { revision, document, reason: '' }, asOperator)
    expect(answer.status).toBe(400)
    expect(answer.error.details?.fields?.map(({ field }) => field)).toContain(path)
  })

  it('A6-05 links a child only to categories that are not empty for it, and nobody to an empty one', async () => {
    const { db, connection } = service.context
    const build = buildersOf(service.context)
    const child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const make = async (name: string, position: number) => {
      const row = { kind: 'category' as const, sourceKey: name, names: { fra: name }, position }
      const [made] = await db.insert(categories).values(row).returning()
      return made?.id ?? 0
    }
    const fill = async (categoryId: number, title: string, moralityLevel: number) => {
      const { id: assetId } = await build.asset(title, { moralityLevel })
      await db.insert(assetCategories).values({ categoryId, assetId })
    }
    /** Adds a series that has one episode. */
    const fillWithSeries = async (parentId: number, name: string, moralityLevel: number) => {
      const { id } = await build.series(name)
      await db.update(categories).set({ parentId }).where(eq(categories.id, id))
      await build.asset(`${name} 1`, { kind: 'episode', serieId: id, moralityLevel })
    }
    await fillWithSeries(await make('Feuilletons', 2), 'Le Métier', 0)
    await fill(await make('Horreur', 10), 'La Cave', 5)
    await fillWithSeries(await make('Nuits', 11), 'Les Ombres', 5)
    await fillWithSeries(await make('Contes', 12), 'Le Renard', 0)
    await make('Vide', 13)
    await connection.changes.settled()

    const names = async (headers: Record<string, string>) => {
      const { answer } = await ask({ query: publicationQuery('fra') }, { authorization: bearer, ...headers })
      return answer.data?.publication.header.flatMap(({ title, content }) => [
        title,
        ...content.map((link) => link.title),
      ])
    }
    const main = ['Accueil', 'Films', 'Feuilletons', 'Direct', 'Guide', 'Ma liste', 'Genres']
    const around = (...genres: string[]) => [...main, ...genres]
    const all = around('Séries', 'Drame', 'Horreur', 'Nuits', 'Contes')
    expect(await names({})).toEqual(all)
    const own = around('Séries', 'Drame', 'Contes')
    expect(await names(child.tokens)).toEqual(own)
    const { 'x-auth-token': account, 'x-profile-token': profile } = child.tokens
    const cookie = `ondine_account=${account}; ondine_profile=${profile}`
    expect(await names({ cookie })).toEqual(own)
    // A caller with an invalid token counts as not signed in, so that every page still has menus.
    expect(await names({ 'x-auth-token': 'forged' })).toEqual(all)
    const lent = accountToken(service.context.keys, child.account, 600, { isLent: true })
    expect(await names({ 'x-auth-token': lent, 'x-profile-token': profile ?? '' })).toEqual(all)
    expect(await names({})).toEqual(all)
    // An expired token still identifies the viewer, until other calls of the page renew the token.
    service.clock.advance(31 * 86_400_000)
    expect(await names({ cookie })).toEqual(own)
    service.clock.set(NOON)
  })

  it('V2.4-02 a dropdown without room for all categories ends with a link to all of them', async () => {
    const { db, connection } = service.context
    for (let number = 1; number <= 16; number++) {
      const name = `Genre ${String(number).padStart(2, '0')}`
      const row = { kind: 'category' as const, sourceKey: name, names: { fra: name }, position: 100 + number }
      const [made] = await db.insert(categories).values(row).returning()
      const { id: assetId } = await buildersOf(service.context).asset(`Film ${number}`)
      await db.insert(assetCategories).values({ categoryId: made!.id, assetId })
    }
    await connection.changes.settled()
    const { answer } = await ask({ query: publicationQuery('fra') })
    const genres = answer.data?.publication.header.find(({ title }) => title === 'Genres')?.content ?? []
    expect(genres).toHaveLength(16)
    expect(genres.at(-1)).toMatchObject({ title: 'Toutes les rubriques', reference: 'category' })
    expect(genres.some(({ title }) => title === 'Genre 01')).toBe(true)
  })

  it('lists no series, because they are titles', async () => {
    const { answer } = await ask({ query: publicationQuery('fra') })
    expect(JSON.stringify(answer)).not.toContain('series/')
  })
})
