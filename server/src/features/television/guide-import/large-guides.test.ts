import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { search } from '@ondine/contract/search'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { observeSlices } from '../../../../test/observed-slices.ts'
import { DATABASES, startTestService, type TestService } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { MOST_ROWS } from './import-guide.ts'
import { mapChannels } from './map-channels.ts'
import { MOST_GONE } from './programmes.service.ts'
import { readXmltv } from './xmltv-reader.ts'

const CHANNELS = 12
/** Number of programmes per channel. Each programme lasts a quarter of an hour. */
const SLOTS = 400
/** Number of connections to PostgreSQL. The embedded database has only one connection. */
const CONNECTIONS = 3

describe.each(DATABASES)('a large guide, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string

  beforeAll(async () => {
    service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
    const list = join(folder, 'list.m3u')
    const lines = Array.from(
      { length: CHANNELS },
      (_, index) => `#EXTINF:-1 tvg-id="c${index}",Canal ${index}\nhttp://stream.example/${index}.m3u8`,
    )
    await writeFile(list, `#EXTM3U\n${lines.join('\n')}\n`)
    await runCommand(service, 'channels import', [list])
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /**
   * Makes each connection flush its statistics. The transactions are nested, so that each one uses a different
   * connection.
   */
  async function tellCounts(connections: number): Promise<void> {
    await service.context.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_stat_force_next_flush()`)
      if (connections > 1) await tellCounts(connections - 1)
    })
  }

  /**
   * Returns the number of rows read so far: by sequential scans of these tables, and by index scans of the guide.
   */
  async function readSoFar(): Promise<{ through: number; byIndex: number }> {
    await tellCounts(kind === 'embedded' ? 1 : CONNECTIONS)
    const [row] = await rowsOf<{ through: string; byIndex: string }>(
      service.context.db,
      sql`select
        (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('programmes', 'search_documents')) as through,
        (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'programmes') as "byIndex"`,
    )
    return { through: Number(row?.through), byIndex: Number(row?.byIndex) }
  }

  async function take(word: string): Promise<string> {
    const shows = Array.from({ length: CHANNELS * SLOTS }, (_, index) => {
      const slot = (index % SLOTS) / 4
      return show(
        `c${Math.floor(index / SLOTS)}`,
        slot,
        slot + 0.25,
        `<title>${word} numéro ${index % 1500}</title>`,
      )
    })
    const path = join(folder, 'guide.xml')
    await writeFile(path, guideOf(shows.join('\n')))
    return await runCommand(service, 'guide import', [path], { name: 'guide' })
  }

  async function searchFor(term: string) {
    const input = { term, type: 'all', count: 10, itemsPerPage: 20, page: 1 } as const
    return (await service.call(search, input)).result
  }

  // Without statistics, a database prefers a sequential scan for each channel. The total time then grows
  // quadratically.
  it('is written and searched without sequential scans, when it is new and when all of it changes', async () => {
    const before = await readSoFar()
    expect(await take('marée')).toContain(`${CHANNELS * SLOTS} programmes added`)
    expect(await take('tempête')).toContain(`${CHANNELS * SLOTS} changed`)
    expect((await readSoFar()).through - before.through).toBeLessThan(CHANNELS * SLOTS)
    const found = await searchFor('tempête numéro 1499')
    expect(found.items[0]?.item).toMatchObject({
      type: 'programme',
      payload: { title: 'tempête numéro 1499' },
    })
    const documents = await rowsOf<{ count: number }>(
      service.context.db,
      sql`select count(distinct programme_key)::int as count from search_documents where kind = 'programme'`,
    )
    expect(documents).toEqual([{ count: 1500 }])
  })

  // The embedded database runs on the thread of the service. A series of queries without a pause would block all
  // callers.
  it('with as many titles as programmes lets calls be answered while it is written and deleted', async () => {
    await runCommand(service, 'guide sources remove', ['guide'])
    const titles = Array.from({ length: CHANNELS * SLOTS }, (_, index) => {
      const slot = (index % SLOTS) / 4
      const title = `<title>Titre ${index} seul</title>`
      return show(`c${Math.floor(index / SLOTS)}`, slot, slot + 0.25, title)
    })
    const path = join(folder, 'distinct.xml')
    await writeFile(path, guideOf(titles.join('\n')))
    const written = await observeSlices(
      service,
      'programmes',
      async () => await runCommand(service, 'guide import', [path], { name: 'distinct' }),
    )
    expect(written).toMatchObject({ rows: CHANNELS * SLOTS })
    expect(written.most).toBeLessThanOrEqual(MOST_ROWS[kind])
    const again = await observeSlices(
      service,
      'programmes',
      async () => await runCommand(service, 'guide sources run', ['distinct']),
    )
    expect(again.rows).toBe(0)
    const gone = await observeSlices(
      service,
      'programmes',
      async () => await runCommand(service, 'guide sources remove', ['distinct']),
    )
    expect(gone).toMatchObject({ rows: CHANNELS * SLOTS })
    expect(gone.most).toBeLessThanOrEqual(MOST_GONE)
    if (kind === 'embedded') {
      expect(written.mostBetweenTurns).toBeLessThanOrEqual(MOST_ROWS.embedded)
      expect(gone.mostBetweenTurns).toBeLessThanOrEqual(MOST_GONE)
    }
    expect(written.calls).toBeGreaterThan(CHANNELS)
    expect(gone.calls).toBeGreaterThan(2)
  })

  // Without statistics, the planner would combine two indexes, and read all future programmes from one of them.
  it('is written without reading all programmes of other channels', async () => {
    const OTHERS = 100_000
    const { db } = service.context
    await db.transaction(async (tx) => {
      await tx.execute(sql`alter table programmes disable trigger user`)
      await tx.execute(sql`
        insert into programmes (channel_id, universal_id, starts_at, ends_at, titles)
        select (select max(id) from channels), '', starts_at, starts_at + interval '15 minutes', '{}'
        from generate_series(1, ${OTHERS}::int) as at,
          lateral (select now() + interval '9 years' + at * interval '15 minutes' as starts_at) as place`)
      await tx.execute(sql`alter table programmes enable trigger user`)
    })
    const path = join(folder, 'guide.xml')
    const some = Array.from({ length: 200 }, (_, index) => {
      const title = `<title>Seul ${index}</title>`
      return show('c0', index / 4, (index + 1) / 4, title)
    })
    await writeFile(path, guideOf(some.join('\n')))
    const before = await readSoFar()
    await runCommand(service, 'guide import', [path], { name: 'small' })
    expect((await readSoFar()).byIndex - before.byIndex).toBeLessThan(OTHERS / 4)
    await runCommand(service, 'guide sources remove', ['small'])
    await db.execute(sql`truncate programmes`)
  })

  it('is replaced in slices by one that announces little over the same time', async () => {
    await take('houle')
    const path = join(folder, 'guide.xml')
    const ends = Array.from({ length: CHANNELS }, (_, channel) =>
      [0, SLOTS / 4].map((at) => show(`c${channel}`, at, at + 1, `<title>Bord ${at}</title>`)).join('\n'),
    )
    await writeFile(path, guideOf(ends.join('\n')))
    const said = await runCommand(service, 'guide import', [path], { name: 'guide' })
    // The new guide covers the same time with two programmes per channel. The first one changes the programme at
    // the same start. All other old programmes are removed.
    expect(said).toContain(`${CHANNELS * (SLOTS - 1)} removed`)
    const left = await rowsOf(
      service.context.db,
      sql`select count(*)::int as count from programmes where titles ->> 'fra' not like 'Bord%'`,
    )
    expect(left).toEqual([{ count: 0 }])
  })
})

describe('a guide of more channels than the service has', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }

  it('uses no memory for each of them, and finds the known ones', () => {
    const known = { id: 1, number: 1, names: ['Un'], guideId: 'un', isLibrary: false, shiftMs: 0 }
    const map = mapChannels([known], {})
    const before = held()
    for (let index = 0; index < 300_000; index++) {
      map.declare({ line: index, id: `declared ${index}`, names: [`Number ${index}`] })
      map.find(`announced ${index}`)
    }
    expect(held() - before).toBeLessThan(25_000_000)
    map.declare({ line: 1, id: 'by name', names: ['Autre', 'UN'] })
    for (const id of ['un', 'UN', 'by name']) expect(map.find(id)).toEqual([known])
    expect(map.find('declared 1')).toEqual([])
  })
})

describe('a guide without an end', () => {
  const SIXTY_FOUR_KB = 65_536

  /**
   * Reads an endless file that begins with `begin` and then repeats `piece`, until the reader rejects it. Returns
   * the number of bytes read, and the reason.
   */
  async function readEndless(begin: string, piece: string): Promise<{ bytes: number; reason: string }> {
    const chunk = Buffer.from(piece.repeat(Math.ceil(SIXTY_FOUR_KB / piece.length)))
    let bytes = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(begin)
      for (; bytes < 300_000_000; bytes += chunk.length) yield chunk
    }
    const reason = await readXmltv(endless(), {
      channel: () => undefined,
      wants: () => true,
      programme: () => undefined,
      remark: () => undefined,
    }).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    return { bytes, reason }
  }

  it.each([
    ['a text', '<tv><programme channel="a"><title>', 'more and more ', /text without an end/],
    ['an attribute', '<tv><programme channel="', 'more ', /text without an end/],
    ['a comment', '<tv><!-- ', 'more ', /text without an end/],
    ['nesting', '<tv>', '<programme>', /nested too deep/],
    [
      'entities that hold each other',
      '<!DOCTYPE tv [',
      '<!ENTITY a "&b;&b;&b;">',
      /defines entities|text without an end/,
    ],
    ['ampersands', '<tv><programme channel="a"><title>', '& ', /too many faults|text without an end/],
  ])('is refused after a few megabytes if it is %s', async (_what, begin, piece, why) => {
    const { bytes, reason } = await readEndless(begin, piece)
    expect(reason).toMatch(why)
    expect(bytes).toBeLessThan(5_000_000)
  })

  /** Returns the processor time for reading `count` bare ampersands. */
  async function readAmpersands(count: number): Promise<number> {
    const text = Buffer.from(`<programme channel="a"><desc>${'& '.repeat(count / 2)}</desc></programme>`)
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('<tv>')
      yield text
      yield text
      yield Buffer.from('</tv>')
    }
    let remarks = 0
    const began = process.threadCpuUsage()
    await readXmltv(pieces(), {
      channel: () => undefined,
      wants: () => true,
      programme: () => undefined,
      remark: () => remarks++,
    })
    expect(remarks).toBe(count)
    return process.threadCpuUsage(began).user
  }

  it('takes eight times as long, not 64 times, for eight times as many bare ampersands', async () => {
    // Warm up, so that the code is compiled before the measurement.
    await readAmpersands(100_000)
    expect(await readAmpersands(800_000)).toBeLessThan(24 * (await readAmpersands(100_000)))
  })
})
