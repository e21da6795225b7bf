import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { type Cards, cardsFor } from './cards.ts'
import { drawFrameStrip } from './frame-strip.ts'
import { perform, type Score } from './sound/score.ts'
import { SCORES } from './sound/scores.ts'
import { wavFile } from './sound/wav.ts'
import { spotCards } from './spot-cards.ts'
import type { Spot } from './spots.ts'
import { episodeTiming, FRAME_RATE, filmTiming, type TimedChapter, timedChapters } from './timing.ts'
import {
  type Episode,
  episodeName,
  type Film,
  fileName,
  LANGUAGES,
  type LanguageCode,
  type Title,
} from './title.ts'
import { shotsOf, trailerCards } from './trailer.ts'
import type { Moment } from './world.ts'
import { buildWorld } from './worlds/index.ts'

/** Size of every film in pixels. */
const FILM_SIZE = { width: 1280, height: 720 } as const

/**
 * Frames of a test film that share a drawing. Tests read whole seconds from the frame strip, and drawing takes most of
 * the time of making a film. Divides the frame rate, so that each second begins with a new drawing.
 */
const TEST_FRAMES = 6

/** Length and options of a film. */
export interface FilmSettings {
  readonly seconds: number
  /** Whether each frame shows the frame strip, by which tests identify a frame (see `frame-strip.ts`). */
  readonly strip: boolean
}

/** Receives the number of finished frames of a film, and the total number of frames. */
export type OnFrames = (done: number, total: number) => void

interface Reel {
  readonly title: Title
  readonly variation: number
  readonly seed: string
  readonly number: number
  /** Whether each frame shows the frame strip, by which tests identify a frame (see `frame-strip.ts`). */
  readonly strip: boolean
  readonly seconds: number
  readonly file: string
  readonly audio: readonly LanguageCode[]
  readonly chapters: readonly TimedChapter[]
  readonly cards: Cards
  readonly momentAt: (seconds: number) => Moment
}

/** Makes `<title> (<year>).mp4` in `folder`. */
export async function makeFilm(
  film: Film,
  folder: string,
  { seconds, strip }: FilmSettings,
  onFrames: OnFrames,
): Promise<void> {
  const timing = filmTiming(seconds)
  await shoot(
    {
      title: film,
      variation: 0,
      seed: film.id,
      number: film.number,
      seconds,
      strip,
      file: join(folder, `${fileName(film)}.mp4`),
      audio: film.audio,
      chapters: timedChapters(film.chapters, timing),
      cards: cardsFor(film, timing, FILM_SIZE.width, FILM_SIZE.height),
      momentAt: (at) => ({ seconds: at, progress: at / seconds, duration: seconds }),
    },
    onFrames,
  )
}

/** Makes `<series> S01E01.mkv` in `folder`. */
export async function makeEpisode(
  series: Extract<Title, { kind: 'series' }>,
  episode: Episode,
  folder: string,
  { seconds, strip }: FilmSettings,
  onFrames: OnFrames,
): Promise<void> {
  const timing = episodeTiming(seconds)
  await shoot(
    {
      title: series,
      variation: episode.variation,
      seed: `${series.id} ${episode.variation}`,
      number: episode.number,
      seconds,
      strip,
      file: join(folder, `${episodeName(series, episode)}.mkv`),
      audio: episode.audio,
      chapters: timedChapters(episode.chapters, timing),
      cards: cardsFor(series, timing, FILM_SIZE.width, FILM_SIZE.height),
      momentAt: (at) => ({ seconds: at, progress: at / seconds, duration: seconds }),
    },
    onFrames,
  )
}

/** Makes `<title>-trailer.mp4` in `folder`: short scenes of the film, one after the other. */
export async function makeTrailer(
  title: Title,
  folder: string,
  { seconds, strip }: FilmSettings,
  onFrames: OnFrames,
): Promise<void> {
  const duration = title.kind === 'film' ? title.durationSeconds : (title.episodes[0]?.durationSeconds ?? 60)
  const shots = shotsOf(title, duration, seconds)
  await shoot(
    {
      title,
      variation: 0,
      seed: title.kind === 'film' ? title.id : `${title.id} 0`,
      number: title.trailerNumber,
      seconds,
      strip,
      file: join(folder, `${fileName(title)}-trailer.mp4`),
      audio: ['fra'],
      chapters: [],
      cards: trailerCards(title, FILM_SIZE.width, FILM_SIZE.height, seconds),
      momentAt: (at) => {
        const shot = shots.findLast((candidate) => candidate.from <= at) ?? shots[0]!
        const inFilm = shot.seconds + (at - shot.from)
        return { seconds: inFilm, progress: inFilm / duration, duration }
      },
    },
    onFrames,
  )
}

/**
 * Makes the advertisement of a brand in `folder`, with the drawings of a title. The file appears only when it is
 * complete.
 */
export async function makeSpot(
  spot: Spot,
  title: Title,
  folder: string,
  { seconds, strip }: FilmSettings,
  onFrames: OnFrames,
): Promise<void> {
  const duration = title.kind === 'film' ? title.durationSeconds : (title.episodes[0]?.durationSeconds ?? 60)
  const file = join(folder, `.making-${spot.file}`)
  await shoot(
    {
      title,
      variation: 0,
      seed: spot.brand,
      number: spot.number,
      seconds,
      strip,
      file,
      audio: ['fra'],
      chapters: [],
      cards: spotCards(spot, FILM_SIZE.width, FILM_SIZE.height, seconds),
      momentAt: (at) => {
        const inFilm = spot.from * duration + at
        return { seconds: inFilm, progress: inFilm / duration, duration }
      },
    },
    onFrames,
  )
  await rename(file, join(folder, spot.file))
}

/** Returns the number of frames of a film of `seconds`. */
export function frameCount(seconds: number): number {
  return Math.round(seconds * FRAME_RATE)
}

async function shoot(reel: Reel, onFrames: OnFrames): Promise<void> {
  const sounds = await record(SCORES[reel.title.world], reel)
  const chapterFile = `${reel.file}.chapters.txt`
  await writeFile(chapterFile, chapterText(reel.chapters))
  const { width, height } = FILM_SIZE
  const world = buildWorld(reel.title.world, { width, height, seed: reel.seed, variation: reel.variation })
  const canvas = createCanvas(width, height)
  const picture = canvas.getContext('2d')

  const encoder = spawn('ffmpeg', encoderArguments(reel, sounds, chapterFile), {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const stop = () => encoder.kill('SIGKILL')
  process.once('exit', stop)
  let complaint = ''
  encoder.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  const closed = once(encoder, 'close')
  // The pipe breaks if the encoder ends. The encoder's exit code below gives the reason.
  encoder.stdin.on('error', (error) => {
    complaint ||= error.message
  })

  const total = frameCount(reel.seconds)
  for (let frame = 0; frame < total; frame++) {
    if (encoder.exitCode !== null) break
    if (!reel.strip || frame % TEST_FRAMES === 0) {
      const seconds = frame / FRAME_RATE
      picture.globalAlpha = 1
      picture.globalCompositeOperation = 'source-over'
      world.draw(picture, reel.momentAt(seconds))
      reel.cards.draw(picture, seconds)
      if (reel.strip) drawFrameStrip(picture, { second: Math.floor(seconds), film: reel.number }, height)
    }
    if (!encoder.stdin.write(canvas.data())) await Promise.race([once(encoder.stdin, 'drain'), closed])
    if (frame % FRAME_RATE === 0) onFrames(frame, total)
  }
  encoder.stdin.end()
  const [code] = (await closed) as [number | null]
  process.removeListener('exit', stop)
  if (code !== 0) throw new Error(`ffmpeg could not make ${reel.file} (exit ${code}): ${complaint.trim()}`)
  await Promise.all([...sounds.values(), chapterFile].map((file) => rm(file)))
  onFrames(total, total)
}

async function record(score: Score, reel: Reel): Promise<Map<LanguageCode, string>> {
  const files = new Map<LanguageCode, string>()
  for (const [language, sound] of perform(score, reel.seconds, reel.audio, reel.seed)) {
    const file = `${reel.file}.${language}.wav`
    await writeFile(file, wavFile(sound))
    files.set(language, file)
  }
  return files
}

function encoderArguments(
  reel: Reel,
  sounds: ReadonlyMap<LanguageCode, string>,
  chapterFile: string,
): string[] {
  const { width, height } = FILM_SIZE
  const languages = [...sounds.keys()]
  const groups: string[][] = [
    ['-v', 'error', '-y'],
    ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-video_size', `${width}x${height}`],
    ['-framerate', String(FRAME_RATE), '-i', 'pipe:0'],
    languages.flatMap((language) => ['-i', `file:${sounds.get(language)}`]),
    ['-f', 'ffmetadata', '-i', `file:${chapterFile}`],
    ['-map', '0:v', ...languages.flatMap((_, index) => ['-map', `${index + 1}:a`])],
    ['-map_chapters', String(languages.length + 1)],
    ['-vf', 'scale=out_color_matrix=bt709:out_range=tv:flags=bilinear,format=yuv420p'],
    ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    // `ultrafast` takes half the processor time of `superfast`. The import copies this rendition without encoding. It
    // decodes the rendition only to make the smaller one, and `ultrafast` is faster to decode.
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '22', '-maxrate', '6M', '-bufsize', '6M'],
    ['-threads', '1'],
    // Sets a key frame every two seconds and nowhere else, with closed groups of pictures. An import can then cut
    // and copy the stream without encoding.
    ['-g', '48', '-keyint_min', '48', '-sc_threshold', '0', '-flags:v', '+cgop+bitexact'],
    ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '160k', '-flags:a', '+bitexact', '-fflags', '+bitexact'],
    ...languages.map((code, index) => {
      const track = `-metadata:s:a:${index}`
      const name = LANGUAGES.find((language) => language.code === code)?.name ?? code
      return [
        track,
        `language=${code}`,
        track,
        `title=${name}`,
        `-disposition:a:${index}`,
        index === 0 ? 'default' : '0',
      ]
    }),
    ['-metadata', `title=${reel.title.title}`],
    reel.file.endsWith('.mp4') ? ['-movflags', '+faststart', '-f', 'mp4'] : ['-f', 'matroska'],
    [`file:${reel.file}`],
  ]
  return groups.flat()
}

function chapterText(chapters: readonly TimedChapter[]): string {
  const blocks = chapters.map(
    ({ from, to, title }) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${Math.round(from * 1000)}\nEND=${Math.round(to * 1000)}\ntitle=${title.replace(/[=;#\\\n]/g, '\\$&')}\n`,
  )
  return `;FFMETADATA1\n${blocks.join('')}`
}
