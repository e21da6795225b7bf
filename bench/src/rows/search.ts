import { openDatabase } from '@ondine/server/database/connection'
import { readSettings } from '@ondine/server/env'
import { sql } from 'drizzle-orm'
import { DATABASE_NAMES, type DatabaseKind, withInstallation } from '../installation.ts'
import { fillLargeCatalogue } from '../large-catalogue.ts'
import { load } from '../load.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { startService, whenRead } from '../service.ts'
import { percentile } from '../statistics.ts'

/** Measures searches for correct and for misspelt words, in 50,000 titles and 300,000 programmes. */
export const search: Row = {
  name: 'search',
  measure: async (effort) => [
    ...(await measureOn('postgresql', effort)),
    ...(await measureOn('embedded', effort)),
  ],
}

async function measureOn(kind: DatabaseKind, { rounds, roundMs, titles }: Effort): Promise<Figure[]> {
  const size = { titles, channels: titles / 100, programmes: titles * 6 }
  return await withInstallation(
    kind,
    async (context) => await fillLargeCatalogue(context, size),
    async ({ environment, catalogue }, terms) => {
      // Disables the cache, because a cached answer would not measure the search.
      const service = await startService({ ...environment, CATALOGUE_CACHE_SECONDS: '0' })
      const headers = { 'x-identity-key': catalogue.tokens['x-identity-key'] ?? '' }
      // Waits until the service has read the search index. Earlier requests would not fill its caches.
      await whenRead(service, headers)
      const measured: { what: string; terms: string[]; first: number; p99: number[] }[] = []
      for (const [what, chosen] of [
        ['words', terms.exact],
        ['misspelt words', terms.misspelt],
      ] as const) {
        const requests = chosen.map((term) => ({
          path: `/cms/search?${new URLSearchParams({ term, languageId: 'fra' })}`,
          headers,
        }))
        const options = { port: service.port, requests, connections: 1, milliseconds: roundMs }
        const { p99Ms: first } = await load(options)
        const p99: number[] = []
        for (let round = 0; round < rounds; round++) p99.push((await load(options)).p99Ms)
        measured.push({ what, terms: chosen, first, p99 })
      }
      await service.stop()
      const figures: Figure[] = []
      for (const { what, terms: chosen, first, p99 } of measured) {
        figures.push({
          what: `search for ${what}, 99 of 100, on ${DATABASE_NAMES[kind]}`,
          unit: 'ms',
          values: p99,
          target: { better: 'lower', mustReach: 10, aimsAt: 3 },
          reference: {
            what: 'the bare SQL: full text of one column, ranked',
            values: [await bareSql(environment, chosen)],
          },
          note: `${size.titles.toLocaleString('en-GB')} titles and ${size.programmes.toLocaleString('en-GB')} programmes; one search after the other, each with 50 cards, counts and showings; most were asked for before.`,
        })
        figures.push({
          what: `the same, asked for the first time: ${what}, on ${DATABASE_NAMES[kind]}`,
          unit: 'ms',
          values: [first],
          target: { better: 'lower', mustReach: 30, aimsAt: 10 },
          reference: null,
          note: 'Just after the start: what is on next is read from the database then, and Node has compiled little.',
        })
      }
      return figures
    },
  )
}

/**
 * Runs one SQL statement for each of the terms. The statement finds and ranks titles, but without cards, counts or
 * typo tolerance. Returns the 99th percentile of the times, in milliseconds.
 */
async function bareSql(environment: Record<string, string>, terms: readonly string[]): Promise<number> {
  const { db, close } = await openDatabase(readSettings({ ...environment, LOG_LEVEL: 'silent' }))
  const times: number[] = []
  for (const term of terms) {
    const startedAt = performance.now()
    await db.execute(sql`
      select target_id, ts_rank(words, query) as place
      from search_documents, plainto_tsquery('pg_catalog.simple', search_fold(${term})) as query
      where language = 'fra' and words @@ query order by place desc limit 50`)
    times.push(performance.now() - startedAt)
  }
  await close()
  return percentile(times, 99)
}
