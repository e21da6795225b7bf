import type { Asset } from '@ondine/contract/entities'
import { type RelatedExtras, related, search } from '@ondine/contract/search'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { DATABASES, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { keywordOf } from '../../../metadata/keywords.ts'
import { categories } from '../../inventory/titles/titles.table.ts'

describe.each(DATABASES)('related titles, on a database of kind %s', (kind) => {
  let service: TestService
  let child: Actor
  let build: ReturnType<typeof buildersOf>
  let contentId: number

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    build = buildersOf(service.context)
    child = await build.actor({ packages: { cinema: {} }, profile: { kid: true, maximumMoralityLevel: 2 } })
    const film = { actors: ['Ada Lorn'], genres: ['Drame', 'Mer'], year: 2024 }
    contentId = (await build.asset('La Houle', film)).id
    await build.asset('Front froid', { moralityLevel: 4, genres: ['Drame'], actors: ['Ada Lorn'] })
  })
  afterAll(async () => await service.remove())

  it('V7-28 related titles share the facets of the criteria, in the requested number and order', async () => {
    const like = async (extras: Partial<RelatedExtras>, tokens: Tokens = {}) => {
      const { result } = await service.call(
        related,
        {
          contentId,
          contentType: 'asset',
          extras: { criteria: ['genre', 'person'], count: 12, order: 'relevance', ...extras },
        },
        tokens,
      )
      return result.map((item) => (item.type === 'asset' ? item.payload.title : ''))
    }
    await build.asset('Une mer', { genres: ['Mer'], year: 2024 })
    await build.asset('À terre', { actors: ['Ada Lorn'], validFrom: NOON - 86_400_000 })
    expect((await like({})).toSorted()).toEqual(['Front froid', 'Une mer', 'À terre'])
    expect((await like({}))[0]).toBe('Front froid')
    expect(await like({ criteria: ['year'] })).toEqual(['Une mer'])
    expect(await like({ count: 1 })).toEqual(['Front froid'])
    expect(await like({ count: 0 })).toEqual([])
    expect(await like({ order: 'title' })).toEqual(['À terre', 'Front froid', 'Une mer'])
    expect((await like({ order: 'publication-date' }))[0]).toBe('À terre')
    expect(await like({ criteria: [] })).toEqual([])
    // A child sees no related titles above its level.
    expect((await like({}, child.tokens)).toSorted()).toEqual(['Une mer', 'À terre'])
    // Without extras, the storefront's configuration applies: by genre and category.
    const configured = async () =>
      (await service.app.inject(`/cms/search/related?contentId=${contentId}`))
        .json<{ result: { payload: Asset }[] }>()
        .result.map(({ payload }) => payload.title)
    expect(await configured()).toEqual(['Front froid', 'Une mer'])
    const { configurations, storefronts } = service.context
    const storefront = storefronts.first().id
    const set = async (value: RelatedExtras) => {
      const { revision } = configurations.stored(storefront)
      const change = Object.entries(value).map(([field, each]) => ({
        path: `catalogue.related.${field}`,
        value: each,
      }))
      await configurations.change(storefront, revision, change, { author: 'test', reason: '' })
    }
    await set({ criteria: ['person'], count: 12, order: 'title' })
    expect(await configured()).toEqual(['À terre', 'Front froid'])
    await set({ criteria: ['person'], count: 1, order: 'title' })
    expect(await configured()).toHaveLength(1)
  })

  it('V7-28 an episode relates to other titles, not to its own series; tags relate titles too', async () => {
    const series = await build.series('La Criée')
    await service.context.db
      .update(categories)
      .set({ genres: ['Port'] })
      .where(eq(categories.id, series.id))
    const episode = { kind: 'episode' as const, serieId: series.id, seasonNumber: 1, genres: ['Port'] }
    const { id } = await build.asset('À quai', { ...episode, episodeNumber: 1, tags: ['criée'] })
    await build.asset('Le Port', { genres: ['Port'] })
    await build.asset('Le Mareyeur', { tags: ['criée', keywordOf('eng', 'auction')] })
    const like = async (criteria: RelatedExtras['criteria']) => {
      const extras = { criteria, count: 12, order: 'title' as const }
      const { result } = await service.call(related, { contentId: id, contentType: 'asset', extras })
      return result.map(({ payload }) => ('title' in payload ? payload.title : payload.name))
    }
    expect(await like(['genre'])).toEqual(['Le Port'])
    expect(await like(['tag'])).toEqual(['Le Mareyeur'])
    const wish = { term: 'criée', searchBy: 'TAGS' as const, type: 'all' as const }
    const tagged = await service.call(search, { ...wish, count: 50, itemsPerPage: 20, page: 1 })
    expect(JSON.stringify(tagged.result.items)).toContain('Le Mareyeur')
    // Keywords in the reader's language take precedence over keywords without a language.
    const found = async (term: string, languageId: string) => {
      const query = new URLSearchParams({ term, searchBy: 'TAGS', languageId })
      return (await service.app.inject(`/cms/search?${query}`)).json().result.counts.all
    }
    expect([await found('auction', 'eng'), await found('auction', 'fra')]).toEqual([1, 0])
    expect([await found('criée', 'eng'), await found('criée', 'fra')]).toEqual([1, 2])
  })

  it('V7-28 related refuses unknown titles with their code, and invalid extras with their field', async () => {
    const ask = async (fields: Record<string, string>) =>
      (await service.app.inject(`/cms/search/related?${new URLSearchParams(fields)}`)).json().error
    expect((await ask({})).code).toBe(-3010)
    expect((await ask({ contentId: '999999' })).code).toBe(-404)
    expect((await ask({ contentId: '-1' })).details.fields[0].field).toBe('contentId')
    expect((await ask({ contentId: '1', extras: '{"order":"worst"}' })).details.fields[0].field).toBe(
      'extras.order',
    )
    expect((await ask({ contentId: '1', extras: '{"count":1000}' })).details.fields[0].field).toBe(
      'extras.count',
    )
  })
})
