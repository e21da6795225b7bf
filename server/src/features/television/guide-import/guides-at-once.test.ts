import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { search } from '@ondine/contract/search'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { rowsOf } from '../../../database/rows.ts'
import { pruneGuide } from './guide-jobs.ts'

/** Number of programmes per channel in a guide. The import needs several statements to write them. */
const SHOWS = 600
const CHANNELS = 4

describe.each(DATABASES)('concurrent guide imports, on a database of kind %s', (kind) => {
  // The embedded database runs transactions one after the other, so a second round would prove nothing more.
  const rounds = kind === 'embedded' ? 1 : 4
  let service: TestService
  let folder: string

  beforeAll(async () => {
    service = await startTestService(kind)
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
   * Imports a guide with these channels. Each channel announces the titles in this order. `more` is XML that is added
   * to each programme.
   */
  async function take(
    name: string,
    channels: readonly number[],
    titles: readonly string[],
    { from = 0, more = '' } = {},
  ) {
    const shows = channels.flatMap((channel) =>
      titles.map((title, index) =>
        show(`c${channel}`, from + index / 60, from + (index + 1) / 60, `<title>${title}</title>${more}`),
      ),
    )
    const path = join(folder, `${name}.xml`)
    await writeFile(path, guideOf(shows.join('\n')))
    return await runCommand(service, 'guide import', [path], { name })
  }
  const titlesOf = (word: string) => Array.from({ length: SHOWS }, (_, index) => `${word}${index} ${word}`)
  const found = async (term: string) => {
    const { result } = await service.call(search, {
      term,
      type: 'all',
      count: 10,
      itemsPerPage: 20,
      page: 1,
    })
    return result.items.map(({ item }) => (item.type === 'programme' ? item.payload.title : item.type))
  }
  /** Returns the number of titles in the guide that the search index lacks. */
  const lost = async () => {
    const [row] = await rowsOf<{ count: number }>(
      service.context.db,
      sql`select count(distinct p.programme_key)::int as count from programmes p where not exists (
        select from search_documents d where d.kind = 'programme' and d.programme_key = p.programme_key)`,
    )
    return row?.count
  }

  it('both imports end, and search finds all their titles, while one import removes the titles that the other one adds', async () => {
    const [houle, marée] = [titlesOf('houle'), titlesOf('marée')]
    for (let round = 0; round < rounds; round++) {
      const [first, second] = round % 2 === 0 ? [houle, marée] : [marée, houle]
      await Promise.all([
        take('one', [0, 1], first),
        // Announce the same titles in the opposite order, to provoke deadlocks.
        take('other', [2, 3], second.toReversed()),
      ])
      expect(await lost()).toBe(0)
    }
    for (const word of ['houle', 'marée'])
      expect(await found(`${word}${SHOWS - 1}`)).toContain(`${word}${SHOWS - 1} ${word}`)
  })

  it('search finds a new title by the people of both imports that announce it at the same time', async () => {
    const by = (guest: string) => ({ more: `<credits><guest>${guest}</guest></credits>` })
    for (let round = 0; round < rounds; round++) {
      const titles = titlesOf(`brume${round}`)
      await Promise.all([
        take('one', [0, 1], titles, by('Aude Kermadec')),
        take('other', [2, 3], titles.toReversed(), by('Loïc Penhoët')),
      ])
      expect(await lost()).toBe(0)
      for (const index of [0, 1, SHOWS / 2, SHOWS - 1]) {
        const title = `brume${round}${index} brume${round}`
        for (const guest of ['kermadec', 'penhoet']) expect(await found(`${title} ${guest}`)).toContain(title)
      }
      const [incomplete] = await rowsOf<{ count: number }>(
        service.context.db,
        sql`select count(*)::int as count from search_documents
          where folded like ${`brume${round}%`} and cardinality(facets) <> 2`,
      )
      expect(incomplete).toEqual({ count: 0 })
    }
  })

  it('search keeps titles that are announced again while their last showing is deleted', async () => {
    const before = service.clock.now()
    for (let round = 0; round < rounds; round++) {
      const titles = titlesOf(`écume${round}`)
      const day = round * 24 * 30
      await take('one', [0], titles, { from: day })
      // The programmes of the first guide are past now, so they are deleted. At the same time, the other guide
      // announces the same titles for the future.
      service.clock.set(NOON + (day + 24 * 20) * 3_600_000)
      await Promise.all([pruneGuide(service.context), take('other', [2], titles, { from: day + 24 * 20 })])
      expect(await lost()).toBe(0)
      expect(await found(`écume${round}${SHOWS - 1}`)).toContain(`écume${round}${SHOWS - 1} écume${round}`)
    }
    service.clock.set(before)
  })

  it('renames a channel although a guide import has locked its words and waits for the channel', async () => {
    const { db } = service.context
    const rename = async (name: string) => await runCommand(service, 'channels set', ['1'], { name })
    if (kind === 'embedded') await rename('Écueil')
    else {
      const [channel] = await rowsOf<{ id: number }>(db, sql`select id from channels where number = 1`)
      let renamed: Promise<string> | undefined
      await retryOnDeadlock(
        async () =>
          await db.transaction(async (tx) => {
            // On a retry of this transaction, the rename has already begun. Do not begin it twice.
            if (renamed !== undefined) return
            // PostgreSQL cancels the transaction that detects a deadlock. This setting makes this transaction check
            // for deadlocks later than the rename does, so PostgreSQL cancels the rename.
            await tx.execute(sql`set local deadlock_timeout = '1min'`)
            await tx.execute(sql`insert into search_words (language, word) values ('fra', 'ecueil')`)
            renamed = rename('Écueil')
            // Wait until the rename has locked the channel, and waits for the row of the word `ecueil`.
            await expect
              .poll(async () => {
                const waiting = await rowsOf(
                  db,
                  sql`select from pg_stat_activity where wait_event_type = 'Lock'
                  and datname = current_database() and query like '%channels%'`,
                )
                return waiting.length
              })
              .toBeGreaterThan(0)
            await tx.execute(sql`select from channels where id = ${channel?.id} for update`)
          }),
      )
      await renamed
    }
    const { result } = await service.call(search, {
      term: 'écueil',
      type: 'lives',
      count: 10,
      itemsPerPage: 20,
      page: 1,
    })
    expect(result.items.map(({ item }) => item.type)).toEqual(['channel'])
  })
})
