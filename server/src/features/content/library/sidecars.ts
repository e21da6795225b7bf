import { join } from 'node:path'
import type { ScannedFolder } from '../../../files/scan-folder.ts'
import { languageCode } from '../../../ingest/language-codes.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
import { belongsToLongerVideo, comparable, fileCalled, filesBeginningWith } from './folder-names.ts'
import { oneLine, stemOf } from './video-names.ts'

/** Absolute paths of pictures; null for a missing picture. */
export interface Artwork {
  poster: string | null
  background: string | null
  logo: string | null
  thumbnail: string | null
  /** Portrait format, without text. */
  portrait: string | null
  /** Posters and logos with text in other languages, such as `poster.en.jpg`, by three-letter code. */
  local: Map<string, LocalArtwork>
}

/** Absolute paths of the pictures that contain text. */
type LocalArtwork = { [Kind in (typeof WITH_WORDS)[number]]?: string }

const WITH_WORDS = ['poster', 'logo'] as const

/**
 * The metadata files or review files of a title: one in the library's language, and others by three-letter code.
 */
export interface WrittenFiles {
  own: string | null
  localised: Map<string, string>
  /** Files whose age ratings also count: of several folders of one series, the strictest rating applies. */
  others: string[]
  /** Files whose age ratings count if `own` has none, such as those of other editions of a film. */
  fallback: string[]
}

const PICTURES = ['jpg', 'jpeg', 'png', 'webp', 'avif', 'svg']

const ARTWORK: Record<Exclude<keyof Artwork, 'local'>, readonly string[]> = {
  poster: ['poster', 'folder', 'cover', 'movie', 'show'],
  background: ['fanart', 'backdrop', 'background', 'art'],
  logo: ['logo', 'clearlogo', 'clearart'],
  thumbnail: ['landscape', 'thumb', 'thumbnail'],
  portrait: ['keyart', 'portrait'],
}

/** Maximum number of subtitle files of one video. */
const SUBTITLES = 32

/**
 * Returns the first picture with one of these names.
 *
 * @param names names without extension, the preferred first: `poster` in a film's own folder, `La Houle-poster`
 * beside its file.
 */
export function findPicture(folder: ScannedFolder, names: readonly string[]): string | null {
  for (const name of names) {
    for (const ending of PICTURES) {
      const file = fileCalled(folder, `${name}.${ending}`)
      if (file !== undefined) return join(folder.path, file)
    }
  }
  return null
}

/**
 * Returns the artwork of a title: files whose names begin with the video's name. In the title's own folder, this
 * prefix is optional.
 */
export function findArtwork(folder: ScannedFolder, stem: string | null, ownFolder: boolean): Artwork {
  const namesOf = (kind: keyof typeof ARTWORK): string[] => [
    ...(stem === null ? [] : ARTWORK[kind].map((name) => `${stem}-${name}`)),
    ...(ownFolder ? ARTWORK[kind] : []),
  ]
  const find = (kind: keyof typeof ARTWORK): string | null => findPicture(folder, namesOf(kind))
  const local = new Map<string, LocalArtwork>()
  for (const kind of WITH_WORDS) {
    for (const [language, path] of findLocal(folder, namesOf(kind)))
      local.set(language, { ...local.get(language), [kind]: path })
  }
  return {
    poster: find('poster'),
    background: find('background'),
    logo: find('logo'),
    thumbnail: find('thumbnail'),
    portrait: find('portrait'),
    local,
  }
}

/**
 * Returns the pictures whose file names have a language before the extension, by three-letter code. If several pictures
 * have the same language, uses the picture whose name comes first in `names`.
 */
function findLocal(folder: ScannedFolder, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of names) {
    for (const file of filesBeginningWith(folder, `${name}.`)) {
      const [between = '', ending = '', ...more] = restOf(file, `${name}.`).split('.')
      const language = languageInName(between)
      if (more.length > 0 || language === undefined || found.has(language)) continue
      if (PICTURES.includes(ending.toLowerCase())) found.set(language, join(folder.path, file))
    }
  }
  return found
}

/** Returns `<name>.nfo` and `<name>.<language>.nfo` for the first of `names` with such files. */
export function findMetadata(folder: ScannedFolder, names: readonly string[]): WrittenFiles {
  return findWritten(folder, names, 'nfo')
}

/** Returns review summaries: `<name>.reviews.json` and `<name>.<language>.reviews.json`. */
export function findReviews(folder: ScannedFolder, names: readonly string[]): WrittenFiles {
  return findWritten(folder, names, 'reviews.json')
}

/** Files of a title without metadata files or review files. */
export const NO_FILES: Readonly<WrittenFiles> = { own: null, localised: new Map(), others: [], fallback: [] }

/** Joins the files of several folders of one series. Of several files for one language, the first is used. */
export function joinWritten(parts: readonly WrittenFiles[]): WrittenFiles {
  const owns = parts.flatMap(({ own }) => own ?? [])
  return {
    own: owns[0] ?? null,
    localised: new Map(parts.toReversed().flatMap(({ localised }) => [...localised])),
    others: [...owns.slice(1), ...parts.flatMap(({ others }) => others)],
    fallback: parts.flatMap(({ fallback }) => fallback),
  }
}

/** Joins the artwork of several places. Of several pictures of a kind, the first is used. */
export function joinArtwork(parts: readonly Artwork[]): Artwork {
  const first = (kind: keyof typeof ARTWORK): string | null =>
    parts.find((part) => part[kind] !== null)?.[kind] ?? null
  return {
    poster: first('poster'),
    background: first('background'),
    logo: first('logo'),
    thumbnail: first('thumbnail'),
    portrait: first('portrait'),
    local: new Map(parts.toReversed().flatMap(({ local }) => [...local])),
  }
}

/** Codes of languages that mean another thing in the names of files: a backup, a newer version. */
const OTHER_WORDS = new Set(['bak', 'new'])
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the code of a language in the name of a file. Not any three letters are a language: `Film.old.nfo`. */
function languageInName(text: string): string | undefined {
  const code = OTHER_WORDS.has(text.toLowerCase()) ? undefined : languageCode(text)
  return code !== undefined && languageNames.of(code) !== undefined ? code : undefined
}

/** Returns the part of a file's name after `prefix`, with which the name begins. */
function restOf(file: string, prefix: string): string {
  return file.normalize('NFC').slice(comparable(prefix).length)
}

function findWritten(folder: ScannedFolder, names: readonly string[], ending: string): WrittenFiles {
  const found: WrittenFiles = { ...NO_FILES, localised: new Map() }
  for (const name of names) {
    const prefix = `${name}.`
    for (const file of filesBeginningWith(folder, prefix)) {
      const rest = restOf(file, prefix).toLowerCase()
      if (!`.${rest}`.endsWith(`.${ending}`) || belongsToLongerVideo(folder, file, name)) continue
      const path = join(folder.path, file)
      if (rest === ending) found.own ??= path
      const language = languageInName(rest.slice(0, -ending.length - 1))
      if (language !== undefined && !found.localised.has(language)) found.localised.set(language, path)
    }
  }
  return found
}

/**
 * Returns the subtitle files beside a video: `<name>.fr.srt`, `<name>.en.sdh.vtt`, and `Subs/English.srt` in a
 * film's own folder. `unsupported` has the paths of those whose format is not supported.
 */
export function findSubtitles(
  folder: ScannedFolder,
  stem: string,
  ownFolder: boolean,
): { subtitles: SubtitleFile[]; unsupported: string[] } {
  const found: SubtitleFile[] = []
  const unsupported: string[] = []
  const take = (path: string, tokens: string): void => {
    if (isSupported(path)) found.push(describe(path, tokens))
    else unsupported.push(path)
  }
  const prefix = `${stem}.`
  for (const file of filesBeginningWith(folder, prefix)) {
    if (!isSubtitle(file) || belongsToLongerVideo(folder, file, stem)) continue
    take(join(folder.path, file), stemOf(restOf(file, prefix)))
  }
  const apart = folder.folders.filter(({ name }) => /^sub(?:s|titles)$/i.test(name))
  for (const sub of ownFolder ? apart : []) {
    for (const file of sub.files) if (isSubtitle(file)) take(join(sub.path, file), stemOf(file))
  }
  return { subtitles: found.slice(0, SUBTITLES), unsupported }
}

function isSubtitle(name: string): boolean {
  return isSupported(name) || /\.(?:sub|idx|sup|smi)$/i.test(name)
}

function isSupported(name: string): boolean {
  return /\.(?:srt|vtt|ass|ssa)$/i.test(name)
}

/** Language names in file names of subtitles. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  english: 'eng',
  anglais: 'eng',
  french: 'fra',
  francais: 'fra',
  français: 'fra',
  german: 'deu',
  deutsch: 'deu',
  spanish: 'spa',
  español: 'spa',
  italian: 'ita',
  italiano: 'ita',
  portuguese: 'por',
  dutch: 'nld',
  arabic: 'ara',
  japanese: 'jpn',
  chinese: 'zho',
}

/** Common names of regional variants that are not language tags. */
const VARIANTS: Readonly<Record<string, string>> = { cht: 'zh-Hant', chs: 'zh-Hans', pob: 'pt-BR' }

/**
 * Regions of languages that a word of its own may name, as in `zh.TW`. Other words of two letters are mostly tags of
 * releases: `fr.SM` and `en.NF` name no region.
 */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  zho: ['TW', 'HK', 'MO', 'CN'],
  por: ['BR', 'PT'],
  spa: ['ES', 'MX', '419'],
  fra: ['FR', 'CA', 'BE', 'CH'],
  eng: ['GB', 'US', 'AU'],
}

/**
 * Returns a language with a script or a region, such as `zh-Hant` or `pt-BR`, from the name of a file; undefined for
 * other texts.
 */
function variantInName(text: string): Intl.Locale | undefined {
  const tag = VARIANTS[text.toLowerCase()] ?? text
  if (!/^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i.test(tag)) return undefined
  const locale = new Intl.Locale(tag)
  const hasVariant = locale.script !== undefined || locale.region !== undefined
  return hasVariant && languageInName(locale.language) !== undefined ? locale : undefined
}

/**
 * Returns the variant of a known language that a word of its own names, as in `zh.Hant`, `zh.TW` and `chi.cht`;
 * undefined for other words.
 */
function variantOf(language: string, word: string): Intl.Locale | undefined {
  const isPart = /^Han[st]$/i.test(word) || REGIONS[language]?.includes(word)
  const variant = variantInName(isPart ? `${language}-${word}` : word)
  return variant !== undefined && languageInName(variant.language) === language ? variant : undefined
}

function describe(path: string, tokens: string): SubtitleFile {
  const subtitle: SubtitleFile = { path, language: 'und', label: '', forced: false, captions: false }
  const label: string[] = []
  const tagged = tokens.replaceAll(/(?<![^._])([a-z]{2,3})_([A-Z]{2}|Han[st])(?![^._-])/g, '$1-$2')
  for (const token of tagged.split(/[._]|-(?=(?:forced|foreign|sdh|cc|hi|default)(?:[-._]|$))/i)) {
    const word = token.toLowerCase()
    const isFirst = subtitle.language === 'und'
    const variant = isFirst ? variantInName(token) : variantOf(subtitle.language, token)
    const language = SPELT_OUT[word] ?? languageInName(variant?.language ?? word)
    if (word === '' || word === 'default' || (/^\d+$/.test(word) && variant === undefined)) continue
    if (word === 'forced' || word === 'foreign') subtitle.forced = true
    else if (word === 'sdh' || word === 'cc') subtitle.captions = true
    // `hi` alone is Hindi. After a language, `hi` and `sm` mean subtitles for the hard of hearing.
    else if ((word === 'hi' || word === 'sm') && !isFirst) subtitle.captions = true
    else if (isFirst ? language !== undefined : variant !== undefined && subtitle.variant === undefined) {
      subtitle.language = language ?? subtitle.language
      if (variant !== undefined) subtitle.variant = variant.toString()
    } else label.push(token)
  }
  return { ...subtitle, label: oneLine(label.join(' '), 60) }
}
