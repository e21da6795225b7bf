import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CATALOGUE } from './catalogue.ts'
import { BLOCK_PICTURES } from './channel-blocks.ts'
import { CHANNELS_FOLDER, writeChannels } from './channels.ts'
import { type FilmSettings, frameCount } from './film.ts'
import { FIRST, type FilmTask, filmKey, rankOf } from './film-order.ts'
import { LIVE_PICTURES } from './live-guide.ts'
import { MakerProcess } from './maker-process.ts'
import { writePapers } from './papers.ts'
import { SPOTS, SPOTS_FOLDER, spotSeconds, writeBreaks } from './spots.ts'
import type { Task } from './task.ts'
import { episodeName, fileName, type Title, titleFolder, twoDigits } from './title.ts'
import { trailerSeconds } from './trailer.ts'

/** Version of the output. Increase it when the output changes. Titles of an older version are then made again. */
const GENERATOR_VERSION = 2
/**
 * Version of posters, backgrounds and title art. Increase it when only these pictures change. They are then drawn
 * again, and the films stay.
 */
const ARTWORK_VERSION = 4

/**
 * File in each title's folder. It has the version with which the title was made, and the title's finished films.
 */
const MANIFEST = '.ondine-demo.json'
/**
 * Number of processes that make films: one for each core of the smallest supported machine. With more, the service
 * on the same machine would be too slow.
 */
const MAKERS = 2
const SHORTEST_SECONDS = 12

/** Options of a library. */
export interface LibraryOptions {
  /** Folder of the library; created if it is missing. */
  readonly folder: string
  /** Ids of the titles to make (see `catalogue.ts`). Defaults to all titles. */
  readonly only?: readonly string[]
  /** Length of each film and episode in seconds, at least 12. Defaults to the length in the catalogue. */
  readonly secondsPerFilm?: number
  /** Whether films show the frame strip, by which tests identify a frame (see `frame-strip.ts`). */
  readonly frameStrip?: boolean
  /**
   * Path of `folder` in the library of the service. The document of advertisement breaks needs it for the
   * addresses of advertisements. Undefined for a library without advertisements.
   */
  readonly spotsAt?: string
  /** Aborts the work. Finished files stay. */
  readonly signal?: AbortSignal
  /** Called once before the work, with the ids of the titles that are already complete. */
  readonly onKept?: (ids: readonly string[]) => void
  readonly onProgress?: (progress: LibraryProgress) => void
  /** Called once all advertisements and the document of their breaks exist. */
  readonly onSpots?: () => void
}

/** Progress of making the library. */
export interface LibraryProgress {
  /** The title that will be complete next. */
  readonly title: string
  /** Progress of that title, 0 to 100. */
  readonly percent: number
  /** Progress of everything that this run makes, 0 to 100. */
  readonly percentOfAll: number
  /** Estimated time until all titles are complete; null while unknown. */
  readonly secondsLeft: number | null
  /** Titles that are complete, including those from earlier runs. */
  readonly ready: readonly string[]
  /** Keys of the finished films, episodes and trailers of incomplete titles (see {@link filmKey}). */
  readonly films: readonly string[]
  /**
   * Number of finished steps. After each step, an import finds new files. The first step is the artwork of all
   * titles, and each film, episode and trailer is a further step.
   */
  readonly step: number
}

/** Result of a run. */
export interface LibraryResult {
  /** Ids of the titles that this run has made. */
  readonly made: readonly string[]
  /** Ids of the titles that were complete before this run. */
  readonly kept: readonly string[]
}

interface Manifest {
  readonly generator: number
  readonly artwork: number
  /** Null if the films have their length in the catalogue. */
  readonly secondsPerFilm: number | null
  /** Keys of the finished films, if the title is incomplete. */
  readonly films?: readonly string[]
}

interface Job {
  readonly title: Title
  readonly workFolder: string
  /** Folder of the title in the library. */
  readonly target: string
  readonly artwork: Task
  readonly films: readonly FilmTask[]
  /** Keys of the finished films. */
  readonly made: Set<string>
  readonly frames: Map<Task, number>
  readonly totalFrames: number
}

/**
 * Makes the missing parts of the demonstration library. First come all titles with their artwork, and with an
 * empty file for each film. Then come the films. Each film replaces its empty file when it is complete. Rejects
 * with the first failure, or with the signal's reason.
 */
export async function makeLibrary(options: LibraryOptions): Promise<LibraryResult> {
  const {
    folder,
    only,
    secondsPerFilm,
    frameStrip = false,
    spotsAt,
    signal,
    onKept,
    onProgress,
    onSpots,
  } = options
  if (secondsPerFilm !== undefined && !(secondsPerFilm >= SHORTEST_SECONDS)) {
    throw new RangeError(`secondsPerFilm is ${secondsPerFilm}; ${SHORTEST_SECONDS} is the least`)
  }
  const unknown = only?.filter((id) => !CATALOGUE.some((title) => title.id === id)) ?? []
  if (unknown.length > 0) throw new RangeError(`There are no titles called ${unknown.join(', ')}`)
  signal?.throwIfAborted()

  await mkdir(folder, { recursive: true })
  const wanted = CATALOGUE.filter((title) => only === undefined || only.includes(title.id))
  await writeChannels(
    folder,
    wanted.map(({ title }) => title),
  )
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
    const isCurrent =
      found?.generator === manifest.generator && found.secondsPerFilm === manifest.secondsPerFilm
    if (isCurrent && found.films === undefined && found.artwork === manifest.artwork) kept.push(title)
    else {
      const cut = { seconds: secondsPerFilm ?? null, strip: frameStrip }
      jobs.push(prepare(folder, title, cut, isCurrent ? (found.films ?? 'all') : []))
    }
  }
  // Titles of which only the pictures are missing or outdated. They stay available while their pictures are drawn.
  const redrawn = jobs.flatMap(({ title, films }) => (films.length === 0 ? [title] : []))
  onKept?.([...kept, ...redrawn].map((title) => title.id))
  const made: string[] = []
  let step = 0
  const cut = { seconds: spotSeconds(secondsPerFilm ?? null), strip: frameStrip }
  const putBreaks = async () => {
    if (spotsAt === undefined) return
    await writeBreaks(folder, spotsAt, cut.seconds)
    onSpots?.()
  }
  const spots = spotsAt === undefined ? [] : await missingSpots(folder, cut)
  if (spots.length === 0) await putBreaks()
  await runJobs({
    jobs,
    stills: await missingPictures(folder),
    spots,
    signal,
    onArtwork: async (job) => {
      await putArtwork(job, manifest)
      if (job.films.length === 0) made.push(job.title.id)
    },
    onAllArtwork: () => {
      step++
    },
    onAllSpots: putBreaks,
    onFilm: async (job) => {
      await putFilms(job, manifest)
      if (isComplete(job)) made.push(job.title.id)
      step++
    },
    onProgress: (job, share, secondsLeft) =>
      onProgress?.({
        title: job.title.title,
        percent: percentOf(job),
        percentOfAll: share * 100,
        secondsLeft,
        ready: [...kept.map((title) => title.id), ...made],
        films: jobs.flatMap((each) => [...each.made]),
        step,
      }),
  })
  return { made, kept: kept.map((title) => title.id) }
}

/** Returns tasks for the missing pictures of blocks and of the live channel's programmes. */
async function missingPictures(folder: string): Promise<Task[]> {
  const there = new Set(await readdir(join(folder, CHANNELS_FOLDER)))
  return [...BLOCK_PICTURES, ...LIVE_PICTURES].flatMap(({ file, titleId, point, crop }) =>
    there.has(file)
      ? []
      : {
          kind: 'still' as const,
          variation: 0,
          file: join(folder, CHANNELS_FOLDER, file),
          titleId,
          point,
          ...(crop && { crop }),
        },
  )
}

/** Returns the prefix of the names of a title's work folders. */
function workFolderName(title: Title): string {
  return `.making-${basename(titleFolder(title))}`
}

/** Returns tasks for the missing advertisements. */
async function missingSpots(library: string, cut: FilmSettings): Promise<Task[]> {
  const folder = join(library, SPOTS_FOLDER)
  await mkdir(folder, { recursive: true })
  const there = new Set(await readdir(folder))
  return SPOTS.flatMap(({ file, titleId }, spot) =>
    there.has(file) ? [] : { kind: 'spot' as const, titleId, spot, folder, cut },
  )
}

/** Removes work folders of this title that a killed run has left. */
async function removeLeftovers(folder: string, title: Title): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((each) => each.startsWith(workFolderName(title))))
    await removeFolder(join(folder, name))
}

/** Removes a folder. Retries, because a process of an aborted or killed run may still be writing a file. */
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
}

/** Reads the manifest in a title's folder; null if there is none. */
async function foundIn(folder: string): Promise<Partial<Manifest> | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  return text === null ? null : readManifest(text)
}

/** Parses a manifest. An unreadable manifest counts as empty, so that the title is made again. */
function readManifest(text: string): Partial<Manifest> | null {
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === 'object' ? found : null
  } catch {
    return null
  }
}

/** @param made keys of the finished films */
function prepare(
  folder: string,
  title: Title,
  { seconds, strip }: { seconds: number | null; strip: boolean },
  made: readonly string[] | 'all',
): Job {
  // Each run has a separate work folder, because processes of a killed run may still be writing.
  const workFolder = join(folder, `${workFolderName(title)}-${randomUUID()}`)
  const common = { titleId: title.id, folder: workFolder, strip }
  const all: FilmTask[] = [
    ...(title.kind === 'film'
      ? [{ kind: 'film' as const, ...common, seconds: seconds ?? title.durationSeconds }]
      : title.episodes.map(({ durationSeconds }, episode) => ({
          kind: 'episode' as const,
          ...common,
          episode,
          seconds: seconds ?? durationSeconds,
        }))),
    { kind: 'trailer', ...common, seconds: trailerSeconds(seconds) },
  ]
  const there = all.filter((task) => made === 'all' || made.includes(filmKey(task)))
  const films = all.filter((task) => !there.includes(task))
  const artwork: Task = { kind: 'artwork', titleId: title.id, folder: workFolder }
  return {
    title,
    workFolder,
    target: join(folder, titleFolder(title)),
    artwork,
    films,
    made: new Set(there.map(filmKey)),
    frames: new Map(),
    totalFrames: [artwork, ...films].reduce((sum, task) => sum + framesOf(task), 0),
  }
}

function isComplete({ films, made }: Job): boolean {
  return films.every((task) => made.has(filmKey(task)))
}

function framesOf(task: Task): number {
  return 'seconds' in task ? frameCount(task.seconds) : 100
}

function doneOf(job: Job): number {
  let sum = 0
  for (const frames of job.frames.values()) sum += frames
  return sum
}

function percentOf(job: Job): number {
  return Math.min(100, (100 * doneOf(job)) / job.totalFrames)
}

interface Run {
  jobs: readonly Job[]
  /** Tasks for pictures that belong to no title. */
  stills: readonly Task[]
  spots: readonly Task[]
  signal: AbortSignal | undefined
  onArtwork: (job: Job) => Promise<void>
  onAllArtwork: () => void
  onAllSpots: () => Promise<void>
  onFilm: (job: Job) => Promise<void>
  onProgress: (job: Job, share: number, secondsLeft: number | null) => void
}

/**
 * Runs the tasks in parallel processes. The artwork of all titles comes first, so that every title can be shown, and
 * then the films. The pictures of the channels and the advertisements come after the first films.
 */
async function runJobs({ jobs, stills, spots, signal, ...on }: Run): Promise<void> {
  const artworks = [...jobs]
  const films = jobs
    .flatMap((job) => job.films.map((task) => ({ job, task })))
    .sort((one, other) => rankOf(one.task) - rankOf(other.task))
  const tasks = artworks.length + films.length + stills.length + spots.length
  if (tasks === 0) return
  const total = jobs.reduce((sum, job) => sum + job.totalFrames, 0)
  const startedAt = performance.now()
  const tell = (job: Job) => {
    const share = total === 0 ? 1 : jobs.reduce((sum, each) => sum + doneOf(each), 0) / total
    const passed = (performance.now() - startedAt) / 1000
    on.onProgress(job, share, share > 0.01 ? (passed / share) * (1 - share) : null)
  }
  const makers = Array.from({ length: Math.min(MAKERS, tasks) }, () => new MakerProcess())
  const stop = () => {
    for (const maker of makers) maker.end()
  }
  const ended = async () => await Promise.all(makers.map(async (maker) => await maker.ended))
  signal?.addEventListener('abort', stop, { once: true })
  const doTask = async (maker: MakerProcess, job: Job | undefined, task: Task) => {
    signal?.throwIfAborted()
    if (job) await mkdir(job.workFolder, { recursive: true })
    await maker.run(task, (done) => {
      job?.frames.set(task, done)
      if (job) tell(job)
    })
    job?.frames.set(task, framesOf(task))
  }
  const draw = async (maker: MakerProcess) => {
    for (let job = artworks.shift(); job !== undefined; job = artworks.shift()) {
      await doTask(maker, job, job.artwork)
      await on.onArtwork(job)
      tell(job)
    }
  }
  // Moves films one after the other, because two films of the same title must not write its manifest at the same
  // time.
  let putting: Promise<unknown> = Promise.resolve()
  const putInPlace = async (after: Promise<unknown>, { job, task }: (typeof films)[number]) => {
    await after
    job.made.add(filmKey(task))
    await on.onFilm(job)
  }
  const besides = [...stills, ...spots]
  let [begunFilms, madeSpots] = [0, 0]
  const nextBeside = () => (begunFilms >= FIRST.length || films.length === 0 ? besides.shift() : undefined)
  const film = async (maker: MakerProcess) => {
    for (;;) {
      const beside = nextBeside()
      if (beside) {
        await doTask(maker, undefined, beside)
        if (beside.kind === 'spot') madeSpots++
        if (beside.kind === 'spot' && madeSpots === spots.length) await on.onAllSpots()
        continue
      }
      const next = films.shift()
      if (next === undefined) return
      begunFilms++
      const { job, task } = next
      await doTask(maker, job, task)
      putting = putInPlace(putting, next)
      await putting
      tell(job)
    }
  }
  try {
    await Promise.all(makers.map(draw))
    on.onAllArtwork()
    const [first] = jobs
    if (first) tell(first)
    await Promise.all(makers.map(film))
  } catch (error) {
    artworks.length = 0
    films.length = 0
    besides.length = 0
    stop()
    await ended()
    await Promise.all(jobs.map((job) => removeFolder(job.workFolder)))
    throw signal?.aborted === true ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Moves a title with its artwork and texts into the library, and creates an empty file for each unfinished film.
 */
async function putArtwork(job: Job, manifest: Manifest): Promise<void> {
  const { title, workFolder, target, films } = job
  await writePapers(title, workFolder, manifest.secondsPerFilm)
  const drawn = new Set(await readdir(workFolder))
  for (const task of films) {
    const path = pathOf(title, task)
    if (path !== undefined && task.kind !== 'trailer' && !(await exists(join(target, path))))
      await writeFile(join(workFolder, path), '')
  }
  await writeManifest(workFolder, job, manifest)
  if (await exists(target)) {
    await moveInto(workFolder, target)
    for (const name of await readdir(target))
      if (/\.(?:jpg|png)$/.test(name) && !drawn.has(name)) await rm(join(target, name))
  } else {
    await mkdir(dirname(target), { recursive: true })
    await rename(workFolder, target)
  }
}

/** Moves the finished films of a title into the library. */
async function putFilms(job: Job, manifest: Manifest): Promise<void> {
  const { title, workFolder, target, films, made } = job
  for (const task of films) {
    const path = pathOf(title, task)
    if (path !== undefined && made.has(filmKey(task)) && (await exists(join(workFolder, path))))
      await rename(join(workFolder, path), join(target, path))
  }
  await writeManifest(target, job, manifest)
  if (isComplete(job)) await removeFolder(workFolder)
}

async function writeManifest(folder: string, job: Job, manifest: Manifest): Promise<void> {
  const written: Manifest = isComplete(job) ? manifest : { ...manifest, films: [...job.made] }
  await writeFile(join(folder, `${MANIFEST}.part`), `${JSON.stringify(written)}\n`)
  await rename(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST))
}

/** Returns the path of a film in its title's folder. */
function pathOf(title: Title, task: FilmTask): string | undefined {
  if (task.kind === 'trailer') return `${fileName(title)}-trailer.mp4`
  if (title.kind === 'film') return `${fileName(title)}.mp4`
  const episode = task.kind === 'episode' ? title.episodes[task.episode] : undefined
  return episode && join(`Season ${twoDigits(episode.season)}`, `${episodeName(title, episode)}.mkv`)
}

/** Moves all files of a folder into another folder, one after the other, and replaces older files there. */
async function moveInto(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, place] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await moveInto(source, place)
    else await rename(source, place)
  }
  await removeFolder(from)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
