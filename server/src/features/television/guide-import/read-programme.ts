import type { LocalisedText } from '../../../database/columns.ts'
import { languageCode } from '../../../ingest/language-codes.ts'
import { type AgeRating, readAgeRating } from '../../../metadata/age-ratings.ts'
import { plainName } from '../../../outbound/plain-name.ts'
import type { Announced, AnnouncedContent } from './announced.ts'
import { withoutMarkup } from './html-markup.ts'
import type { ProgrammeCredit, ProgrammeDetails } from './programme-details.ts'
import type { XmltvElement, XmltvProgramme } from './xmltv-reader.ts'
import { readXmltvTime } from './xmltv-times.ts'

/** Default values of a source for all of its programmes. */
export interface SourceHabits {
  timeZone: string
  /** Three-letter language code for texts without a language. */
  language: string
  /** Age level of a programme without a rating. */
  unratedLevel: number
}

const LONGEST_TITLE = 300
const LONGEST_TEXT = 5000
const MOST = 40

const ROLES: ReadonlyMap<string, ProgrammeCredit['role']> = new Map([
  ['director', 'director'],
  ['actor', 'actor'],
  ['writer', 'writer'],
  ['adapter', 'adapter'],
  ['producer', 'producer'],
  ['composer', 'composer'],
  ['editor', 'editor'],
  ['presenter', 'presenter'],
  ['host', 'presenter'],
  ['commentator', 'commentator'],
  ['guest', 'guest'],
])

/**
 * Converts a `<programme>` element to a programme. Returns the reason as text if the element is rejected.
 *
 * @param after start of the channel's previous programme in the file.
 * @param remark reports tolerated faults.
 */
export function readProgramme(
  { line, attributes, elements }: XmltvProgramme,
  habits: SourceHabits,
  after: number | undefined,
  remark: (line: number, reason: string) => void,
): Announced | string {
  const { timeZone } = habits
  const start = attributes.start?.trim() ?? ''
  const startsAt = readXmltvTime(start, timeZone, after)
  if (startsAt === undefined)
    return start === '' ? 'It has no start.' : `Its start ${start.slice(0, 40)} is not a time.`
  const stop = attributes.stop?.trim() ?? ''
  const stopsAt = stop === '' ? undefined : readXmltvTime(stop, timeZone, startsAt)
  if (stop !== '' && stopsAt === undefined)
    remark(line, `Its end ${stop.slice(0, 40)} is not a time; it is ignored.`)
  const content = contentOf(elements, habits)
  if (Object.keys(content.titles).length === 0) return 'It has no title.'
  return { line, startsAt, endsAt: stopsAt ?? endByLength(elements, startsAt), content }
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
])

function endByLength(elements: readonly XmltvElement[], startsAt: number): number | null {
  const length = elements.find(({ name }) => name === 'length')
  const milliseconds = Number(length?.text) * (UNITS.get(length?.attributes.units ?? 'minutes') ?? 0)
  return milliseconds > 0 ? startsAt + milliseconds : null
}

const NONE: readonly XmltvElement[] = []

function contentOf(elements: readonly XmltvElement[], habits: SourceHabits): AnnouncedContent {
  const byName = new Map<string, XmltvElement[]>()
  for (const element of elements) {
    const list = byName.get(element.name)
    if (list) list.push(element)
    else byName.set(element.name, [element])
  }
  const of = (name: string): readonly XmltvElement[] => byName.get(name) ?? NONE
  const texts = (name: string, longest: number): LocalisedText => {
    const found: LocalisedText = {}
    for (const element of of(name)) {
      const text = plainText(element.text, longest)
      if (text !== '') found[languageOf(element) ?? habits.language] ??= text
    }
    return found
  }
  const [first] = of('icon')
  const icon = plainName(first?.attributes.src ?? '', 2000)
  const episode = episodeOf(of('episode-num'))
  const rating = ratingOf(of('rating'), habits.unratedLevel)
  const year = Number(/^\d{4}/.exec(of('date')[0]?.text.trim() ?? '')?.[0])
  const languages = (elements_: readonly XmltvElement[]) => [
    ...new Set(elements_.flatMap(({ text }) => languageNamed(text) ?? [])),
  ]
  return {
    universalId: episode.universalId,
    titles: texts('title', LONGEST_TITLE),
    subtitles: texts('sub-title', LONGEST_TITLE),
    descriptions: texts('desc', LONGEST_TEXT),
    genres: genresOf(of('category'), habits.language),
    moralityLevel: rating.moralityLevel,
    adult: rating.adult,
    year: year >= 1880 && year <= 2200 ? year : null,
    seasonNumber: episode.season,
    episodeNumber: episode.number,
    isNew: of('new').length > 0 || of('premiere').length > 0,
    isRepeat: of('previously-shown').length > 0,
    isLive: of('live').length > 0,
    audioLanguages: languages(of('language')),
    subtitleLanguages: languages(
      of('subtitles')
        .filter(({ attributes }) => attributes.type?.trim() !== 'deaf-signed')
        .flatMap(({ children }) => children.filter(({ name }) => name === 'language')),
    ),
    imageAddress: /^https?:\/\//i.test(icon) ? icon : null,
    details: detailsOf(of, episode, habits),
  }
}

function detailsOf(
  of: (name: string) => readonly XmltvElement[],
  episode: Episode,
  { language, timeZone }: SourceHabits,
): ProgrammeDetails {
  const credits = of('credits')
    .flatMap(({ children }) => children)
    .flatMap((child): ProgrammeCredit[] => {
      const role = ROLES.get(child.name)
      const name = plainName(child.text, 100)
      const as = plainName(child.attributes.role ?? '', 100)
      return role && name !== '' ? [{ role, name, ...(as !== '' && { as }) }] : []
    })
    .slice(0, MOST)
  const countries = of('country').flatMap((element) => {
    const name = plainName(element.text, 100)
    return name === '' ? [] : [{ [languageOf(element) ?? language]: name }]
  })
  const keywords = of('keyword').flatMap(({ text }) => plainName(text, 100) || [])
  const ratings = of('rating').flatMap((element) => {
    const value = plainName(valueOf(element), 40)
    return value === '' ? [] : [{ system: plainName(element.attributes.system ?? '', 40), value }]
  })
  const [stars] = of('star-rating').flatMap((element) => plainName(valueOf(element), 20) || [])
  const [original] = of('orig-language').flatMap(({ text }) => languageNamed(text) ?? [])
  const subtitles = of('subtitles').map(({ attributes }) => attributes.type?.trim())
  const shown = of('previously-shown')[0]?.attributes.start
  const shownAt = shown === undefined ? undefined : readXmltvTime(shown.trim(), timeZone)
  const isForbidden = (use: string) => of('rights').some(({ attributes }) => attributes[use]?.trim() === 'no')
  return {
    ...(credits.length > 0 && { credits }),
    ...(episode.text !== null && { episodeText: episode.text }),
    ...(episode.part && { part: episode.part }),
    ...(countries.length > 0 && { countries: countries.slice(0, MOST) }),
    ...(keywords.length > 0 && { keywords: keywords.slice(0, MOST) }),
    ...(original !== undefined && { originalLanguage: original }),
    ...(ratings.length > 0 && { ratings: ratings.slice(0, MOST) }),
    ...(stars !== undefined && { stars }),
    ...(shownAt !== undefined && { previouslyShownAt: shownAt }),
    ...(of('premiere').length > 0 && { premiere: true }),
    ...(of('last-chance').length > 0 && { lastChance: true }),
    ...(isForbidden('recording') && { recordingForbidden: true }),
    ...(isForbidden('start-over') && { startOverForbidden: true }),
    ...(isForbidden('time-shift') && { timeShiftForbidden: true }),
    ...(of('audio-described').length > 0 && { audioDescribed: true }),
    ...(subtitles.includes('deaf-signed') && { signed: true }),
    ...(subtitles.some((type) => type !== 'deaf-signed') && { subtitled: true }),
  }
}

/**
 * Returns the value of a rating: the text of its `<value>` element. Some programs omit that element; then returns
 * the text of the rating itself.
 */
function valueOf({ children, text }: XmltvElement): string {
  return children.find(({ name }) => name === 'value')?.text ?? text
}

/** Returns a text as paragraphs, without markup and control characters. */
function plainText(written: string, longest: number): string {
  const text = withoutMarkup(written)
  if (!text.includes('\n\n')) return plainName(text, longest)
  return text
    .split(/\n{2,}/)
    .map((paragraph) => plainName(paragraph, longest))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
    .slice(0, longest)
    .toWellFormed()
}

function languageOf({ attributes }: XmltvElement): string | undefined {
  return attributes.lang === undefined ? undefined : languageCode(attributes.lang)
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['english', 'eng'],
  ['french', 'fra'],
  ['français', 'fra'],
  ['francais', 'fra'],
  ['anglais', 'eng'],
  ['german', 'deu'],
  ['deutsch', 'deu'],
  ['spanish', 'spa'],
  ['italian', 'ita'],
])

function languageNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  return NAMES.get(name) ?? languageCode(name)
}

/**
 * Returns the genres in the language of the source. If there are none, returns the genres without a language, or
 * else the genres in the language of the first genre.
 */
function genresOf(categories: readonly XmltvElement[], language: string): string[] {
  const all = categories.flatMap((element) => {
    const name = plainName(element.text, 100)
    return name === '' ? [] : [{ name, language: languageOf(element) ?? null }]
  })
  const wanted = [language, null, all[0]?.language].find((each) =>
    all.some((genre) => genre.language === each),
  )
  return [...new Set(all.filter((genre) => genre.language === wanted).map(({ name }) => name))].slice(0, MOST)
}

interface Episode {
  season: number | null
  number: number | null
  part: ProgrammeDetails['part']
  /** Episode in the notation of the source, such as `S02E05`. */
  text: string | null
  universalId: string | null
}

const SEASON =
  /(?<![a-z])(?:s(?:aison|eason|eries?|tagione|taffel)?|temporada)[^a-z\d]{0,3}(?:n°\s?)?(\d{1,4})(?!\d)/
const EPISODE =
  /(?<![a-z])(?:e(?:p(?:isod(?:e|io))?)?|folge|capitulo|puntata)[^a-z\d]{0,3}(?:n°\s?)?(\d{1,5})(?!\d)/
/** The episode in `5/12`, also after a season, as in `Saison 2 (5/12)`. */
const EPISODE_OF = /(?:^|[\s(,:;·–-])(\d{1,5})\s*\/\s*\d{1,5}\)?$/
/** `2x05`. The format of a picture has more digits before the `x`, or fewer after it: `1920x1080`, `16x9`. */
const SEASON_X_EPISODE = /(?<![a-z\d])(\d{1,2})x(\d{2,3})(?![a-z\d])/

/** Reads season and episode numbers of a text for viewers, such as `S02E05`, `Saison 2 Épisode 5`, `2x05` or `5/12`. */
function numbersIn(text: string): { season: string | undefined; episode: string | undefined } {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const [, season, episode] = SEASON_X_EPISODE.exec(folded) ?? []
  return {
    season: SEASON.exec(folded)?.[1] ?? season,
    episode: (EPISODE.exec(folded) ?? EPISODE_OF.exec(folded))?.[1] ?? episode,
  }
}

/**
 * Reads season and episode numbers. `xmltv_ns` (`1.4/12.0/2`, counted from 0, every part optional) has precedence
 * over `onscreen` (`S02E05`, `5/12`), because it is more precise.
 */
function episodeOf(elements: readonly XmltvElement[]): Episode {
  const said = (system: string): string | undefined =>
    elements.find(({ attributes }) => (attributes.system ?? 'onscreen') === system)?.text.trim()
  const [season, episode, part] = (said('xmltv_ns') ?? '')
    .split('.')
    .map((each) => /^\s*(\d{1,5})?\s*(?:\/\s*(\d{1,5}))?\s*$/.exec(each))
  const onScreen = said('onscreen') ?? ''
  const shown = onScreen === '' ? undefined : numbersIn(onScreen)
  const partNumber = part?.[1] === undefined ? undefined : Number(part[1]) + 1
  return {
    season:
      season?.[1] === undefined
        ? shown?.season === undefined
          ? null
          : Number(shown.season)
        : Number(season[1]) + 1,
    number:
      episode?.[1] === undefined
        ? shown?.episode === undefined
          ? null
          : Number(shown.episode)
        : Number(episode[1]) + 1,
    part:
      partNumber === undefined
        ? undefined
        : { number: partNumber, ...(part?.[2] !== undefined && { of: Number(part[2]) }) },
    text: plainName(onScreen, 60) || null,
    universalId: plainName(said('dd_progid') ?? said('crid') ?? '', 200) || null,
  }
}

/** Returns the strictest of the age ratings. Without a known age rating, returns `unratedLevel`. */
function ratingOf(elements: readonly XmltvElement[], unratedLevel: number): AgeRating {
  const said = elements.flatMap((element) => readAgeRating(valueOf(element)) ?? [])
  if (said.length === 0) return { moralityLevel: unratedLevel, adult: false }
  return {
    moralityLevel: Math.max(...said.map(({ moralityLevel }) => moralityLevel)),
    adult: said.some(({ adult }) => adult),
  }
}
