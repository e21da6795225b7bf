import { join } from 'node:path'
import type { ScannedFolder } from '../../../files/scan-folder.ts'
import { languageCode } from '../../../ingest/language-codes.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
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
export type LocalArtwork = { [Kind in (typeof WITH_WORDS)[number]]?: string }

const WITH_WORDS = ['poster', 'logo'] as const

/**
 * The metadata files or review files of a title: one in the library's language, and others by three-letter code.
 */
export interface WrittenFiles {
  own: string | null
  localised: Map<string, string>
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
      const wanted = `${name}.${ending}`.toLowerCase()
      const file = folder.files.find((candidate) => candidate.toLowerCase() === wanted)
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
 * Returns the pictures with a language before their extension, by three-letter code. Of several pictures in a
 * language, the one whose name comes first in `names` is used.
 */
function findLocal(folder: ScannedFolder, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of names) {
    for (const file of folder.files) {
      const [between = '', ending = '', ...more] = file.slice(name.length + 1).split('.')
      const isNamed = file.toLowerCase().startsWith(`${name}.`.toLowerCase())
      const language = languageCode(between)
      if (!isNamed || more.length > 0 || language === undefined || found.has(language)) continue
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

function findWritten(folder: ScannedFolder, names: readonly string[], ending: string): WrittenFiles {
  const found: WrittenFiles = { own: null, localised: new Map() }
  for (const name of names) {
    const prefix = `${name}.`.toLowerCase()
    for (const file of folder.files) {
      const lower = file.toLowerCase()
      if (!lower.startsWith(prefix) || !lower.endsWith(`.${ending}`)) continue
      const path = join(folder.path, file)
      if (lower === prefix + ending) found.own ??= path
      const language = languageCode(file.slice(prefix.length, -ending.length - 1))
      if (language !== undefined && !found.localised.has(language)) found.localised.set(language, path)
    }
  }
  return found
}

/**
 * Returns the subtitle files beside a video: `<name>.fr.srt`, `<name>.en.sdh.vtt`, and `Subs/English.srt` in a
 * film's own folder.
 */
export function findSubtitles(folder: ScannedFolder, stem: string, ownFolder: boolean): SubtitleFile[] {
  const found: SubtitleFile[] = []
  const prefix = `${stem}.`.toLowerCase()
  for (const file of folder.files) {
    if (!isSubtitle(file) || !file.toLowerCase().startsWith(prefix)) continue
    found.push(describe(join(folder.path, file), stemOf(file).slice(prefix.length)))
  }
  const apart = folder.folders.filter(({ name }) => /^sub(?:s|titles)$/i.test(name))
  for (const sub of ownFolder ? apart : []) {
    for (const file of sub.files)
      if (isSubtitle(file)) found.push(describe(join(sub.path, file), stemOf(file)))
  }
  return found.slice(0, SUBTITLES)
}

function isSubtitle(name: string): boolean {
  return /\.(?:srt|vtt)$/i.test(name)
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

function describe(path: string, tokens: string): SubtitleFile {
  const subtitle: SubtitleFile = { path, language: 'und', label: '', forced: false, captions: false }
  const label: string[] = []
  for (const token of tokens.split(/[._]/)) {
    const word = token.toLowerCase()
    const language = SPELT_OUT[word] ?? languageCode(word)
    if (word === '' || word === 'default' || /^\d+$/.test(word)) continue
    if (word === 'forced' || word === 'foreign') subtitle.forced = true
    // `hi` alone is Hindi. After a language, it means subtitles for the hard of hearing.
    else if (word === 'sdh' || word === 'cc' || (word === 'hi' && subtitle.language !== 'und'))
      subtitle.captions = true
    else if (language !== undefined && subtitle.language === 'und') subtitle.language = language
    else label.push(token)
  }
  return { ...subtitle, label: oneLine(label.join(' '), 60) }
}
