import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LAYOUT } from '@ondine/contract/constants'
import { openImageStore } from '@ondine/server/ingest/images'
import { hangPictures } from './artwork.ts'
import { anonymousMB, residentMB, startChild } from './child.ts'
import { drawLandscape } from './drawing.ts'
import { type Installation, withInstallation } from './installation.ts'
import { type Service, startService } from './service.ts'
import { makeSourceFilm } from './source-film.ts'
import { summarise } from './statistics.ts'
import { withTemporaryFolder } from './temporary-folder.ts'
import { playFilm, signInViewer } from './viewer.ts'

const USAGE = `Uses a service on PGlite as viewers and operators do, and reports its memory from the start to the end.
Ends with status 1 when the memory grows more than allowed.

  node bench/src/soak.ts [--minutes 60] [--every 60]

  --minutes  length of the run
  --every    seconds between two lines of the table
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    every: { type: 'string', default: '60' },
    help: { type: 'boolean' },
  },
})
const ONDINE = new URL('../../script/ondine', import.meta.url).pathname
/** Maximum growth of memory from start to end, in percent. */
const MOST_GROWTH = 20
/**
 * Number of film imports at the start and at the end, after each of which memory is measured. The median counts.
 */
const FILMS_AT_ENDS = 3
/** Number of rounds between two film imports. A round consists of pages, calls, pictures and playback. */
const ROUNDS_PER_FILM = 20
const FILM_SECONDS = 12
const PAGES = ['/', '/live', '/epg', '/search/mar', '/all-content', '/live-events/all']
const FORMATS = ['image/avif,image/webp,*/*', 'image/webp,*/*', 'image/*']

/** Memory of a process, in megabytes. */
interface Taken {
  resident: number
  /** Anonymous memory, without mapped files. */
  anonymous: number
  heap: number
  external: number
}

const minutes = Number(values.minutes)
const everyMs = Number(values.every) * 1000
if (values.help === true || !(everyMs > 0) || !(minutes * 60_000 >= everyMs)) {
  process.stdout.write(USAGE)
  process.exit(values.help === true ? 0 : 2)
}
await withTemporaryFolder(
  async (folder) =>
    await withInstallation(
      'embedded',
      hangPictures,
      async (installation) => await soak(folder, installation),
    ),
)
process.exit()

async function soak(folder: string, installation: Installation): Promise<void> {
  const { environment } = installation
  const library = join(folder, 'library')
  await mkdir(library)
  const { path: film } = await makeSourceFilm(join(folder, 'film.mkv'), FILM_SECONDS, {
    lines: 360,
    fits: true,
  })
  // Each round signs in the same account, which exceeds the usual limit of sign-ins. Load shedding is off, because
  // the machine is busy.
  const service = await startService({ ...environment, SIGN_IN_ATTEMPTS: '1000000', OVERLOAD_DELAY_MS: '0' })
  let rounds = 0
  let films = 0
  const nextRound = async () => await use(service, installation, folder, rounds++)
  const nextFilm = async () => await takeFilm(library, film, environment, films++)
  // Separate programs package a film, so the service is idle meanwhile and collects its garbage. Measurements for
  // the table directly follow a round and include uncollected garbage. So the start is only compared with the end,
  // and neither with a line of the table.
  const atEnd = async () => {
    const all: number[] = []
    for (let taking = 0; taking < FILMS_AT_ENDS; taking++) {
      await nextRound()
      await nextFilm()
      all.push((await taken(service)).resident)
    }
    return summarise(all).median
  }
  const first = await atEnd()
  report(0, await taken(service))
  const startedAt = performance.now()
  const end = startedAt + minutes * 60_000
  let next = startedAt + everyMs
  while (performance.now() < end) {
    await nextRound()
    if (rounds % ROUNDS_PER_FILM === 0) await nextFilm()
    if (performance.now() < next) continue
    next += everyMs
    report((performance.now() - startedAt) / 60_000, await taken(service))
  }
  const last = await atEnd()
  await service.stop()
  const growth = (last / first - 1) * 100
  process.stdout.write(
    `From ${first.toFixed(0)} to ${last.toFixed(0)} MB: ${growth.toFixed(0)} % more, where ${MOST_GROWTH} % are allowed.\n`,
  )
  if (growth > MOST_GROWTH) process.exitCode = 1
}

/** A round: requests pages, calls, pictures and a film, as a visitor and as a signed-in viewer. */
async function use(
  { origin }: Service,
  { catalogue, dataFolder }: Installation,
  folder: string,
  round: number,
): Promise<void> {
  const { categoryIds, films, tokens } = catalogue
  const viewer = await signInViewer(origin, catalogue)
  const pages = await Promise.all(
    [{}, viewer].flatMap((headers) => PAGES.map(async (path) => await ask(`${origin}${path}`, { headers }))),
  )
  const shown = new Set(
    pages.flatMap((page) => [...page.matchAll(/\/images\/[0-9a-f]{32}/g)].map(([path]) => path)),
  )
  for (const [operation, fields] of [
    ['hierarchy', ''],
    ['listContent', `id=${categoryIds[round % categoryIds.length]}&`],
    ['listChannels', ''],
    ['epg', `offset=${round % 3}&hours=24&`],
  ] as const) {
    await ask(`${origin}/proxy/${operation}`, {
      method: 'POST',
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      body: `${fields}languageId=fra`,
    })
  }
  const film = films[round % films.length]
  if (film === undefined) throw new Error('There are no films.')
  await playFilm(origin, viewer, film)
  const added = await addPicture(dataFolder, folder, round)
  const height = LAYOUT.imageHeights[round % LAYOUT.imageHeights.length]
  const accept = FORMATS[round % FORMATS.length] ?? ''
  await Promise.all([
    ...[...shown].map(async (path) => await ask(`${origin}${path}/${height}`, { headers: { accept } })),
    // These are the first requests for these pictures, so the service must resize each of them.
    ...LAYOUT.imageHeights.flatMap((each) =>
      FORMATS.map(async (format) => await ask(`${origin}${added}/${each}`, { headers: { accept: format } })),
    ),
  ])
}

/** Adds a new picture to the service, as an import does. @returns its path */
async function addPicture(dataFolder: string, folder: string, number: number): Promise<string> {
  const drawing = join(folder, 'added.png')
  await writeFile(drawing, drawLandscape(-1 - number))
  const { id } = await openImageStore(join(dataFolder, 'images')).store(drawing)
  return `/images/${id}`
}

/** Sends a request and returns the body. @throws if the answer is not a success */
async function ask(address: string, init: RequestInit): Promise<string> {
  const answer = await fetch(address, init)
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${body.slice(0, 200)}`)
  return body
}

/** Imports a new film with a new picture into the library. */
async function takeFilm(
  library: string,
  source: string,
  environment: Record<string, string>,
  number: number,
): Promise<void> {
  const title = `Essai ${number} (2026)`
  const folder = join(library, 'Films', title)
  await mkdir(folder, { recursive: true })
  await copyFile(source, join(folder, `${title}.mkv`))
  await writeFile(join(folder, 'poster.png'), drawLandscape(number))
  const { child } = await startChild({
    command: ONDINE,
    arguments: ['import', library],
    environment,
    ready: /files prepared/,
    readySeconds: 600,
  })
  await child.stop()
}

async function taken({ origin, pid }: Service): Promise<Taken> {
  const figures = await ask(`${origin}/metrics`, {})
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(figures)?.[1] ?? Number.NaN) / 1e6
  return {
    resident: residentMB(pid),
    anonymous: anonymousMB(pid),
    heap: megabytes('nodejs_heap_size_total_bytes'),
    external: megabytes('nodejs_external_memory_bytes'),
  }
}

function report(atMinutes: number, { resident, anonymous, heap, external }: Taken): void {
  const parts = { resident, anonymous, 'V8 heap': heap, external, other: anonymous - heap - external }
  const shown = Object.entries(parts).map(([what, megabytes]) => `${what} ${megabytes.toFixed(0)}`)
  process.stdout.write(`${atMinutes.toFixed(1)} min: ${shown.join(', ')} MB\n`)
}
