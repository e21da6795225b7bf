import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/control/all-commands.ts'
import { rowsOf } from '../src/database/rows.ts'
import { MOST_WITHDRAWN } from '../src/features/content/library/library.repository.ts'
import { takeLibrary } from '../src/features/content/library/library.service.ts'
import { MOST_GONE as MOST_OF_A_STOREFRONT } from '../src/features/operation/operated-storefronts/remove-storefront.ts'
import { accounts } from '../src/features/people/accounts/accounts.table.ts'
import { MOST_GONE_CHANNELS } from '../src/features/television/channel-lists/channel-lists.service.ts'
import { MOST_CHANNELS } from '../src/features/television/channel-lists/store-list.ts'
import { findChannels } from '../src/features/television/channels/channels.repository.ts'
import { MOST_GONE } from '../src/features/television/guide-import/programmes.service.ts'
import { MOST_AT_ONCE } from '../src/features/television/schedule/channel-import.service.ts'
import { MOST_TEXTS } from '../src/features/viewing/editorial/editorial.repository.ts'
import { runCommand } from './commands.ts'
import { guideOf, show } from './guides.ts'
import { type ObservedSlices, observeSlices } from './observed-slices.ts'
import { DATABASES, startTestService, type TestService } from './service.ts'

/**
 * Commands that import or remove. `observed`: a test in this file observes the command's slices. The name of a test
 * file: a test in that file observes them. Any other text: the reason why the command's work is short.
 */
const KNOWN: Record<string, string> = {
  'channels import': 'observed',
  'channels lists run': 'observed',
  'channels lists remove': 'observed',
  'editorial import': 'observed',
  'guide import': 'large-guides.test.ts',
  'guide sources run': 'large-guides.test.ts',
  'guide sources remove': 'large-guides.test.ts',
  import: 'observed',
  'storefronts remove': 'observed',
  'editorial remove': 'one text',
  'categories remove': 'one row, and only an empty category',
  'titles remove': 'one title',
  'inputs remove': 'one row',
  'channels remove': 'one channel, whose programmes go in the slices of `channels lists remove`',
  'offers import': 'one file of a megabyte at most, which is taken as a whole or not at all',
  'vouchers import': 'one file of a megabyte at most, which is taken as a whole or not at all',
  'words import': 'one document',
}

it('every command that imports or removes is known to work in slices, or to be short', () => {
  const found = COMMANDS.map(({ name }) => name).filter((name) => /\b(?:import|remove|run)$/.test(name))
  expect(found.toSorted()).toEqual(Object.keys(KNOWN).toSorted())
})

describe.each(DATABASES)('imports and removals, on a database of kind %s', { timeout: 180_000 }, (kind) => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-slices-'))
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** Verifies that a command did all its work, in slices of at most `most` rows. */
  async function hold(
    table: string,
    { rows, most }: { rows: number; most: number },
    work: () => Promise<unknown>,
  ): Promise<ObservedSlices> {
    const observed = await observeSlices(service, table, work)
    expect(observed.rows).toBeGreaterThanOrEqual(rows)
    expect(observed.most).toBeLessThanOrEqual(most)
    if (kind === 'embedded') expect(observed.mostBetweenTurns).toBeLessThanOrEqual(most)
    expect(observed.calls).toBeGreaterThan(rows / most)
    return observed
  }

  describe('a list of channels', () => {
    const SIZE = 1200
    const most = MOST_CHANNELS[kind]
    /**
     * Maximum number of channels that one slice changes: its own channels, the channels whose numbers it takes
     * over, and the channels that it switches off. Each group has at most `most` channels.
     */
    const mostMoved = 3 * most
    const numbers = async () => (await findChannels(service.context.db)).map(({ number }) => number)

    async function write(name: string, of: { word?: string; from?: number; by?: number } = {}) {
      const { word = 'Canal', from = 0, by = 0 } = of
      const lines = Array.from({ length: SIZE - from }, (_, index) => {
        const channel = from + index
        const number = ((channel + by) % SIZE) + 1
        return `#EXTINF:-1 tvg-id="c${channel}" tvg-chno="${number}",${word} ${channel}\nhttp://stream.example/${channel}.m3u8`
      })
      const path = join(folder, `${name}.m3u`)
      await writeFile(path, `#EXTM3U\n${lines.join('\n')}\n`)
      return path
    }
    const take = async (of: Parameters<typeof write>[1] = {}) => {
      const path = await write('list', of)
      return await runCommand(service, 'channels import', [path], { package: 'basic' })
    }

    it('is imported in slices: new channels with their package, changed names, other numbers, and missing channels', async () => {
      let said = ''
      const taking = (of: Parameters<typeof write>[1]) => async () => {
        said = await take(of)
      }
      await hold('channels', { rows: SIZE, most }, taking({}))
      expect(said).toContain(`${SIZE} channels added`)
      const [sold] = await rowsOf(
        service.context.db,
        sql`select count(*)::int as count from package_channels`,
      )
      expect(sold).toEqual({ count: SIZE })
      await hold('channels', { rows: SIZE, most }, taking({ word: 'Chaîne' }))
      expect(said).toContain(`${SIZE} changed`)
      await hold('channels', { rows: SIZE, most: mostMoved }, taking({ word: 'Chaîne', by: 7 }))
      expect(said).toContain(`${SIZE} changed`)
      expect(await numbers()).toEqual(Array.from({ length: SIZE }, (_, index) => index + 1))
      await hold('channels', { rows: SIZE / 2, most }, async () => {
        await write('list', { word: 'Chaîne', by: 7, from: SIZE / 2 })
        said = await runCommand(service, 'channels lists run', ['list'])
      })
      expect(said).toContain(`${SIZE / 2} unchanged, ${SIZE / 2} gone`)
      expect(await numbers()).toHaveLength(SIZE / 2)
      expect(
        (await observeSlices(service, 'channels', taking({ word: 'Chaîne', by: 7, from: SIZE / 2 }))).rows,
      ).toBe(0)
    })

    it('leaves every channel unchanged or updated when interrupted, and the next import continues', async () => {
      await take()
      const stop = new AbortController()
      const command = COMMANDS.find(({ name }) => name === 'channels import')
      await write('list', { word: 'Antenne', by: 3 })
      const taking = command?.run(
        service.context,
        { arguments: [join(folder, 'list.m3u')], options: {} },
        {
          signal: stop.signal,
          report: ({ percent = 0 }) => {
            if (percent > 14) stop.abort()
          },
        },
      )
      await expect(taking).rejects.toThrow()
      const names = (await findChannels(service.context.db)).map((row) => row.names.fra?.split(' ')[0])
      expect(names).toHaveLength(SIZE)
      expect(new Set(names)).toEqual(new Set(['Canal', 'Antenne']))
      const said = await take({ word: 'Antenne', by: 3 })
      expect(said).toMatch(/ 0 gone/)
      const after = await findChannels(service.context.db)
      expect(new Set(after.map((row) => row.names.fra?.split(' ')[0]))).toEqual(new Set(['Antenne']))
      expect(after.map(({ number }) => number)).toEqual(Array.from({ length: SIZE }, (_, index) => index + 1))
    })

    it('creates no channel twice in two concurrent imports, while an operator sets a number', async () => {
      await write('list', { word: 'Canal' })
      const again = async () => await runCommand(service, 'channels lists run', ['list'])
      const other = join(folder, 'other.m3u')
      await writeFile(other, '#EXTM3U\n#EXTINF:-1 tvg-chno="5000",Autre\nhttp://other.example/a.m3u8\n')
      await runCommand(service, 'channels import', [other])
      const last = String(SIZE)
      await Promise.all([again(), again(), runCommand(service, 'channels set', ['5000'], { number: '6000' })])
      await runCommand(service, 'channels set', [last], { number: '7000' })
      await again()
      const given = await numbers()
      expect(given).toHaveLength(SIZE + 1)
      expect(given.filter((number) => number > SIZE)).toEqual([6000, 7000])
      await runCommand(service, 'channels lists remove', ['other'])
    })

    it('is deleted with its channels’ programmes in slices', async () => {
      const guide = join(folder, 'guide.xml')
      const shows = Array.from({ length: SIZE }, (_, index) =>
        show(
          `c${index % 20}`,
          Math.floor(index / 20),
          Math.floor(index / 20) + 1,
          `<title>Titre ${index}</title>`,
        ),
      )
      await writeFile(guide, guideOf(shows.join('\n')))
      await runCommand(service, 'guide import', [guide], { name: 'guide' })
      await take({ from: 10 })
      await hold('programmes', { rows: SIZE, most: MOST_GONE }, async () => {
        await hold('channels', { rows: SIZE, most: MOST_GONE_CHANNELS }, async () => {
          expect(await runCommand(service, 'channels lists remove', ['list'])).toBe(
            `Removed list. Channels removed: ${SIZE}.`,
          )
        })
      })
      expect((await service.call(listChannels, {})).result).toEqual([])
      await expect(runCommand(service, 'channels lists run', ['list'])).rejects.toThrow('There is no list')
    })
  })

  it('imports library channels in slices', async () => {
    const SIZE = 300
    const rules = { kind: 'sequence', titles: ['La Houle'] }
    const channels = Array.from({ length: SIZE }, (_, index) => ({
      number: index + 1,
      name: `Rive ${index}`,
      rules,
    }))
    const path = join(folder, 'channels.json')
    await writeFile(path, JSON.stringify({ channels }))
    await hold('channels', { rows: SIZE, most: MOST_AT_ONCE }, async () => {
      await runCommand(service, 'channels import', [path])
    })
  })

  it('withdraws titles without files, and moves a library, in slices', async () => {
    const SIZE = 250
    const library = join(folder, 'library')
    await mkdir(library)
    const names = Array.from({ length: SIZE }, (_, index) => join(library, `Film ${index} (2026).mkv`))
    for (const name of names) await writeFile(name, '')
    const { signal } = new AbortController()
    await takeLibrary(service.context, library, { signal, announcesEmpty: true })
    for (const name of names.slice(1)) await rm(name)
    // The empty file of the first film remains, and cannot be prepared. The transaction that withdraws the other
    // titles also updates this film.
    await hold('assets', { rows: SIZE - 1, most: MOST_WITHDRAWN }, async () => {
      expect(await runCommand(service, 'import', [library], { language: 'fra' })).toContain(
        `${SIZE - 1} titles withdrawn`,
      )
    })
    const moved = join(folder, 'moved')
    await rename(library, moved)
    const size = { rows: SIZE, most: MOST_WITHDRAWN }
    await hold('assets', size, async () => await runCommand(service, 'libraries move', [library, moved]))
  })

  it('imports and withdraws texts in slices', async () => {
    const SIZE = 100
    const texts = join(folder, 'texts')
    await mkdir(texts)
    const names = Array.from({ length: SIZE }, (_, index) => join(texts, `texte-${index}.md`))
    for (const name of names)
      await writeFile(
        name,
        '---\ntitle: Un texte\ndescription: Court.\nauthor: Léa\ndate: 2026-01-02\n---\nLa mer.\n',
      )
    const take = async () => await runCommand(service, 'editorial import', [texts], { language: 'fra' })
    await hold('editorial', { rows: SIZE, most: MOST_TEXTS }, async () => {
      expect(await take()).toContain(`${SIZE} texts added`)
    })
    for (const name of names.slice(1)) await rm(name)
    await hold('editorial', { rows: SIZE - 1, most: MOST_TEXTS }, async () => {
      expect(await take()).toContain(`${SIZE - 1} withdrawn`)
    })
  })

  it('deletes a storefront in slices, with its accounts and its texts', async () => {
    const SIZE = 250
    const { db, storefronts } = service.context
    await runCommand(service, 'storefronts create', ['other', 'Other'])
    const storefrontId = storefronts.of('other')?.id ?? 0
    await db
      .insert(accounts)
      .values(Array.from({ length: SIZE }, (_, index) => ({ storefrontId, email: `${index}@other.test` })))
    await db.execute(sql`
      insert into editorial (storefront_id, language, type, slug, title, description, author, keywords, topics, morality_level,
        written_at, draft, image_alt, image_credit, reading_minutes, metadata, related, content, library, source, fingerprint, updated_at)
      select ${storefrontId}::int, 'fra', 'articles', 'text-' || number, 'Un texte', '', '', '{}', '{}', 0, now(), false, '', '', 1, '{}',
        '{}', '[]', '', '', '', now()
      from generate_series(1, ${SIZE}::int) as number`)
    await hold('editorial', { rows: SIZE, most: MOST_OF_A_STOREFRONT.texts }, async () => {
      const said = await runCommand(service, 'storefronts remove', ['other'], { accounts: String(SIZE) })
      expect(said).toContain('Removed the storefront other.')
    })
    const [left] = await rowsOf(
      db,
      sql`select count(*)::int as count from accounts where status <> 'ARCHIVED'`,
    )
    expect(left).toEqual({ count: 0 })
  })
})
