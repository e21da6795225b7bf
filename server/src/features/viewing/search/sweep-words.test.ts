import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { search } from '@ondine/contract/search'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { observeSlices } from '../../../../test/observed-slices.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { importEditorial } from '../editorial/editorial-import.service.ts'
import { searchWords } from './search.table.ts'
import { MOST_AT_ONCE, sweepWords } from './sweep-words.ts'

const HOUR = 3600_000
const { signal } = new AbortController()

describe.each(DATABASES)('words that nothing contains any more, on a database of kind %s', (kind) => {
  let service: TestService
  let build: ReturnType<typeof buildersOf>
  let channelId: number

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    build = buildersOf(service.context)
    channelId = (await build.channel('Rive', { kind: 'sequence', titles: ['nothing'] })).id
    await sweepWords(service.context.db, 0, signal)
  })
  afterEach(async () => {
    await service.context.db.delete(programmes)
  })
  afterAll(async () => await service.remove())

  async function announce(...titles: string[]): Promise<void> {
    const rows = titles.map((title, index) => {
      const startsAt = NOON + index * HOUR
      return { channelId, startsAt, endsAt: startsAt + HOUR, titles: { fra: title }, universalId: title }
    })
    await service.context.db.insert(programmes).values(rows)
  }
  const sweep = async () => await sweepWords(service.context.db, 0, signal)
  /** Returns those of the words that are stored for French. */
  async function stored(...words: string[]): Promise<string[]> {
    const rows = await service.context.db.select().from(searchWords).where(eq(searchWords.language, 'fra'))
    return words.filter((word) => rows.some((row) => row.word === word))
  }
  async function correction(term: string): Promise<string | null> {
    const page = { type: 'all' as const, count: 20, itemsPerPage: 20, page: 1 }
    return (await service.call(search, { term, ...page })).result.correction
  }

  it('crowd out no correction after the night', async () => {
    const { db } = service.context
    await announce('Maroa', 'Marob', 'Maroc', 'Marod', 'Maroe')
    await build.asset('Marof')
    await db.delete(programmes)
    expect(await correction('marox')).toBeNull()
    // Each word is stored for two languages.
    expect(await sweep()).toBe(10)
    await expect.poll(async () => await correction('marox')).toBe('marof')
    expect(await sweep()).toBe(0)
  })

  it('go, and those of titles, people, series, programmes and texts stay', async () => {
    const { db, storefronts } = service.context
    const series = await build.series('Grenadine')
    const { id } = await build.asset('Été', {
      kind: 'episode',
      serieId: series.id,
      titles: { fra: 'L’Été de 2026, 1e5 fois', eng: 'Summertime' },
      descriptions: { fra: 'Des cabestans.' },
      actors: ['Ygrec Zwierzyniec'],
      tags: ['goélette'],
    })
    await announce('Cormorans du 007')
    const folder = await mkdtemp(join(tmpdir(), 'ondine-words-'))
    const write = async (name: string, word: string) =>
      await writeFile(join(folder, name), `---\ntitle: ${word}\n---\n\nLe *${word}dit*.\n`)
    const take = async () =>
      await importEditorial(service.context, folder, { storefront: storefronts.first(), signal })
    await write('kept.fra.md', 'Hauban')
    await write('gone.fra.md', 'Drisse')
    await take()
    await rm(join(folder, 'gone.fra.md'))
    await take()

    const OF_TITLE = ['ete', '2026', '1e5', 'fois', 'summertime', 'goelette', 'grenadine']
    const LIVE = [...OF_TITLE, 'cormorans', '007', 'hauban', 'haubandit']
    expect(await stored('drisse', 'drissedit')).toEqual(['drisse', 'drissedit'])
    expect(await sweep()).toBe(2)
    expect(await stored(...LIVE, 'cabestans', 'zwierzyniec', 'drisse', 'drissedit')).toEqual([
      ...LIVE,
      'cabestans',
      'zwierzyniec',
    ])
    // A withdrawn text that returns brings its words with it.
    await write('gone.fra.md', 'Drisse')
    await take()
    await db.update(assets).set({ descriptions: {}, actors: [] }).where(eq(assets.id, id))
    await sweep()
    expect(await stored(...LIVE, 'cabestans', 'zwierzyniec', 'drisse', 'drissedit')).toEqual([
      ...LIVE,
      'drisse',
      'drissedit',
    ])
    await rm(folder, { recursive: true })
  })

  it('go in slices, and in parts of several nights if there are too many words', async () => {
    const SIZE = 600
    const { db } = service.context
    await sweep()
    await announce(...Array.from({ length: SIZE }, (_, index) => `zz${index}zz`))
    await db.delete(programmes)
    const third = Math.ceil((await db.$count(searchWords)) / 3)
    const first = await sweepWords(db, 0, signal, third)
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(third)
    const last = await sweepWords(db, 1, signal, third)
    expect(last).toBeGreaterThan(0)
    const observed = await observeSlices(service, 'search_words', sweep)
    expect(first + last + observed.rows).toBe(2 * SIZE)
    expect(observed.most).toBeLessThanOrEqual(MOST_AT_ONCE)
    expect(await sweep()).toBe(0)
  })

  // The embedded database has only one connection, so no other transaction runs there.
  it.each(kind === 'postgresql' ? [kind] : [])(
    'stay on %s if a running transaction writes a document with them',
    async () => {
      const { db } = service.context
      await announce('Ornithorynque')
      await db.delete(programmes)
      let sweeping: Promise<number> | undefined
      await db.transaction(async (tx) => {
        const titles = { fra: 'Ornithorynque' }
        await tx.insert(assets).values({ kind: 'film', sourceKey: 'x', titles, validFrom: NOON })
        sweeping = sweep()
        await expect.poll(async () => await stored('ornithorynque')).toEqual([])
      })
      expect(await sweeping).toBe(0)
      expect(await stored('ornithorynque')).toEqual(['ornithorynque'])
    },
  )
})
