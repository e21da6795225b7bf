import { basename, dirname, join } from 'node:path'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import type { FoundTitles } from './find-titles.ts'
import { videoFingerprint, videoPart } from './fingerprint.ts'
import { comparable } from './folder-names.ts'
import {
  findKnownKeys,
  findNewSeries,
  findVanished,
  MOST_WITHDRAWN,
  type Relinking,
  relinkAssets,
  relinkSeries,
} from './library.repository.ts'
import { parseTitle, stemOf } from './video-names.ts'

/** A library as a scan has found it. */
export interface ScannedLibrary {
  /** Name of the library: the prefix of its source keys. */
  library: string
  /** Absolute path of its folder. */
  folder: string
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
}

/** Returns what two videos of one title have in common; undefined if that does not apply to the video. */
type Identity = (video: Video) => string | undefined

const sameContent: Identity = ({ kind, print }) => print && `${kind} ${print}`

const sameEpisode: Identity = ({ place }) =>
  place === null ? undefined : `${comparable(place.series)}/${place.season}/${place.episode}`

/** @param now milliseconds since the Unix epoch; a later year in a name is part of the title */
function sameFolder(now: number): Identity {
  return ({ kind, key, isAlone }) => {
    const own = parseTitle(basename(dirname(key)), now)
    const { title } = parseTitle(stemOf(basename(key)), now)
    const isOwn = own.year !== null || title.toLowerCase().startsWith(own.title.toLowerCase())
    return kind === 'film' && isAlone && isOwn ? dirname(key) : undefined
  }
}

/** @param now as for {@link sameFolder} */
function sameTitle(now: number): Identity {
  return ({ kind, key, isAlone }) => {
    if (kind !== 'film') return undefined
    const named = parseTitle(stemOf(basename(key)), now)
    const own = parseTitle(basename(dirname(key)), now)
    const { title, year } = isAlone && named.year === null && own.year !== null ? own : named
    return `${year ?? dirname(key)} ${title.toLowerCase()}`
  }
}

/**
 * Finds titles whose file was replaced by a file with another name, and assigns the new file to the title. So the
 * title keeps its id, and with it its rights, positions, favourites and URL. A new file replaces a missing one if it
 * has the same content, is the same episode, is the only film in the same folder, or has the same title and year. If
 * several files are possible, the new file becomes a new title. Media is prepared again only if the content differs.
 */
export async function relinkReplaced(db: Database, scan: ScannedLibrary): Promise<void> {
  const { library, titles } = scan
  const found = videosOf(titles)
  const seen = found.map(({ key }) => `${library}:${key}`)
  const vanished = await findVanished(db, library, seen, scan.unread)
  if (vanished.length === 0) return
  const known = await findKnownKeys(db, seen)
  const isKnown = ({ key }: { key: string }): boolean => known.has(`${library}:${key}`)
  const newFiles = found.filter((video) => !isKnown(video))
  if (newFiles.length === 0) return

  const filmsNow = countByFolder(found)
  const filmsBefore = countByFolder([
    ...found.filter(isKnown),
    ...vanished.filter(({ availability }) => availability !== 'withdrawn'),
  ])
  const missing = vanished.map((row) => ({
    ...row,
    print: row.fingerprint === null ? undefined : videoPart(row.fingerprint),
    isAlone: isAlone(row.key, filmsBefore),
  }))
  const added: (Video & { path: string })[] = []
  for (const video of newFiles) {
    const print = await printOf(video.path)
    added.push({ ...video, print, isAlone: isAlone(video.key, filmsNow) })
  }

  const isDoubtful = ({ key }: Video) => scan.emptied.some((prefix) => key.startsWith(prefix))
  const certain = missing.filter((video) => !isDoubtful(video))
  const renamed = await relinkRenamedSeries(db, scan, certain, added)
  for (const { place } of missing) if (place) place.series = renamed.get(place.series) ?? place.series
  const identities = [sameContent, sameEpisode, sameFolder(scan.now), sameTitle(scan.now)]
  const isThere = ({ availability }: (typeof missing)[number]) => availability !== 'withdrawn'
  const pairs = pair(certain.filter(isThere), added, identities)
  const pairLeft = (videos: typeof missing, by: readonly Identity[]) => {
    const taken = new Set(pairs.map(([, to]) => to))
    const left = added.filter((video) => !taken.has(video))
    pairs.push(...pair(videos, left, by))
  }
  pairLeft(missing.filter(isDoubtful).filter(isThere), [sameContent])
  // A title that was withdrawn before gets the file only if no other title does.
  pairLeft(
    missing.filter((video) => !isThere(video)),
    identities,
  )
  const relinkings = pairs.map(
    ([from, to]): Relinking => ({
      oldKey: `${library}:${from.key}`,
      newKey: `${library}:${to.key}`,
      oldSource: join(scan.folder, from.key),
      newSource: to.path,
    }),
  )
  await new Pace(MOST_WITHDRAWN).over(relinkings, async (some) => await relinkAssets(db, some))
}

function videosOf({
  films,
  series,
}: FoundTitles): (Pick<Video, 'key' | 'kind' | 'place'> & { path: string })[] {
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
function pair<Part, Missing extends Part, Added extends Part>(
  missing: readonly Missing[],
  added: readonly Added[],
  identities: readonly ((each: Part) => string | undefined)[],
): [Missing, Added][] {
  const pairs: [Missing, Added][] = []
  let from = [...missing]
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
  { library, titles, now }: ScannedLibrary,
  missing: readonly Video[],
  added: readonly Video[],
): Promise<Map<string, string>> {
  const present = new Set(videosOf(titles).flatMap(({ place }) => place?.series ?? []))
  const gone = [...new Set(missing.flatMap(({ place }) => place?.series ?? []))].filter(
    (key) => !present.has(key),
  )
  if (gone.length === 0) return new Map()
  const newKeys = await findNewSeries(db, [...present])
  const moved = new Map<string, string>()
  for (const [from, to] of pair(missing, added, [sameContent])) {
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
      library,
      [...moved],
      missing.map(({ key }) => key),
    ),
  )
}
