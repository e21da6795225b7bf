import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { isEmptyFolder } from '../../../files/scan-folder.ts'
import { isErrno } from '../../../is-errno.ts'
import type { FoundTitles } from './find-titles.ts'
import { videoFingerprint, videoPart } from './fingerprint.ts'
import { comparable } from './folder-names.ts'
import {
  findByContent,
  findKnownKeys,
  findNewSeries,
  findVanished,
  hasImports,
  type ImportedVideo,
  MOST_WITHDRAWN,
  relinkAssets,
  relinkSeries,
  type StoredVideo,
} from './library.repository.ts'
import { parseTitle, stemOf, titleKey } from './video-names.ts'

/** A library as a scan has found it. */
export interface ScannedLibrary {
  /** Name of the library: the prefix of its source keys. */
  library: string
  /** Absolute path of its folder. */
  folder: string
  /** Returns the absolute path of the folder of a library. */
  folderOf: (library: string) => string
  titles: FoundTitles
  /** Prefixes of the keys in folders that could not be read. Files in them do not count as missing. */
  unread: readonly string[]
  /**
   * Prefixes of the keys in folders that have become empty. A disk may be missing there, so their titles get only files
   * with the same content.
   */
  emptied: readonly string[]
  /** Time of the scan, in milliseconds since the Unix epoch. */
  now: number
  signal: AbortSignal
}

/** A video by which a title may be recognised: a missing video with an asset, or a new video without one. */
interface Video {
  /** Path in the library. */
  key: string
  kind: 'film' | 'episode'
  /** Series, season and number of an episode. */
  place: { series: string; season: number | null; episode: number | null } | null
  /** Video part of the fingerprint; undefined if unknown. */
  print: string | undefined
  /** Whether the folder contains no other film. Never true in the library's own folder. */
  isAlone: boolean
  /** Whether the file is left out as another quality of a film, so that only its content is compared. */
  isLeftOut: boolean
}

/** A file of a scan. */
type FoundVideo = Pick<Video, 'key' | 'kind' | 'place'> & Pick<Added, 'path'>

/** Returns what two videos of one title have in common; undefined if that does not apply to the video. */
type Identity = (video: Video) => string | undefined

const sameContent: Identity = ({ kind, print }) => print && `${kind} ${print}`

const sameEpisode: Identity = ({ place }) =>
  place === null ? undefined : `${comparable(place.series)}/${place.season}/${place.episode}`

/** @param now milliseconds since the Unix epoch; a later year in a name is part of the title */
function identitiesAt(now: number): Identity[] {
  return [sameContent, sameEpisode, sameFolder(now), sameTitle(now)]
}

/** @param now as for {@link identitiesAt} */
function sameFolder(now: number): Identity {
  return ({ kind, key, isAlone, isLeftOut }) => {
    const own = parseTitle(basename(dirname(key)), now)
    const { title } = parseTitle(stemOf(basename(key)), now)
    const isOwn = own.year !== null || title.toLowerCase().startsWith(own.title.toLowerCase())
    return kind === 'film' && isAlone && !isLeftOut && isOwn ? dirname(key) : undefined
  }
}

/** @param now as for {@link identitiesAt} */
function sameTitle(now: number): Identity {
  return ({ kind, key, isAlone, isLeftOut }) => {
    if (kind !== 'film' || isLeftOut) return undefined
    const named = parseTitle(stemOf(basename(key)), now)
    const own = parseTitle(basename(dirname(key)), now)
    const { title, year } = isAlone && named.year === null && own.year !== null ? own : named
    return `${year ?? dirname(key)} ${titleKey(title) || title.toLowerCase()}`
  }
}

/** Result of the comparison of a scan with the stored titles. */
export interface Relinked {
  /** Titles taken over from other libraries: the earlier and the present path of the file. */
  moved: { from: string; to: string }[]
  /**
   * Ids of related titles, by the path of a new file in the library. A related title has the
   * same content, is another edition of the film, or is one of several titles that the file could replace.
   */
  related: ReadonlyMap<string, readonly number[]>
  /** False if a file that was left out as another quality of a film is the file of a title now. */
  isChoiceOver: boolean
}

/** A stored title whose file is missing. */
interface Vanished extends Video, Pick<StoredVideo, 'id' | 'library' | 'availability'> {
  /** Absolute path of the missing file. */
  source: string
}

/** A new file without a title. */
interface Added extends Video {
  /** Absolute path. */
  path: string
}

/**
 * Finds titles whose file was replaced by a file with another name, and assigns the new file to the title. So the
 * title keeps its id, and with it its rights, positions, favourites and URL. A new file replaces a missing one if it
 * has the same content, is the same episode, is the only film in the same folder, or has the same title and year. If
 * several files are possible, the new file becomes a new title. Only a file with the same content replaces one of
 * another library. Media is prepared again only if the content differs.
 */
export async function relinkReplaced(db: Database, scan: ScannedLibrary): Promise<Relinked> {
  const { library, titles } = scan
  const found = videosOf(titles)
  const seen = found.map(({ key }) => `${library}:${key}`)
  const known = await findKnownKeys(db, seen)
  const idOf = ({ key }: { key: string }): number | undefined => known.get(`${library}:${key}`)
  const newFiles = found.filter((video) => idOf(video) === undefined)
  const leftOut = titles.otherQualities.map((file): FoundVideo => ({ ...file, kind: 'film', place: null }))
  if (newFiles.length + leftOut.length === 0) return { moved: [], related: new Map(), isChoiceOver: true }

  const rows = await findVanished(db, library, seen, scan.unread)
  const filmsNow = countByFolder(found)
  const filmsBefore = countByFolder([
    ...found.filter((video) => idOf(video) !== undefined),
    ...rows.filter(({ availability }) => availability !== 'withdrawn'),
  ])
  const vanished = rows.map((row): Vanished => {
    const source = join(scan.folder, row.key)
    return {
      ...row,
      source,
      print: printIn(row),
      isAlone: isAlone(row.key, filmsBefore),
      isLeftOut: false,
    }
  })
  const mayMatch = vanished.length > 0 || (await hasImports(db))
  const added: Added[] = []
  for (const video of [...newFiles, ...leftOut]) {
    scan.signal.throwIfAborted()
    const print = mayMatch ? await printOf(video.path) : undefined
    added.push({
      ...video,
      print,
      isAlone: isAlone(video.key, filmsNow),
      isLeftOut: leftOut.includes(video),
    })
  }
  const prints = added.flatMap(({ print }) => print ?? [])
  const copies = (await findByContent(db, prints)).map((row) => ({
    ...row,
    print: printIn(row),
    isAlone: false,
    isLeftOut: false,
  }))
  const empty = new Set<string>()
  for (const other of new Set(copies.map((copy) => copy.library)))
    if (await isEmptyFolder(scan.folderOf(other))) empty.add(other)
  const elsewhere: Vanished[] = []
  for (const copy of copies)
    if (copy.library !== library && (await hasLeft(copy, empty, added))) elsewhere.push(copy)

  const pairs = await pairWithNew(db, scan, { vanished, elsewhere, added })
  const relinkings = pairs.map(([from, to]) => ({
    oldKey: `${from.library}:${from.key}`,
    newKey: `${library}:${to.key}`,
    oldSource: from.source,
    newSource: to.path,
  }))
  await new Pace(MOST_WITHDRAWN).over(relinkings, async (some) => await relinkAssets(db, library, some))
  const left = withoutPaired(added, pairs)
  return {
    moved: pairs.flatMap(([from, { path }]) =>
      from.library === library || from.source === path ? [] : [{ from: from.source, to: path }],
    ),
    related: joinIds(left, [
      ...identitiesAt(scan.now).map((identity) => sharing(vanished, left, identity)),
      sharing(copies, left, sameContent),
      editionsOf(titles, idOf),
    ]),
    isChoiceOver: pairs.every(([, { isLeftOut }]) => !isLeftOut),
  }
}

/** Pairs missing videos, in this library and elsewhere, with the new files that replace them. */
async function pairWithNew(
  db: Database,
  scan: ScannedLibrary,
  { vanished, elsewhere, added }: { vanished: Vanished[]; elsewhere: Vanished[]; added: Added[] },
): Promise<[Vanished, Added][]> {
  const isDoubtful = ({ key }: Video) => scan.emptied.some((prefix) => key.startsWith(prefix))
  const certain = vanished.filter((video) => !isDoubtful(video))
  const renamed = await relinkRenamedSeries(db, scan, [...certain, ...elsewhere], added)
  for (const { place } of vanished) if (place) place.series = renamed.get(place.series) ?? place.series
  const identities = identitiesAt(scan.now)
  const isWithdrawn = ({ availability }: Vanished) => availability === 'withdrawn'
  const isThere = (video: Vanished) => !isWithdrawn(video)
  const pairs: [Vanished, Added][] = []
  const pairLeft = (videos: readonly Vanished[], by: readonly Identity[]) => {
    pairs.push(...pair(videos, withoutPaired(added, pairs), by))
  }
  pairLeft(certain.filter(isThere), identities)
  pairLeft(vanished.filter(isDoubtful).filter(isThere), [sameContent])
  pairLeft(elsewhere.filter(isThere), [sameContent])
  // A title that was withdrawn before gets the file only if no other title does.
  const withdrawn = vanished.filter(isWithdrawn)
  pairLeft(withdrawn, [sameContent])
  pairLeft(elsewhere.filter(isWithdrawn), [sameContent])
  pairLeft(
    withdrawn.filter((video) => pairs.every(([from]) => from !== video)),
    identities,
  )
  return pairs
}

function withoutPaired(added: readonly Added[], pairs: readonly (readonly [Vanished, Added])[]): Added[] {
  const paired = new Set(pairs.map(([, to]) => to))
  return added.filter((video) => !paired.has(video))
}

/**
 * Returns whether a file of another library has left that library. A file is not counted as moved if its library has no
 * file at all, because a disk may be missing, unless the title was withdrawn.
 *
 * @param empty names of the libraries without files
 */
async function hasLeft(
  { source, library, availability, print }: ImportedVideo & Pick<Video, 'print'>,
  empty: ReadonlySet<string>,
  added: readonly Added[],
): Promise<boolean> {
  const isWithdrawn = availability === 'withdrawn'
  const real = await realPath(source)
  if (real === undefined) return isWithdrawn || !empty.has(library)
  if (!isWithdrawn) return false
  // The folder of a withdrawn library may be imported as a part of another one, or through a link.
  const alike = added.filter((video) => video.print === print)
  return (await Promise.all(alike.map(async ({ path }) => await realPath(path)))).includes(real)
}

/** Returns the path of a file without links; undefined if the file does not exist. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    // A file that cannot be reached for another reason than its absence may exist.
    return isErrno(error, 'ENOENT', 'ENOTDIR') ? undefined : path
  }
}

/** Returns the ids of the videos in `stored` that share an identity with a new file, by the path of the new file. */
function sharing(
  stored: readonly (Video & { id: number })[],
  added: readonly Added[],
  identity: Identity,
): Map<string, number[]> {
  const byIdentity = Map.groupBy(stored, (video) => identity(video))
  return new Map(
    added.map((video) => {
      const id = identity(video)
      return [video.key, id === undefined ? [] : (byIdentity.get(id) ?? []).map((each) => each.id)]
    }),
  )
}

/** Returns the ids of the stored editions of each film, by the path of its file. */
function editionsOf(
  { films }: FoundTitles,
  idOf: (media: { key: string }) => number | undefined,
): Map<string, number[]> {
  const ofOneFilm = Map.groupBy(
    films,
    ({ media, title, year }) => `${dirname(media.key)}/${titleKey(title)} ${year}`,
  )
  return new Map(
    [...ofOneFilm.values()].flatMap((editions) => {
      const ids = editions.flatMap(({ media }) => idOf(media) ?? [])
      return editions.map(({ media }) => [media.key, ids] as const)
    }),
  )
}

function joinIds(added: readonly Added[], found: readonly Map<string, number[]>[]): Map<string, number[]> {
  return new Map(added.map(({ key }) => [key, [...new Set(found.flatMap((ids) => ids.get(key) ?? []))]]))
}

function videosOf({ films, series }: FoundTitles): FoundVideo[] {
  const episodes = series.flatMap(({ key, seasons }) =>
    seasons.flatMap(({ number: season, episodes }) =>
      episodes.map(({ number: episode, media }) => ({ media, place: { series: key, season, episode } })),
    ),
  )
  return [
    ...films.map(({ media: { key, path } }) => ({ key, path, kind: 'film' as const, place: null })),
    ...episodes.map(({ media: { key, path }, place }) => ({ key, path, kind: 'episode' as const, place })),
  ]
}

function countByFolder(videos: readonly Pick<Video, 'key' | 'kind'>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key, kind } of videos)
    if (kind === 'film') counts.set(dirname(key), (counts.get(dirname(key)) ?? 0) + 1)
  return counts
}

function isAlone(key: string, films: ReadonlyMap<string, number>): boolean {
  return dirname(key) !== '.' && (films.get(dirname(key)) ?? 0) <= 1
}

function printIn({ fingerprint }: StoredVideo): string | undefined {
  return fingerprint === null ? undefined : videoPart(fingerprint)
}

/** Returns the fingerprint of a new file. An unreadable file has none: its own import reports it. */
async function printOf(path: string): Promise<string | undefined> {
  try {
    return await videoFingerprint(path)
  } catch {
    return undefined
  }
}

/**
 * Pairs missing videos with new ones, by the first identity for which exactly one of each is left.
 */
function pair<Part, Vanished extends Part, Added extends Part>(
  vanished: readonly Vanished[],
  added: readonly Added[],
  identities: readonly ((each: Part) => string | undefined)[],
): [Vanished, Added][] {
  const pairs: [Vanished, Added][] = []
  let from = [...vanished]
  let to = [...added]
  for (const identity of identities) {
    const candidates = onlyOnes(to, identity)
    for (const [id, old] of onlyOnes(from, identity)) {
      const match = candidates.get(id)
      if (match !== undefined) pairs.push([old, match])
    }
    const taken = { from: new Set(pairs.map(([old]) => old)), to: new Set(pairs.map(([, match]) => match)) }
    from = from.filter((each) => !taken.from.has(each))
    to = to.filter((each) => !taken.to.has(each))
  }
  return pairs
}

/** Returns the items whose identity no other item has, by this identity. */
function onlyOnes<Item>(
  items: readonly Item[],
  identity: (item: Item) => string | undefined,
): Map<string, Item> {
  const counts = new Map<string, number>()
  for (const item of items) {
    const id = identity(item)
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return new Map(
    items.flatMap((item) => {
      const id = identity(item)
      return id !== undefined && counts.get(id) === 1 ? [[id, item] as const] : []
    }),
  )
}

/**
 * Assigns the new folder of a series to the series: a folder with one of its files under another name, or with its
 * title. The old folder must have no episode any more, in any library.
 *
 * @returns the new keys of the series, by the old ones
 */
async function relinkRenamedSeries(
  db: Database,
  { titles, now }: ScannedLibrary,
  vanished: readonly Vanished[],
  added: readonly Video[],
): Promise<Map<string, string>> {
  const present = new Set(videosOf(titles).flatMap(({ place }) => place?.series ?? []))
  const gone = [...new Set(vanished.flatMap(({ place }) => place?.series ?? []))].filter(
    (key) => !present.has(key),
  )
  if (gone.length === 0) return new Map()
  const newKeys = await findNewSeries(db, [...present])
  const moved = new Map<string, string>()
  for (const [from, to] of pair(vanished, added, [sameContent])) {
    if (from.place && to.place && gone.includes(from.place.series) && newKeys.has(to.place.series))
      moved.set(from.place.series, to.place.series)
  }
  const rest = gone.filter((key) => !moved.has(key))
  const unclaimed = [...newKeys].filter((key) => ![...moved.values()].includes(key))
  const byTitle = pair(rest, unclaimed, [(key: string) => parseTitle(key, now).title.toLowerCase()])
  for (const [from, to] of byTitle) {
    const years = [parseTitle(from, now).year, parseTitle(to, now).year]
    if (years.includes(null) || years[0] === years[1]) moved.set(from, to)
  }
  return new Map(
    await relinkSeries(
      db,
      [...moved],
      vanished.map(({ id }) => id),
    ),
  )
}
