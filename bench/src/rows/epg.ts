import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { openDatabase } from '@ondine/server/database/connection'
import { readSettings } from '@ondine/server/env'
import { sql } from 'drizzle-orm'
import { DATABASE_NAMES, type DatabaseKind, withInstallation } from '../installation.ts'
import { fillLargeGuide } from '../large-guide.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { startService, whenRead } from '../service.ts'
import { summarise } from '../statistics.ts'

const CHANNELS = 500
const DAY_MS = 86_400_000
const ASKS_PER_ROUND = 10

/**
 * Measures calls for 24 hours from a guide with 500 channels and 14 days. One call requests the fields for the
 * grid, another call all fields.
 */
export const epg: Row = {
  name: 'epg',
  measure: async (effort) => [
    ...(await measureOn('postgresql', effort)),
    ...(await measureOn('embedded', effort)),
  ],
}

async function measureOn(kind: DatabaseKind, { rounds }: Effort): Promise<Figure[]> {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const on = `on ${DATABASE_NAMES[kind]}`
  return await withInstallation(
    kind,
    async (context) => {
      await fillLargeGuide(context, { channels: CHANNELS, pastDays: 3, futureDays: 11, midnight })
    },
    async ({ environment, catalogue }) => {
      const reference = await bareSql(environment, midnight, rounds)
      const headers = {
        'x-identity-key': catalogue.tokens['x-identity-key'] ?? '',
        // Requests uncompressed answers. Otherwise the service would compress them, and this program would
        // decompress them.
        'accept-encoding': 'identity',
      }
      const figures: Figure[] = []
      const service = await startService({ ...environment, CATALOGUE_CACHE_SECONDS: '0' })
      await whenRead(service, headers)
      for (const [what, path] of [
        ['for a grid', '/proxy/epg/grid'],
        ['with everything', '/proxy/epg'],
      ] as const) {
        const ask = async (start: number) => {
          const body = new URLSearchParams({ start: String(start), hours: '24', languageId: 'fra' })
          const startedAt = performance.now()
          const answer = await fetch(service.origin + path, { method: 'POST', headers, body })
          const bytes = Buffer.from(await answer.arrayBuffer())
          if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${bytes.toString()}`)
          return { bytes, ms: performance.now() - startedAt }
        }
        const start = midnight / 1000
        const { bytes } = await ask(start)
        const isGrid = path.endsWith('/grid')
        // The service caches windows of the guide. A window that begins a second later has the same programmes,
        // but is not cached.
        let later = start
        for (const [how, next, grid] of [
          ['asked for again', () => start, { mustReach: 10, aimsAt: 3 }],
          ['made anew', () => ++later, { mustReach: 80, aimsAt: 30 }],
        ] as const) {
          const values: number[] = []
          for (let round = 0; round < rounds; round++) {
            const times: number[] = []
            for (let time = 0; time < ASKS_PER_ROUND; time++) times.push((await ask(next())).ms)
            values.push(summarise(times).median)
          }
          figures.push({
            what: `epg, 500 channels x 24 h, ${what}, ${how}, ${on}`,
            unit: 'ms',
            values,
            target: { better: 'lower', ...(isGrid ? grid : { mustReach: null, aimsAt: null }) },
            reference: { what: 'the bare SQL', values: reference },
            note: `One after the other, to the last byte; ${(bytes.length / 1000).toFixed(0)} kB before compression.`,
          })
        }
        // The size of an answer does not depend on the database, so it is measured only with PostgreSQL.
        if (kind === 'embedded') continue
        const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes)])
        figures.push({
          what: `the same, compressed, ${what}`,
          unit: 'kB',
          values: [br.length / 1000],
          target: { better: 'lower', mustReach: isGrid ? 100 : null, aimsAt: null },
          reference: { what: 'gzip', values: [gz.length / 1000] },
          note: 'Brotli.',
        })
      }
      await service.stop()
      return figures
    },
  )
}

/**
 * Returns the time of a single SQL statement that reads the same part of the guide without the service, in
 * milliseconds.
 */
async function bareSql(
  environment: Record<string, string>,
  midnight: number,
  rounds: number,
): Promise<number[]> {
  const { db, close } = await openDatabase(readSettings({ ...environment, LOG_LEVEL: 'silent' }))
  const from = new Date(midnight).toISOString()
  const to = new Date(midnight + DAY_MS).toISOString()
  const ask = async () => {
    const startedAt = performance.now()
    await db.execute(sql`
      select id, channel_id, starts_at, ends_at, titles ->> 'fra' as title from programmes
      where ends_at > ${from} and starts_at < ${to} order by channel_id, starts_at`)
    return performance.now() - startedAt
  }
  await ask()
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const times: number[] = []
    for (let time = 0; time < ASKS_PER_ROUND; time++) times.push(await ask())
    values.push(summarise(times).median)
  }
  await close()
  return values
}
