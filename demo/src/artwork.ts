import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { rgb } from './colour.ts'
import { useTextFace } from './fonts.ts'
import { fittingSize, spacedLine, titleArt } from './lettering.ts'
import { prerender, trimmed } from './surface.ts'
import type { Crop, StillSource } from './task.ts'
import {
  type Episode,
  episodeName,
  LANGUAGES,
  type LanguageCode,
  letteringIn,
  type Series,
  type Title,
  type TitleLettering,
  titleIn,
  twoDigits,
} from './title.ts'
import { buildWorld } from './worlds/index.ts'

const POSTER = { width: 1000, height: 1500 }
const FANART = { width: 1920, height: 1080 }
const THUMB = { width: 1280, height: 720 }
const JPEG_QUALITY = 86
const POSTER_WORDS = {
  fra: { film: 'Un film de', series: 'Une série de', season: 'Saison' },
  eng: { film: 'A film by', series: 'A series by', season: 'Season' },
} as const
/**
 * Brightness from 0 to 255. A title with darker letters is drawn in white, because title art is shown on dark
 * pages.
 */
const DARK = 130

/**
 * Writes poster.jpg, keyart.jpg (the poster without words), fanart.jpg, landscape.jpg and logo.png into `folder`.
 * Pictures with words also get versions in the other languages: poster.en.jpg and logo.en.png. The fanart and the
 * landscape have no words, because they are shown beside a title: the fanart on the page of a title, the landscape
 * on wide cards.
 */
export async function makeArtwork(title: Title, folder: string): Promise<void> {
  const poster = still(title, POSTER, title.stills.poster, 0)
  await writeFile(join(folder, 'keyart.jpg'), await poster.encode('jpeg', JPEG_QUALITY))
  const fanart = still(title, FANART, title.stills.fanart, 0)
  await writeFile(join(folder, 'fanart.jpg'), await fanart.encode('jpeg', JPEG_QUALITY))
  const landscape = still(title, THUMB, title.stills.landscape, 0)
  await writeFile(join(folder, 'landscape.jpg'), await landscape.encode('jpeg', JPEG_QUALITY))
  for (const { code } of LANGUAGES) {
    await writePoster(poster, title, code, join(folder, 'poster'), title.tagline[code])
    // The logo has a single line. One line fits beside left-aligned text on wide screens, and above centred text
    // on phones.
    const lettering: TitleLettering = { ...letteringIn(title, code), lines: [titleIn(title, code)] }
    const logo = titleArt(lettering, fittingSize(lettering, 1000, 320), logoColour(title))
    await writeFile(`${join(folder, 'logo')}${before(code)}png`, await trimmed(logo).encode('png'))
  }
}

/** Writes a still of a title as the JPEG `file`. The file appears only when it is complete. */
export async function makeStill(
  title: Title,
  { point, variation, crop }: StillSource,
  file: string,
): Promise<void> {
  const picture =
    crop === undefined ? still(title, FANART, point, variation) : detail(title, point, variation, crop)
  await writeFile(`${file}.part`, await picture.encode('jpeg', JPEG_QUALITY))
  await rename(`${file}.part`, file)
}

/** Writes the still of an episode as `<series> S01E01-thumb.jpg` into `folder`. */
export async function makeEpisodeThumb(series: Series, episode: Episode, folder: string): Promise<void> {
  const picture = still(series, THUMB, episode.still, episode.variation, episode.durationSeconds)
  await writeFile(
    join(folder, `${episodeName(series, episode)}-thumb.jpg`),
    await picture.encode('jpeg', JPEG_QUALITY),
  )
}

/** Writes the posters of a season, `season01-poster.jpg` and `season01-poster.en.jpg`, into the series' folder. */
export async function makeSeasonPoster(series: Series, season: number, folder: string): Promise<void> {
  const first = series.episodes.find((episode) => episode.season === season)
  if (first === undefined) return
  const poster = still(series, POSTER, first.still, first.variation, first.durationSeconds)
  const path = join(folder, `season${twoDigits(season)}-poster`)
  for (const { code } of LANGUAGES)
    await writePoster(poster, series, code, path, `${POSTER_WORDS[code].season} ${season}`)
}

/** Writes a poster: draws the words of a language over the picture `bare`. */
async function writePoster(
  bare: Canvas,
  title: Title,
  language: LanguageCode,
  path: string,
  subtitle: string,
): Promise<void> {
  const poster = prerender(POSTER.width, POSTER.height, (picture) => {
    picture.drawImage(bare, 0, 0)
    letterPoster(picture, title, language, subtitle)
  })
  await writeFile(`${path}${before(language)}jpg`, await poster.encode('jpeg', JPEG_QUALITY))
}

/**
 * Returns the part of a file name between its base name and its extension: `.en.` for English, and `.` for the
 * library's main language.
 */
function before(language: LanguageCode): string {
  const short = LANGUAGES.find(({ code }) => code === language)?.short
  return language === LANGUAGES[0].code ? '.' : `.${short}.`
}

function still(
  title: Title,
  size: { width: number; height: number },
  point: number,
  variation: number,
  duration = 70,
): Canvas {
  const canvas = createCanvas(size.width, size.height)
  const seed = title.kind === 'film' ? title.id : `${title.id} ${variation}`
  const world = buildWorld(title.world, { ...size, seed, variation })
  world.draw(canvas.getContext('2d'), { seconds: point * duration, progress: point, duration })
  return canvas
}

/**
 * Draws a crop of a picture. The whole picture is drawn larger, so that the crop is as sharp as a whole picture.
 */
function detail(title: Title, point: number, variation: number, { left, top, size }: Crop): Canvas {
  // Width and height are rounded, because a canvas has whole numbers of columns and rows.
  const [width, height] = [Math.round(THUMB.width / size), Math.round(THUMB.height / size)]
  const whole = still(title, { width, height }, point, variation)
  return prerender(THUMB.width, THUMB.height, (picture) => {
    picture.drawImage(whole, -left * width, -top * height)
  })
}

function logoColour(title: Title): string {
  const [red, green, blue] = rgb(title.lettering.colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < DARK ? '#f6f3ec' : title.lettering.colour
}

function letterPoster(picture: SKRSContext2D, title: Title, language: LanguageCode, subtitle: string): void {
  const { width, height } = POSTER
  const lettering = letteringIn(title, language)
  const margin = 76
  const size = fittingSize(lettering, width - margin * 2, lettering.size * width)
  const art = titleArt(lettering, size)
  const x =
    lettering.align === 'left'
      ? margin - size * 0.06
      : lettering.align === 'center'
        ? (width - art.width) / 2
        : width - margin - art.width
  const block = art.height + 66
  const y =
    lettering.place === 'top'
      ? 108
      : lettering.place === 'middle'
        ? height * 0.46 - block / 2
        : height - 190 - block
  const veil = lettering.veil ?? (rgb(lettering.colour)[1] > DARK ? '#05070b' : undefined)
  if (veil !== undefined) {
    const shade = picture.createLinearGradient(0, height, 0, height * 0.55)
    shade.addColorStop(0, `${veil}d8`)
    shade.addColorStop(0.45, `${veil}80`)
    shade.addColorStop(1, `${veil}00`)
    picture.fillStyle = shade
    picture.fillRect(0, 0, width, height)
    if (lettering.place === 'top') {
      const upper = picture.createLinearGradient(0, 0, 0, height * 0.4)
      upper.addColorStop(0, `${veil}90`)
      upper.addColorStop(1, `${veil}00`)
      picture.fillStyle = upper
      picture.fillRect(0, 0, width, height)
    }
  }
  picture.drawImage(art, x, y)
  const edge = lettering.align === 'left' ? margin : lettering.align === 'center' ? width / 2 : width - margin
  useTextFace(picture, 30, 500)
  picture.textAlign = lettering.align
  picture.fillStyle = lettering.colour
  picture.fillText(subtitle, edge, y + art.height + 46)
  spacedLine(
    picture,
    title.actors
      .slice(0, 3)
      .map((actor) => actor.name)
      .join('   '),
    edge,
    height - 118,
    {
      size: 21,
      colour: lettering.billing ?? lettering.colour,
      align: lettering.align,
      spacing: 0.14,
    },
  )
  spacedLine(picture, `${POSTER_WORDS[language][title.kind]} ${title.director}`, edge, height - 78, {
    size: 17,
    colour: lettering.billing ?? lettering.colour,
    align: lettering.align,
    weight: 500,
    spacing: 0.2,
  })
}
