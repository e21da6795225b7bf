import { slugify } from '@ondine/contract/slugs'
import { SaxesParser } from 'saxes'
import { isUnrated, readAgeRating } from '../../../metadata/age-ratings.ts'
import { oneLine } from './video-names.ts'

/** Fields of a metadata file of Kodi or Jellyfin. A field without a usable value is undefined. */
export interface Nfo {
  title?: string
  plot?: string
  tagline?: string
  /** Year in the file, or else of the first showing. */
  year?: number
  /** Date of the first showing, as `YYYY-MM-DD`. */
  premiered?: string
  /** The age rating as in the file: `10+`, `PG-13`, `FSK 12`. Undefined for `Unrated` and the like. */
  rating?: string
  /** Score, 0 to 5. */
  score?: number
  studio?: string
  /** URL of a page about the title, http or https. */
  website?: string
  /** Text that replaces the title in the URL of its page. */
  slug?: string
  /** Start of a live event, in milliseconds since the Unix epoch. Only for events. */
  starts?: number
  ends?: number
  /** Times between which the title is available, in milliseconds since the Unix epoch. */
  availablefrom?: number
  availableuntil?: number
  /** Names of the elements above whose value is not a time with a time zone. */
  invalidTimes: string[]
  genres: string[]
  tags: string[]
  directors: string[]
  /** Sorted by their `order` in the file, or in the order of the file. */
  actors: string[]
  /** Only for series: names of its seasons. */
  seasonNames: Map<number, string>
}

export interface NfoReading {
  nfo: Nfo
  /**
   * Why the rest of the file could not be read, with the line, counted from 1. Null if the whole file was read.
   */
  problem: { line: number; reason: string } | null
}

const LIMITS = { characters: 2_000_000, depth: 32, list: 100, plot: 10_000, textPerElement: 100_000 } as const

const ROOTS = new Set(['movie', 'tvshow', 'season', 'episodedetails'])

/** An error that stops the parsing of a file. */
class NfoError extends Error {
  override name = 'NfoError'
}

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  /** Text of child elements by name, for ratings and actors. */
  children: Map<string, string>
}

/**
 * Parses the known elements of a metadata file. Refuses a document type, because it may define entities that
 * expand without end. If the file has an error, returns the fields before the error.
 *
 * The file of a video with several episodes has one root for each. Their titles and texts are joined, and the strictest
 * age rating applies.
 */
export function readNfo(text: string): NfoReading {
  const [first = '', ...more] =
    text.length > LIMITS.characters
      ? [text]
      : text.split(/(?<=<\/episodedetails>)(?=\s*<episodedetails[\s>])/)
  const reading = readRoot(first)
  let line = 1
  let before = first
  for (const root of more.slice(0, LIMITS.list)) {
    line += before.split('\n').length - 1
    before = root
    const { nfo, problem } = readRoot(root)
    reading.nfo = joinEpisodes(reading.nfo, nfo)
    reading.problem ??= problem && { ...problem, line: problem.line + line - 1 }
  }
  return reading
}

function joinEpisodes(one: Nfo, other: Nfo): Nfo {
  const joined = (separator: string, ...texts: (string | undefined)[]): string | undefined =>
    [...new Set(texts.filter((text) => text !== undefined))].join(separator) || undefined
  const all = (list: 'genres' | 'tags' | 'directors' | 'actors' | 'invalidTimes'): string[] =>
    [...new Set([...one[list], ...other[list]])].slice(0, LIMITS.list)
  const title = joined(' / ', one.title, other.title)
  const plot = joined('\n\n', one.plot, other.plot)
  const rating = stricter(one.rating, other.rating)
  return {
    ...other,
    ...one,
    ...(title !== undefined && { title }),
    ...(plot !== undefined && { plot }),
    ...(rating !== undefined && { rating }),
    genres: all('genres'),
    tags: all('tags'),
    directors: all('directors'),
    actors: all('actors'),
    invalidTimes: all('invalidTimes'),
  }
}

/** Returns the stricter of two age ratings. An unknown one is the stricter, so that it is reported. */
function stricter(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const levelOf = (rating: string): number => {
    const known = readAgeRating(rating)
    return known === undefined ? Infinity : known.moralityLevel + (known.adult ? 100 : 0)
  }
  return levelOf(other) > levelOf(one) ? other : one
}

function readRoot(text: string): NfoReading {
  const nfo: Nfo = {
    invalidTimes: [],
    genres: [],
    tags: [],
    directors: [],
    actors: [],
    seasonNames: new Map(),
  }
  if (text.length > LIMITS.characters) return { nfo, problem: { line: 1, reason: 'it is too long' } }
  const actors: { name: string; order: number }[] = []
  const open: Element[] = []
  let ended = false
  const parser = new SaxesParser({ position: true, xmlns: false })
  parser.on('error', (error) => {
    throw new NfoError(error.message.replace(/^\d+:\d+: /, ''))
  })
  parser.on('doctype', () => {
    throw new NfoError('it has a document type, which is not allowed')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === 0 && !ROOTS.has(name)) throw new NfoError(`its root is ${oneLine(name, 40)}`)
    if (open.length >= LIMITS.depth) throw new NfoError('its elements are nested too deep')
    open.push({ name, attributes, text: '', children: new Map() })
  })
  const addText = (piece: string): void => {
    const element = open.at(-1)
    if (element && element.text.length < LIMITS.textPerElement) element.text += piece
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element === undefined) return
    open.at(-1)?.children.set(element.name, element.text.trim())
    // Use only elements directly in the root, and ratings in a `ratings` element directly in the root.
    if (open.length === 1) take(nfo, actors, element)
    else if (open.length === 2 && open[1]?.name === 'ratings') takeRating(nfo, element)
    ended = open.length === 0
  })
  let problem: NfoReading['problem'] = null
  try {
    // Kodi allows a line with a URL after the root element, which is not valid XML. So everything after the root
    // is ignored.
    for (const line of text.replace(/^\uFEFF/, '').split(/(?<=\n)/)) {
      if (ended) break
      parser.write(line)
    }
    if (!ended) problem = { line: parser.line, reason: 'it ends in the middle' }
  } catch (error) {
    if (!(error instanceof NfoError)) throw error
    problem = { line: parser.line, reason: error.message }
  }
  if (nfo.premiered !== undefined) nfo.year ??= Number(nfo.premiered.slice(0, 4))
  nfo.actors = actors
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name)
    .slice(0, LIMITS.list)
  return { nfo, problem }
}

function take(nfo: Nfo, actors: { name: string; order: number }[], element: Element): void {
  const value = oneLine(element.text)
  const add = (list: string[]): void => {
    if (value !== '' && list.length < LIMITS.list && !list.includes(value)) list.push(value)
  }
  switch (element.name) {
    case 'title':
      if (value !== '') nfo.title ??= value
      break
    case 'plot':
      if (value !== '') nfo.plot ??= paragraphs(element.text)
      break
    case 'tagline':
      if (value !== '') nfo.tagline ??= value
      break
    case 'year':
      if (/^(?:18|19|20|21)\d\d$/.test(value)) nfo.year ??= Number(value)
      break
    case 'premiered':
    case 'aired':
    case 'releasedate':
      if (isDate(value)) nfo.premiered ??= value
      break
    case 'mpaa':
    case 'certification':
      if (!isUnrated(value)) nfo.rating ??= value
      break
    case 'rating':
      takeScore(nfo, value, 10)
      break
    case 'studio':
      if (value !== '') nfo.studio ??= value
      break
    case 'genre':
      // Some programs write all genres into one element.
      for (const genre of value.split(/\s*[/|,;]\s*/)) {
        if (genre !== '' && nfo.genres.length < LIMITS.list && !nfo.genres.includes(genre))
          nfo.genres.push(genre)
      }
      break
    case 'tag':
      add(nfo.tags)
      break
    case 'website':
      if (/^https?:\/\/[^\s"<>]{3,500}$/i.test(value) && URL.canParse(value)) nfo.website ??= value
      break
    case 'slug':
      if (slugify(value) !== '') nfo.slug ??= slugify(value)
      break
    case 'starts':
    case 'ends':
      if (isMoment(value)) nfo[element.name] ??= Date.parse(value)
      break
    case 'availablefrom':
    case 'availableuntil':
      if (isMoment(value)) nfo[element.name] ??= Date.parse(value)
      else nfo.invalidTimes.push(element.name)
      break
    case 'director':
      add(nfo.directors)
      break
    case 'actor': {
      const name = oneLine(element.children.get('name') ?? '')
      const order = Number(element.children.get('order') ?? actors.length)
      if (name !== '' && actors.length < LIMITS.list)
        actors.push({ name, order: Number.isFinite(order) ? order : 0 })
      break
    }
    case 'namedseason': {
      const number = Number(element.attributes.number)
      if (value !== '' && Number.isInteger(number) && number >= 0) nfo.seasonNames.set(number, value)
      break
    }
  }
}

/**
 * Uses the default rating of `<ratings><rating max="10" default="true"><value>8.1</value></rating></ratings>`, or
 * else the first rating.
 */
function takeRating(nfo: Nfo, { name, attributes, children }: Element): void {
  if (name !== 'rating') return
  if (attributes.default === 'true') delete nfo.score
  takeScore(nfo, children.get('value') ?? '', Number(attributes.max ?? 10))
}

/** Converts a score out of `max` to a score out of 5. Stores it unless the file has already given a score. */
function takeScore(nfo: Nfo, text: string, max: number): void {
  const value = Number(text.replace(',', '.'))
  if (text === '' || !(value > 0) || !(max > 0) || value > max) return
  nfo.score ??= Math.round((value / max) * 50) / 10
}

/** Removes superfluous spaces from each line of a text. Keeps the line breaks. */
function paragraphs(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => oneLine(line, LIMITS.plot))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, LIMITS.plot)
}

/** Returns whether a text is a time with a time zone. A time without a zone would be ambiguous. */
function isMoment(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
