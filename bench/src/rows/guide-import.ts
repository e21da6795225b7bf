import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Context } from '@ondine/server/context'
import { sql } from 'drizzle-orm'
import { mostResidentMB } from '../child.ts'
import { DATABASE_NAMES, type DatabaseKind, withInstallation } from '../installation.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { startService } from '../service.ts'
import { percentile } from '../statistics.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { signInViewer } from '../viewer.ts'
import { writeXmltv, xmltvId } from '../xmltv-file.ts'

/** The script of `npm run ondine`. It sets the memory limits for commands. */
const ONDINE = fileURLToPath(new URL('../../../script/ondine', import.meta.url))
const PEER = fileURLToPath(new URL('../peers/saxes-alone.ts', import.meta.url))
const DAYS = 14
const LOOK_MS = 100
/** Interval between two requests during an import of a guide, in milliseconds. */
const ASK_MS = 50
const REST_MS = 5000

/**
 * Imports a guide with 500 channels and 14 days into an empty guide, and then the same guide again. Measures the
 * time and the memory of the command.
 */
export const guideImport: Row = {
  name: 'guide-import',
  measure: async (effort) =>
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'guide.xml')
      const channels = effort.titles / 100
      const bytes = await writeXmltv(path, { channels, days: DAYS, titles: 'usual' }, Date.now())
      const alone = (await watch(process.execPath, [PEER, path], {})).seconds
      const size = `${channels} channels over ${DAYS} days, ${(bytes / 1e6).toFixed(0)} MB`
      return [
        ...(await measureOn('postgresql', path, channels, size, alone)),
        ...(await measureOn('embedded', path, channels, size, alone)),
        ...(await measureMeanwhile(folder, Math.ceil(effort.titles / 84))),
      ]
    }),
}

/** Adds the channels of the guide. */
async function addChannels({ db }: Pick<Context, 'db'>, channels: number): Promise<void> {
  const rows = Array.from({ length: channels }, (_, index) => ({ id: xmltvId(index), number: 1000 + index }))
  await db.execute(sql`
    insert into channels (kind, number, source_key, guide_id, names)
    select 'relay', number, id, id, jsonb_build_object('fra', id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, number int)`)
}

/**
 * Measures the latency of calls during an import of a guide in which every title is different. The database is
 * PGlite, which runs on the thread that answers calls.
 */
async function measureMeanwhile(folder: string, channels: number): Promise<Figure[]> {
  const path = join(folder, 'distinct.xml')
  await writeXmltv(path, { channels, days: DAYS, titles: 'distinct' }, Date.now())
  const programmes = (channels * DAYS * 48).toLocaleString('en-GB')
  return await withInstallation(
    'embedded',
    async (context) => await addChannels(context, channels),
    async ({ environment, catalogue }) => {
      const service = await startService({ ...environment, CATALOGUE_CACHE_SECONDS: '1' })
      const viewer = await signInViewer(service.origin, catalogue)
      const callers: RepeatingClient[] = [
        { what: '/healthz', calls: [{ path: '/healthz', headers: {} }] },
        {
          what: 'a page',
          calls: [
            { path: '/', headers: {} },
            { path: '/epg', headers: {} },
            { path: '/', headers: viewer },
          ],
        },
      ]
      // Warm-up: the first pages of a service are slower, because their code is not compiled yet.
      await waits(service.origin, callers, pause(REST_MS))
      const atRest = await waits(service.origin, callers, pause(REST_MS))
      const importing = watch(ONDINE, ['guide', 'import', path], environment)
      const meanwhile = await waits(service.origin, callers, importing)
      const { seconds } = await importing
      await service.stop()
      return callers.map(({ what }, index): Figure => {
        const values = meanwhile[index] ?? []
        return {
          what: `${what} while ${programmes} programmes with as many titles are imported, on PGlite: the latest answer`,
          unit: 'ms',
          values: [Math.max(...values)],
          target: { better: 'lower', mustReach: 250, aimsAt: 100 },
          reference: { what: 'at rest, the latest', values: [Math.max(...(atRest[index] ?? []))] },
          note: `Of ${values.length} answers in ${seconds.toFixed(0)} s; 99 of 100 came within ${percentile(values, 99).toFixed(0)} ms, 999 of 1,000 within ${percentile(values, 99.9).toFixed(0)} ms. Pages are home and the guide as a visitor sees them, and home as a viewer does, in turn.`,
        }
      })
    },
  )
}

/** A client that sends its `calls` one after another, again and again. */
interface RepeatingClient {
  what: string
  calls: readonly { path: string; headers: Record<string, string> }[]
}

/** Runs all `callers` until `end` settles. @returns latencies to the last byte in milliseconds, by caller */
async function waits(
  origin: string,
  callers: readonly RepeatingClient[],
  end: Promise<unknown>,
): Promise<number[][]> {
  const stop = new AbortController()
  const over = end.finally(() => stop.abort())
  const all = await Promise.all(
    callers.map(async ({ calls }) => {
      const values: number[] = []
      while (!stop.signal.aborted) {
        for (const { path, headers } of calls) {
          const began = performance.now()
          const answer = await fetch(`${origin}${path}`, { headers })
          await answer.arrayBuffer()
          if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`)
          values.push(performance.now() - began)
          await pause(ASK_MS)
        }
      }
      return values
    }),
  )
  await over
  return all
}

async function measureOn(
  kind: DatabaseKind,
  path: string,
  channels: Effort['titles'],
  size: string,
  alone: number,
): Promise<Figure[]> {
  return await withInstallation(
    kind,
    async (context) => await addChannels(context, channels),
    async ({ environment }) => {
      const first = await watch(ONDINE, ['guide', 'import', path], environment)
      const again = await watch(ONDINE, ['guide', 'import', path], environment)
      const idle = await watch(ONDINE, ['guide', 'sources', 'list'], environment)
      const reference = { what: 'parsing alone with saxes', values: [alone] }
      const on = DATABASE_NAMES[kind]
      return [
        {
          what: `guide import, on ${on}`,
          unit: 's',
          values: [first.seconds],
          target: { better: 'lower', mustReach: 30, aimsAt: 10 },
          reference,
          note: `${size}: the whole command, into an empty guide; search finds the programmes when it ends.`,
        },
        {
          what: `the same guide again, on ${on}`,
          unit: 's',
          values: [again.seconds],
          target: { better: 'lower', mustReach: null, aimsAt: null },
          reference,
          note: 'Nothing has changed, so nothing is written.',
        },
        {
          what: `memory of guide import, on ${on}`,
          unit: 'MB',
          values: [Math.max(first.peakMB, again.peakMB)],
          target: { better: 'lower', mustReach: kind === 'postgresql' ? 300 : null, aimsAt: null },
          reference: { what: 'a command that imports nothing', values: [idle.peakMB] },
          note:
            kind === 'postgresql'
              ? 'Most resident memory of the command at any time.'
              : 'With the embedded database, which alone takes most of it, in the same process.',
        },
      ]
    },
  )
}

/** Runs a program until it ends, and samples its memory meanwhile. */
async function watch(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ seconds: number; peakMB: number }> {
  const startedAt = performance.now()
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMB = 0
  const looking = setInterval(() => {
    if (child.pid === undefined || child.exitCode !== null) return
    const now = mostResidentMB(child.pid)
    // If the program has just ended, `now` is NaN, and the comparison is false.
    if (now > peakMB) peakMB = now
  }, LOOK_MS)
  try {
    const [status] = (await once(child, 'exit')) as [number | null]
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with status ${status}.`)
  } finally {
    clearInterval(looking)
  }
  const seconds = (performance.now() - startedAt) / 1000
  if (peakMB === 0) throw new Error(`${program} ended before its memory was sampled.`)
  return { seconds, peakMB }
}
