import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CATALOGUE } from './catalogue.ts'
import { writeChannels } from './channels.ts'
import { frameCount } from './film.ts'
import { MakerProcess } from './maker-process.ts'
import { writePapers } from './papers.ts'
import type { Task } from './task.ts'
import { type Title, titleFolder } from './title.ts'
import { trailerSeconds } from './trailer.ts'

/** Raise it when what is made changes: titles of an older version are made again. */
export const GENERATOR_VERSION = 1
/** Raise it when only posters, backgrounds or title art change: they are drawn again where titles are made, whose films stay. */
const ARTWORK_VERSION = 2

/** In each title's folder: says that it is complete, and by which version. */
const MANIFEST = '.ondine-demo.json'
/** One per core of the smallest machine that is meant; more would starve the service beside. */
const MAKERS = 2
const SHORTEST_SECONDS = 12

/** What to make, and where. */
export interface LibraryOptions {
  /** The library's folder; made if it is not there. */
  readonly folder: string
  /** Ids of titles (see `catalogue.ts`); all when left out. */
  readonly only?: readonly string[]
  /** Length of each film and episode in seconds, 12 or more; as the catalogue says when left out. */
  readonly secondsPerFilm?: number
  /** Stops the work; what is complete stays, what is not leaves nothing behind. */
  readonly signal?: AbortSignal
  /** Told once, before anything is made, of the titles that are complete. */
  readonly onKept?: (ids: readonly string[]) => void
  readonly onProgress?: (progress: LibraryProgress) => void
}

/** How far the library is. */
export interface LibraryProgress {
  /** The title that will be ready next. */
  readonly title: string
  /** Of that title, 0 to 100. */
  readonly percent: number
  /** Of everything that this run makes, 0 to 100. */
  readonly percentOfAll: number
  /** Until everything is made; null while nothing is known. */
  readonly secondsLeft: number | null
  /** Titles that are complete, in this run or before. */
  readonly ready: readonly string[]
}

/** What a run did. */
export interface LibraryResult {
  /** Ids of the titles that this run made. */
  readonly made: readonly string[]
  /** Ids of the titles that were there. */
  readonly kept: readonly string[]
}

interface Manifest {
  readonly generator: number
  readonly artwork: number
  /** Null: as the catalogue says. */
  readonly secondsPerFilm: number | null
}

interface Job {
  readonly title: Title
  readonly workFolder: string
  readonly tasks: Task[]
  /** Whether its films are there, and only its artwork is made. */
  readonly redraws: boolean
  readonly frames: Map<Task, number>
  open: number
  totalFrames: number
}

/**
 * Makes the demonstration library, or what is missing of it. Each title appears at once and complete: it is made in a
 * hidden folder and renamed. Rejects with the first failure, or with the signal's reason.
 */
export async function makeLibrary(options: LibraryOptions): Promise<LibraryResult> {
  const { folder, only, secondsPerFilm, signal, onKept, onProgress } = options
  if (secondsPerFilm !== undefined && !(secondsPerFilm >= SHORTEST_SECONDS)) {
    throw new RangeError(`secondsPerFilm is ${secondsPerFilm}; ${SHORTEST_SECONDS} is the least`)
  }
  const unknown = only?.filter((id) => !CATALOGUE.some((title) => title.id === id)) ?? []
  if (unknown.length > 0) throw new RangeError(`There is no title called ${unknown.join(', ')}`)
  signal?.throwIfAborted()

  await mkdir(folder, { recursive: true })
  await writeChannels(folder)
  const wanted = CATALOGUE.filter((title) => only === undefined || only.includes(title.id))
  const manifest: Manifest = {
    generator: GENERATOR_VERSION,
    artwork: ARTWORK_VERSION,
    secondsPerFilm: secondsPerFilm ?? null,
  }
  const kept: Title[] = []
  const jobs: Job[] = []
  for (const title of wanted) {
    await removeLeftovers(folder, title)
    const found = await foundIn(join(folder, titleFolder(title)))
    const hasFilms =
      found?.generator === manifest.generator && found.secondsPerFilm === manifest.secondsPerFilm
    if (hasFilms && found.artwork === manifest.artwork) kept.push(title)
    else jobs.push(prepare(folder, title, secondsPerFilm, hasFilms))
  }
  // One whose pictures are drawn again is there meanwhile.
  const redrawn = jobs.flatMap(({ title, redraws }) => (redraws ? [title] : []))
  onKept?.([...kept, ...redrawn].map((title) => title.id))
  const made: string[] = []
  if (jobs.length > 0) {
    await runJobs(
      jobs,
      signal,
      (job) => publish(folder, job, manifest, made),
      (job, share, secondsLeft) => {
        onProgress?.({
          title: job.title.title,
          percent: percentOf(job),
          percentOfAll: share * 100,
          secondsLeft,
          ready: [...kept.map((title) => title.id), ...made],
        })
      },
    )
  }
  return { made, kept: kept.map((title) => title.id) }
}

function oldFolder(folder: string, title: Title): string {
  return join(folder, `.old-${basename(titleFolder(title))}`)
}

/** Where a title is made: what is named so, or so with more behind it. */
function workFolderName(title: Title): string {
  return `.making-${basename(titleFolder(title))}`
}

/** Removes what a run left that was killed while it made a title, or put a new version in the old one's place. */
async function removeLeftovers(folder: string, title: Title): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((each) => each.startsWith(workFolderName(title))))
    await removeFolder(join(folder, name))
  await removeFolder(oldFolder(folder, title))
}

/** A maker or encoder that was told to end, or whose parent was killed, may write a last file meanwhile. */
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
}

/** What the manifest of a title's folder says; null where there is none. */
async function foundIn(folder: string): Promise<Partial<Manifest> | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  return text === null ? null : readManifest(text)
}

/** A manifest that cannot be read says nothing: its title is made again. */
function readManifest(text: string): Partial<Manifest> | null {
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === 'object' ? found : null
  } catch {
    return null
  }
}

function prepare(folder: string, title: Title, secondsPerFilm: number | undefined, redraws: boolean): Job {
  // One of its own for each run: makers of a run that was killed may not have noticed it yet.
  const workFolder = join(folder, `${workFolderName(title)}-${randomUUID()}`)
  const artwork: Task = { kind: 'artwork', titleId: title.id, folder: workFolder }
  const trailer: Task = {
    kind: 'trailer',
    titleId: title.id,
    folder: workFolder,
    seconds: trailerSeconds(secondsPerFilm ?? null),
  }
  const main: Task[] =
    title.kind === 'film'
      ? [
          {
            kind: 'film',
            titleId: title.id,
            folder: workFolder,
            seconds: secondsPerFilm ?? title.durationSeconds,
          },
        ]
      : title.episodes.map((episode, index) => ({
          kind: 'episode',
          titleId: title.id,
          episode: index,
          folder: workFolder,
          seconds: secondsPerFilm ?? episode.durationSeconds,
        }))
  const tasks = redraws ? [artwork] : [...main, trailer, artwork]
  return {
    title,
    workFolder,
    tasks,
    redraws,
    frames: new Map(),
    open: tasks.length,
    totalFrames: tasks.reduce((sum, task) => sum + framesOf(task), 0),
  }
}

function framesOf(task: Task): number {
  if (task.kind === 'artwork' || task.kind === 'still') return 100
  return frameCount(task.seconds)
}

function doneOf(job: Job): number {
  let sum = 0
  for (const frames of job.frames.values()) sum += frames
  return sum
}

function percentOf(job: Job): number {
  return Math.min(100, (100 * doneOf(job)) / job.totalFrames)
}

/**
 * Two makers take the tasks in order, so that the first title is ready first; the last task of a title publishes it.
 * Until the first one is there nobody has anything to see, so nothing else takes its time.
 */
async function runJobs(
  jobs: readonly Job[],
  signal: AbortSignal | undefined,
  onComplete: (job: Job) => Promise<void>,
  onProgress: (job: Job, share: number, secondsLeft: number | null) => void,
): Promise<void> {
  const queue = jobs.flatMap((job) => job.tasks.map((task) => ({ job, task })))
  const total = jobs.reduce((sum, job) => sum + job.totalFrames, 0)
  const startedAt = performance.now()
  const tell = () => {
    const current = jobs.find((job) => job.open > 0)
    if (current === undefined) return
    const share = jobs.reduce((sum, job) => sum + doneOf(job), 0) / total
    const passed = (performance.now() - startedAt) / 1000
    onProgress(current, share, share > 0.01 ? (passed / share) * (1 - share) : null)
  }
  const makers = Array.from({ length: Math.min(MAKERS, queue.length) }, () => new MakerProcess())
  const stop = () => {
    for (const maker of makers) maker.end()
  }
  const ended = async () => await Promise.all(makers.map(async (maker) => await maker.ended))
  signal?.addEventListener('abort', stop, { once: true })
  const opening = Promise.withResolvers<void>()
  const take = async () => {
    if (queue[0]?.job !== jobs[0]) await opening.promise
    return queue.shift()
  }
  const serve = async (maker: MakerProcess) => {
    for (let next = await take(); next !== undefined; next = await take()) {
      signal?.throwIfAborted()
      const { job, task } = next
      await mkdir(job.workFolder, { recursive: true })
      await maker.run(task, (done) => {
        job.frames.set(task, done)
        tell()
      })
      job.frames.set(task, framesOf(task))
      job.open -= 1
      if (job.open === 0) {
        await onComplete(job)
        opening.resolve()
      }
      tell()
    }
  }
  try {
    await Promise.all(makers.map(serve))
  } catch (error) {
    queue.length = 0
    opening.resolve()
    stop()
    await ended()
    await Promise.all(jobs.filter((job) => job.open > 0).map((job) => removeFolder(job.workFolder)))
    throw signal?.aborted === true ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

async function publish(folder: string, job: Job, manifest: Manifest, made: string[]): Promise<void> {
  const target = join(folder, titleFolder(job.title))
  if (job.redraws) {
    await replaceArtwork(job.workFolder, target)
    await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest)}\n`)
    made.push(job.title.id)
    return
  }
  await writePapers(job.title, job.workFolder, manifest.secondsPerFilm)
  await writeFile(join(job.workFolder, MANIFEST), `${JSON.stringify(manifest)}\n`)
  await mkdir(dirname(target), { recursive: true })
  // An older version makes room only now that the new one is complete.
  const old = oldFolder(folder, job.title)
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(job.workFolder, target)
  await removeFolder(old)
  made.push(job.title.id)
}

/** Puts pictures into the places of older ones, one after the other; what is not drawn any more goes. */
async function replaceArtwork(drawn: string, target: string): Promise<void> {
  const names = new Set(await readdir(drawn))
  for (const name of names) await rename(join(drawn, name), join(target, name))
  for (const name of await readdir(target))
    if (/\.(?:jpg|png)$/.test(name) && !names.has(name)) await rm(join(target, name))
  await removeFolder(drawn)
}
