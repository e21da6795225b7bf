import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CATALOGUE } from './catalogue.ts'
import { svg } from './channels.ts'
import { liveGuide } from './live-guide.ts'
import { filmTiming } from './timing.ts'
import { fileName, titleFolder } from './title.ts'
import { writeWhole } from './whole-file.ts'

/** The live channel, in the format of `channels.json`. */
export const LIVE_CHANNEL = {
  number: 5,
  name: 'Phare',
  live: true,
  guide: 'phare.ondine',
  logo: 'phare.svg',
  description: {
    fra: 'La mer en direct, vue du phare, jour et nuit.',
    eng: 'The sea, live from the lighthouse, day and night.',
  },
  colours: { background: '#3b1626', foreground: '#ffdca0' },
} as const

/** The logo: a lighthouse whose beam sweeps over the sea. */
const LOGO = svg(
  '#3b1626',
  `<path d="M128 74 236 34v80z" fill="#ffdca0"/>
  <path d="M128 74 20 52v44z" fill="#ffdca0" fill-opacity=".4"/>
  <path d="M110 100h36l10 96h-56z" fill="#fff3e0"/>
  <path d="M107 128h42l3 28h-48z" fill="#ff6f59"/>
  <rect x="110" y="56" width="36" height="36" rx="6" fill="#fff3e0"/>
  <circle cx="128" cy="74" r="11" fill="#ff6f59"/>
  <path d="M40 206q22-24 44 0t44 0 44 0 44 0" fill="none" stroke="#ffdca0" stroke-width="14" stroke-linecap="round"/>`,
)

/** Paths of the live channel's files. */
export interface LiveChannelFiles {
  /** The file for an import of channels. */
  channels: string
  /** The guide, in XMLTV. */
  guide: string
}

/** Writes the live channel, its logo, and its guide around `now`. Replaces each file atomically. */
export async function writeLiveChannel(folder: string, now: number): Promise<LiveChannelFiles> {
  await mkdir(folder, { recursive: true })
  const files = { channels: join(folder, 'channels.json'), guide: join(folder, 'guide.xml') }
  await writeWhole(join(folder, LIVE_CHANNEL.logo), LOGO)
  await writeWhole(files.channels, `${JSON.stringify({ channels: [LIVE_CHANNEL] }, null, 2)}\n`)
  await writeWhole(files.guide, liveGuide(LIVE_CHANNEL.guide, now))
  return files
}

/**
 * The part of a film that the live channel shows, from the end of the opening to the credits. Times are in
 * seconds.
 */
export interface Scene {
  file: string
  from: number
  to: number
}

/**
 * Returns the scene that the live channel shows; undefined until its film is finished.
 *
 * @param library the folder of the library
 * @param only ids of the titles that the library has; by default all
 * @param secondsPerFilm by default the length in the catalogue
 */
export async function liveScene(
  library: string,
  {
    only,
    secondsPerFilm,
  }: { only?: readonly string[] | undefined; secondsPerFilm?: number | undefined } = {},
): Promise<Scene | undefined> {
  const film = CATALOGUE.find((title) => title.kind === 'film' && (only?.includes(title.id) ?? true))
  if (film?.kind !== 'film') return undefined
  const file = join(library, titleFolder(film), `${fileName(film)}.mp4`)
  // An unfinished film has an empty file.
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size === 0) return undefined
  const { opening, credits } = filmTiming(secondsPerFilm ?? film.durationSeconds)
  return { file, from: opening.to, to: credits.from }
}
