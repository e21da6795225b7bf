import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import { aISummary, type ReviewSummary } from '@ondine/contract/review-summaries'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { copyable, ffmpeg, picture } from '../../../ingest/test-media.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { importLibrary } from '../library/library.service.ts'

const { signal } = new AbortController()
const FILM = 'Films/La Houle (2026)'
const RATED = 'Films/Front froid (2024)'
const SERIES = 'Series/Le Métier'
const EPISODE = `${SERIES}/Season 01/Le Métier S01E01`

const FRENCH: ReviewSummary = {
  summary: 'Un film patient.',
  sentiment: {
    positive: ['lumière', 'patience', 'musique', 'mer', 'phare', 'silence', 'jeu'],
    negative: ['lenteur'],
  },
  reviews: Array.from({ length: 7 }, (_, index) => ({
    source: `Revue ${index}`,
    rating: 4.5,
    excerpt: `Beau, ${index} fois.`,
    link: `https://revue.example/${index}`,
  })),
}
const ENGLISH = { ...FRENCH, summary: 'A patient film.' }

describe.each(MAIN_DB)('review summaries, on a database of kind %s', { timeout: 120_000 }, (kind) => {
  let service: TestService
  let folder: string
  let child: Actor
  let film: number
  let rated: number
  let series: number
  let episode: number

  const write = async (name: string, content: unknown) =>
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const take = async () => await importLibrary(service.context, folder, { signal })

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    child = await buildersOf(service.context).actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    folder = await mkdtemp(join(tmpdir(), 'ondine-reviews-'))
    for (const name of [FILM, RATED, `${SERIES}/Season 01`])
      await mkdir(join(folder, name), { recursive: true })
    const media = [`${FILM}/La Houle (2026)`, `${RATED}/Front froid (2024)`, EPISODE]
    for (const name of media)
      await ffmpeg([...picture({ seconds: 2 }), ...copyable, join(folder, `${name}.mp4`)])
    await write(`${RATED}/movie.nfo`, '<movie><title>Front froid</title><mpaa>16</mpaa></movie>')
    await write(`${SERIES}/tvshow.nfo`, '<tvshow><title>Le Métier</title></tvshow>')
    await write(`${FILM}/movie.reviews.json`, FRENCH)
    await write(`${FILM}/La Houle (2026).en.reviews.json`, ENGLISH)
    await write(`${RATED}/movie.reviews.json`, FRENCH)
    await write(`${SERIES}/tvshow.reviews.json`, { summary: 'Une série de fils.' })
    await write(`${EPISODE}.reviews.json`, { sentiment: { positive: ['métier'] } })
    expect((await take()).problems).toEqual([])
    const { db } = service.context
    const byTitle = new Map((await db.select().from(assets)).map((row) => [row.titles.fra, row]))
    film = byTitle.get('La Houle')!.id
    rated = byTitle.get('Front froid')!.id
    const [part] = [...byTitle.values()].filter(({ kind }) => kind === 'episode')
    episode = part!.id
    series = (await db.select().from(categories)).find((row) => row.kind === 'series')!.id
  })
  afterEach(async () => await configure({}))
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function configure(document: ConfigurationDocument): Promise<void> {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const { revision } = configurations.stored(id)
    await configurations.document(id).replace(revision, document, { author: 'test', reason: 'test' })
  }
  const show = async (
    fields: NonNullable<NonNullable<ConfigurationDocument['catalogue']>['aiSummary']> = {},
  ) => await configure({ catalogue: { aiSummary: { enabled: true, ...fields } } })
  const read = async (idAsset: number, languageId = 'fra') =>
    (await service.call(aISummary, { idAsset, languageId } as { idAsset: number })).result

  it('V1-10 are shown only where the operator has switched them on', async () => {
    expect(await read(film)).toBeNull()
    await show()
    expect((await read(film))?.summary).toBe('Un film patient.')
  })

  it('V3-40 have a text, positive and negative points, and reviews with source, rating, excerpt and link', async () => {
    await show({ sentimentsLimit: 50, criticalReviewsLimit: 50 })
    expect(await read(film)).toEqual(FRENCH)
    expect(await read(film, 'eng')).toEqual(ENGLISH)
    // The summary exists only in French, so an English reader gets the French summary.
    expect((await read(rated, 'eng'))?.summary).toBe('Un film patient.')
  })

  it('V3-40 exist for a series and for an episode', async () => {
    await show()
    const { result } = await service.call(aISummary, { idCategory: series })
    expect(result).toEqual({
      summary: 'Une série de fils.',
      sentiment: { positive: [], negative: [] },
      reviews: [],
    })
    expect((await read(episode))?.sentiment.positive).toEqual(['métier'])
  })

  it('V3-49 show the parts that the operator wants, by default five of each kind', async () => {
    await show()
    const shown = await read(film)
    expect([shown?.sentiment.positive.length, shown?.sentiment.negative.length]).toEqual([5, 1])
    expect(shown?.reviews).toHaveLength(5)
    await show({ sentimentsLimit: 2, criticalReviewsLimit: 1 })
    expect((await read(film))?.sentiment.positive).toEqual(['lumière', 'patience'])
    expect((await read(film))?.reviews.map(({ source }) => source)).toEqual(['Revue 0'])
    await show({ description: false })
    expect((await read(film))?.summary).toBe('')
    await show({ sentiments: false })
    expect((await read(film))?.sentiment).toEqual({ positive: [], negative: [] })
    await show({ criticalReviews: false })
    expect((await read(film))?.reviews).toEqual([])
    // If the operator hides all parts of a summary, the call returns no summary.
    await show({ sentiments: false })
    expect(await read(episode)).toBeNull()
  })

  it('are hidden from a child that may not see the title', async () => {
    await show()
    const { status } = await service.call(aISummary, { idAsset: rated }, child.tokens)
    expect(status).toBe(404)
  })

  it('V8 name what is wrong with a call: no id, both ids, unknown ids', async () => {
    await show()
    expect((await service.call(aISummary, {})).error.code).toBe(-3010)
    const both = await service.call(aISummary, { idAsset: film, idCategory: series })
    expect(both.error.details?.fields?.[0]?.field).toBe('idCategory')
    expect((await service.call(aISummary, { idAsset: 999_999 })).status).toBe(404)
  })

  it('list an invalid file with its fault, and an import updates the changed ones', async () => {
    await show()
    const name = `${FILM}/movie.reviews.json`
    const link = { source: 'Revue', rating: 4, excerpt: 'Beau.', link: 'javascript:alert(1)' }
    for (const [content, reason] of [
      ['{ "summary": ', 'it is not JSON'],
      ['[]', 'it: '],
      [{ summary: 12 }, 'summary: '],
      [{ reviews: [{ ...link }] }, 'reviews.0.link: '],
      [{ reviews: [{ ...link, link: '/', rating: 6 }] }, 'reviews.0.rating: '],
      [{ sentiment: { positive: [''] } }, 'sentiment.positive.0: '],
      [{ stars: 5 }, 'it: '],
      [' '.repeat(500_001), 'it has 500001 bytes'],
    ] as const) {
      await write(name, content)
      const { problems } = await take()
      expect(problems).toMatchObject([{ path: join(folder, name) }])
      expect(problems[0]?.reason.startsWith(reason), problems[0]?.reason).toBe(true)
      // The summary in the other language is unchanged.
      expect((await read(film))?.summary).toBe('A patient film.')
    }
    await write(name, { summary: 'Revu.' })
    await take()
    expect((await read(film))?.summary).toBe('Revu.')
    await rm(join(folder, name))
    await rm(join(folder, `${FILM}/La Houle (2026).en.reviews.json`))
    await take()
    expect(await read(film)).toBeNull()
  })
})
