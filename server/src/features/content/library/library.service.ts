import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { type Problem, type ScannedFolder, scanFolder } from '../../../files/scan-folder.ts'
import { REASONS, type Reason } from '../../../ingest/reasons.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
import { lossesOf } from '../../inventory/stores/stores.service.ts'
import { despiteRemoval } from './despite-removal.ts'
import { type FoundMedia, type FoundSeries, findTitles } from './find-titles.ts'
import { fingerprint, readFault } from './fingerprint.ts'
import { queueImports } from './import-queue.service.ts'
import { startLibraryJobs } from './library.jobs.ts'
import {
  cancelVanished,
  countAssets,
  countImports,
  failAsset,
  findFailed,
  findMedia,
  findNoted,
  findTarget,
  followImports,
  type ImportRow,
  listImports,
  listLibraries,
  putImport,
  readKnownTitles,
  removeTrailers,
  type Trailerless,
  withdrawVanished,
} from './library.repository.ts'
import type { MediaWork } from './library.table.ts'
import { libraryFolder, libraryName } from './library-name.ts'
import { relinkReplaced } from './replaced-files.ts'
import {
  type TakenSeason,
  type Taking,
  takeEpisode,
  takeFilm,
  takeSeason,
  takeSeries,
} from './take-titles.ts'
import { isBroadcastFile } from './video-names.ts'

export interface LibraryOptions {
  signal: AbortSignal
  /** Language of the library's metadata and of the title in logos. Default: {@link DEFAULT_LANGUAGE}. */
  language?: Language
  /**
   * Ids of the packages for films and for episodes. By default, films and episodes are in no package, and every
   * account can play them.
   */
  packages?: { films?: number; series?: number }
  /**
   * Whether an empty file announces a future film, which is shown as being prepared. By default, empty files are
   * refused.
   */
  announcesEmpty?: boolean
  /** Maximum number of files and folders that are read. Default: that of `scanFolder`. */
  mostEntries?: number
}

/** Result of reading a folder, before the preparation of its media. */
export interface TakenLibrary {
  films: number
  episodes: number
  /** Ids of the new waiting imports, one for each new or changed file. */
  queued: number[]
  /** Number of withdrawn assets, whose files no longer exist. */
  withdrawn: number
  /** Files that were skipped, with the reason. */
  problems: Problem[]
  /** Remarks for the operator about imported files, such as packages that a new title has joined. */
  remarks: Problem[]
}

/** Result of an import. */
export interface ImportedLibrary extends TakenLibrary {
  /** Number of files that became ready. */
  ready: number
  /** Files that could not be imported. */
  failed: Obstacle[]
  /** Subtitles that were left out, as a whole or in part. */
  leftOut: Problem[]
}

/** Reason why a file could not be imported, or why it waits. */
export interface Obstacle {
  source: string
  reason: Reason
  detail: string
}

/** Progress of an import. */
export interface LibraryProgress {
  /** Title in preparation; null between two files. */
  title: string | null
  /** Progress of the file of `title`, 0 to 100. */
  titlePercent: number
  /** Progress of the whole import, 0 to 100. */
  percent: number
  secondsLeft: number | null
  ready: number
  total: number
  /** A file that waits until an operator has acted; null if there is none. */
  postponed: Obstacle | null
}

/** Thrown if the folder cannot be imported. The message says what to do. */
export class LibraryError extends Error {
  override name = 'LibraryError'
}

/** Interval at which {@link importLibrary} checks the progress of the imports, in milliseconds. */
const LOOK_MS = 500

/**
 * Reads a folder of films and series into the catalogue: names, metadata and artwork. Queues imports for new and
 * changed media files. Withdraws titles without files, removes trailers without files, and reports invalid files as
 * problems. After an interruption, the function can be called again.
 *
 * @param folder absolute path of the folder
 * @throws {LibraryError}
 */
export async function takeLibrary(
  context: Context,
  folder: string,
  options: LibraryOptions,
): Promise<TakenLibrary> {
  const { signal } = options
  const path = resolve(folder)
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isAbsolute(folder) || !isFolder) throw new LibraryError(`${folder} is not a readable folder.`)
  const library = libraryName(context.folders, path)

  await refuseOverlap(context, path)

  const { root, unread, problems } = await scanFolder(path, signal, options.mostEntries)
  const now = context.clock.now()
  const find = async () => findTitles(root, now, await readKnownTitles(context.db, library))
  let titles = await find()
  const seasons = titles.series.flatMap((series) => series.seasons)
  const isEmpty = titles.films.length === 0 && seasons.every(({ episodes }) => episodes.length === 0)
  if (isEmpty && (await countAssets(context.db, library)) > 0) {
    const all = [...problems, ...titles.problems]
    const [first] = all
    const left = first && ` Left out (1 of ${all.length}): ${first.path}: ${first.reason}.`
    throw new LibraryError(
      `There is no film or episode in ${folder} any more. Is a disk missing? Nothing was withdrawn.${left ?? ''} To withdraw all its titles, run "ondine libraries withdraw ${folder}".`,
    )
  }

  const seen = { assets: [] as string[], files: [] as string[] }
  const trailerless: Trailerless = { assets: [], categories: [] }
  const isLost = await lossesOf(context.stores.media)
  // The prefix of the library's own folder is empty.
  const keysOf = (paths: readonly string[]) =>
    paths.map((inside) => (inside === path ? '' : `${relative(path, inside)}${sep}`))
  const suspicious = await findEmptied(context.db, library, root)
  const { moved, related, isChoiceOver } = await relinkReplaced(context.db, {
    library,
    folder: path,
    folderOf: (name) => libraryFolder(context.folders, name),
    titles,
    unread: keysOf(unread),
    emptied: keysOf(suspicious),
    now,
    signal,
  })
  if (!isChoiceOver) titles = await find()
  problems.push(...titles.problems)
  const remarks = moved.map(({ from, to }): Problem => ({ path: to, reason: `moved from ${from}` }))
  const taking: Taking = {
    context,
    library,
    language: options.language ?? DEFAULT_LANGUAGE,
    packages: options.packages ?? {},
    related,
    problems,
    remarks,
  }
  const taken: TakenLibrary = { films: 0, episodes: 0, queued: [], withdrawn: 0, problems, remarks }
  // The titles of files that were moved elsewhere are no longer in the folder.
  const emptied: string[] = []
  for (const emptyPath of suspicious) {
    const [prefix] = keysOf([emptyPath])
    if ((await countAssets(context.db, library, prefix)) === 0) continue
    emptied.push(emptyPath)
    const reason =
      'it has become empty, and its titles stay; is a disk missing? Remove the folder if its titles are gone'
    problems.push({ path: emptyPath, reason })
  }
  const unsure = [...unread, ...emptied]
  const offer = async (media: FoundMedia, file: Offer): Promise<void> => {
    if (isBroadcastFile(media.path)) return
    seen.files.push(media.path)
    if (options.announcesEmpty === true && (await stat(media.path)).size === 0) return
    const id = await offerMedia(taking, media, file, isLost)
    if (id !== undefined) taken.queued.push(id)
  }
  // The failure of a title does not stop the other titles.
  const guarded = async (path: string, take: () => Promise<void>): Promise<void> => {
    signal.throwIfAborted()
    try {
      await take()
    } catch (error) {
      context.log.error({ err: error, path }, 'a title could not be imported into the library')
      problems.push({ path, reason: error instanceof Error ? error.message : String(error) })
    }
  }

  for (const film of titles.films) {
    seen.assets.push(`${library}:${film.media.key}`)
    await guarded(film.media.path, async () => {
      const { key, title } = await despiteRemoval(async () => await takeFilm(taking, film))
      taken.films += 1
      await offer(film.media, { kind: 'film', title, target: { asset: key }, media: 'main' })
      if (film.trailer)
        await offer(film.trailer, { kind: 'trailer', title, target: { asset: key }, media: 'trailer' })
      else if (film.trailer === null) trailerless.assets.push(key)
    })
  }
  const takeWholeSeries = async (series: FoundSeries): Promise<void> => {
    let inCatalogue = await despiteRemoval(async () => await takeSeries(taking, series))
    for (const season of series.seasons) {
      const takeWithin = async (isAnew: boolean): Promise<TakenSeason> => {
        if (isAnew) inCatalogue = await takeSeries(taking, series)
        return await takeSeason(taking, inCatalogue, season)
      }
      let within = await despiteRemoval(takeWithin)
      for (const episode of season.episodes) {
        await guarded(episode.media.path, async () => {
          const { key, title } = await despiteRemoval(async (isAnew) => {
            if (isAnew) within = await takeWithin(true)
            return await takeEpisode(taking, inCatalogue, within, episode)
          })
          taken.episodes += 1
          await offer(episode.media, { kind: 'episode', title, target: { asset: key }, media: 'main' })
        })
      }
    }
    const { trailer } = series
    const { stored, title } = inCatalogue
    if (trailer) {
      const target = { category: stored.sourceKey }
      await offer(trailer, { kind: 'trailer', title, target, media: 'trailer' })
    } else if (trailer === null) trailerless.categories.push(stored.sourceKey)
  }
  for (const series of titles.series) {
    const episodes = series.seasons.flatMap((season) => season.episodes)
    seen.assets.push(...episodes.map(({ media }) => `${library}:${media.key}`))
    if (episodes.length > 0) await guarded(series.key, async () => await takeWholeSeries(series))
  }

  signal.throwIfAborted()
  taken.withdrawn = await withdrawVanished(context.db, library, seen.assets, keysOf(unsure))
  if (unsure.length === 0) await cancelVanished(context.db, library, seen.files, context.clock.now())
  await removeTrailers(context.db, library, trailerless)
  return taken
}

/**
 * Refuses a new library inside a library, or around one: its titles would be there twice, and would take the imports of
 * their files from each other.
 */
async function refuseOverlap({ db, folders }: Context, path: string): Promise<void> {
  const own = libraryName(folders, path)
  const libraries = await listLibraries(db)
  if (libraries.includes(own)) return
  const real = await realpath(path)
  for (const library of libraries) {
    const folder = libraryFolder(folders, library)
    const other = await realpath(folder).catch(() => folder)
    if (!isWithin(real, other) && !isWithin(other, real)) continue
    throw new LibraryError(
      `${path} overlaps the library ${folder}, so its titles would be there twice. Import ${folder} instead. If its files have moved, run "ondine libraries move ${folder} <new folder>". To import ${path} in its place, run "ondine libraries withdraw ${folder}" first: the titles return with everything that viewers have.`,
    )
  }
}

/** Returns whether a folder is another folder, or is inside it. */
function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** Number of titles in a folder from which it is suspicious that the folder has become empty. */
const SUSPICIOUS_TITLES = 2

/**
 * Returns the paths of folders directly in the library that had several titles and are now empty. A disk that is mounted
 * there may be missing.
 */
async function findEmptied(db: Database, library: string, root: ScannedFolder): Promise<string[]> {
  const emptied: string[] = []
  for (const folder of root.folders) {
    if (!folder.isComplete || folder.files.length > 0 || folder.folders.length > 0) continue
    const titles = await countAssets(db, library, `${folder.name}${sep}`)
    if (titles >= SUSPICIOUS_TITLES) emptied.push(folder.path)
  }
  return emptied
}

/**
 * Reads a folder as {@link takeLibrary} does, and waits until its media is prepared. A job prepares the media, so
 * the preparation continues if this call is interrupted.
 */
export async function importLibrary(
  context: Context,
  folder: string,
  options: LibraryOptions & { onProgress?: (progress: LibraryProgress) => void },
): Promise<ImportedLibrary> {
  await startLibraryJobs(context)
  const taken = await takeLibrary(context, folder, options)
  await queueImports(context)
  const ready = await waitFor(context, taken.queued, options)
  const failed = await findFailed(context.db, taken.queued)
  const noted = await findNoted(context.db, taken.queued)
  return {
    ...taken,
    ready,
    remarks: [...taken.remarks, ...noted.flatMap(remarksOn)],
    failed: failed.flatMap((row) => obstacleOf(row) ?? []),
    leftOut: noted.flatMap(leftOutOf),
  }
}

/** Returns remarks on the subtitles of an import that were read in an assumed encoding. */
export function remarksOn({ notes }: Pick<ImportRow, 'notes'>): Problem[] {
  return notes.flatMap(({ origin, assumedEncoding }): Problem[] => {
    if (assumedEncoding === undefined) return []
    const reason = `it is not in Unicode and has no language in its name, so it was read as ${assumedEncoding}; name the language, as in "La Houle (2026).ru.srt", or convert the file to UTF-8`
    return [{ path: origin, reason }]
  })
}

/**
 * Returns the subtitles that an import left out. Describes only the first fault of each file, and counts the others.
 */
export function leftOutOf({ source, notes }: Pick<ImportRow, 'source' | 'notes'>): Problem[] {
  return notes.flatMap(({ origin, reason, problems: [first, ...more] }): Problem[] => {
    const path = isAbsolute(origin) ? origin : `${source}, ${origin}`
    if (reason !== null) return [{ path, reason: REASONS[reason].eng }]
    const rest = more.length === 0 ? '' : ` (and ${more.length} more)`
    return first ? [{ path, line: first.line, reason: `${first.reason}${rest}` }] : []
  })
}

function obstacleOf({ source, reason }: Pick<ImportRow, 'source' | 'reason'>): Obstacle | null {
  return reason && { source, reason: reason.code, detail: reason.detail }
}

/** Waits until the given imports have ended. @returns the number of ready files */
async function waitFor(
  { db }: Context,
  ids: readonly number[],
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (progress: LibraryProgress) => void },
): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { states, active, postponed } = await followImports(db, ids)
    const { ready = 0, failed = 0, cancelled = 0 } = states
    const total = Object.values(states).reduce((sum, count) => sum + count, 0)
    const ended = ready + failed + cancelled
    const share = total === 0 ? 1 : (ended + (active?.percent ?? 0) / 100) / total
    const passed = (performance.now() - startedAt) / 1000
    onProgress?.({
      title: active?.title ?? null,
      titlePercent: active?.percent ?? 0,
      percent: share * 100,
      secondsLeft: share > 0.02 ? Math.round((passed / share) * (1 - share)) : null,
      ready,
      total,
      postponed: postponed ? obstacleOf(postponed) : null,
    })
    if (ended === total) return ready
    await pause(LOOK_MS, undefined, { signal })
  }
}

type Offer = Pick<ImportRow, 'kind' | 'title'> & Omit<MediaWork, 'subtitles'>

/**
 * Queues the import of a file, unless the result of its last import is still valid.
 *
 * @param isLost returns whether the store has lost a TrackSet
 * @returns the id of the import if it must run
 */
async function offerMedia(
  { context, library, problems }: Taking,
  media: FoundMedia,
  { kind, title, target, media: role }: Offer,
  isLost: (trackSetId: string) => Promise<boolean>,
): Promise<number | undefined> {
  for (const path of media.unsupported) {
    problems.push({
      path,
      reason: 'subtitles in this format are not supported; convert them to .srt or .vtt',
    })
  }
  const subtitles: SubtitleFile[] = []
  for (const subtitle of media.subtitles) {
    const fault = await readFault(subtitle.path)
    if (fault === undefined) subtitles.push(subtitle)
    else problems.push({ path: subtitle.path, reason: fault })
  }
  let print: string
  try {
    print = await fingerprint({ path: media.path, subtitles })
  } catch (error) {
    problems.push({ path: media.path, reason: error instanceof Error ? error.message : String(error) })
    if (role === 'main' && 'asset' in target) await failAsset(context.db, target.asset)
    return undefined
  }
  const owner = await findTarget(context.db, target)
  const made = owner && (await findMedia(context.db, owner, role))
  if (made?.fingerprint === print && !(await isLost(made.trackSetId))) return undefined
  const work: MediaWork = { target, media: role, subtitles }
  return await putImport(
    context.db,
    { kind, source: media.path, library, work, title, fingerprint: print },
    context.clock.now(),
  )
}

/** Maximum number of waiting imports, and of ended imports, that a list shows. */
export const MOST_LISTED = 50

/** Progress of all imports. */
export interface ImportProgress {
  /** Whether an import is in progress or waiting. */
  running: boolean
  ready: number
  total: number
  /** Progress of all imports that are ready, waiting or running, 0 to 100. */
  percent: number
  secondsLeft: number | null
  /** Running imports, then waiting imports, then ended imports, the latest first. */
  items: ImportRow[]
}

export async function readProgress(db: Database): Promise<ImportProgress> {
  const { states, meanSeconds } = await countImports(db)
  const items = await listImports(db, MOST_LISTED)
  const { ready = 0, failed = 0, cancelled = 0, waiting = 0, ...active } = states
  const underWay = Object.values(active).reduce((sum, count) => sum + count, 0)
  const total = ready + waiting + underWay
  const begun = items.slice(0, underWay)
  const share = begun.reduce((sum, { percent }) => sum + percent / 100, 0)
  const current = begun.reduce<number | null>(
    (most, { secondsLeft }) => (secondsLeft === null ? most : Math.max(most ?? 0, secondsLeft)),
    null,
  )
  const secondsLeft =
    waiting === 0 ? current : meanSeconds === null ? null : (current ?? meanSeconds) + waiting * meanSeconds
  return {
    running: waiting + underWay > 0,
    ready,
    total: total + failed + cancelled,
    percent: total === 0 ? 100 : ((ready + share) / total) * 100,
    secondsLeft: secondsLeft === null ? null : Math.round(secondsLeft),
    items,
  }
}
