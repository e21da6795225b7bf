import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { englishNfo, englishTextsNfo, episodeNfo, filmNfo, seasonNfo, seriesNfo } from './nfo.ts'
import { subRip, webVtt } from './subtitles.ts'
import { cues, episodeTiming, filmTiming, type Timing } from './timing.ts'
import { episodeName, fileName, type Series, type Title, type Told, twoDigits } from './title.ts'

/** Writes the metadata and the subtitles of a title, each in two languages. */
export async function writePapers(
  title: Title,
  folder: string,
  secondsPerFilm: number | null,
): Promise<void> {
  if (title.kind === 'series') return writeSeriesPapers(title, folder, secondsPerFilm)
  const name = fileName(title)
  await writeFile(join(folder, 'movie.nfo'), filmNfo(title))
  await writeFile(join(folder, `${name}.en.nfo`), englishNfo(title))
  if (title.reviews !== undefined) {
    await writeFile(join(folder, 'movie.reviews.json'), JSON.stringify(title.reviews.fra, null, 2))
    await writeFile(join(folder, `${name}.en.reviews.json`), JSON.stringify(title.reviews.eng, null, 2))
  }
  await writeSubtitles(title, filmTiming(secondsPerFilm ?? title.durationSeconds), join(folder, name))
}

async function writeSeriesPapers(
  series: Series,
  folder: string,
  secondsPerFilm: number | null,
): Promise<void> {
  await writeFile(join(folder, 'tvshow.nfo'), seriesNfo(series))
  await writeFile(join(folder, 'tvshow.en.nfo'), englishNfo(series))
  for (const season of series.seasons) {
    const seasonFolder = join(folder, `Season ${twoDigits(season.season)}`)
    await mkdir(seasonFolder, { recursive: true })
    await writeFile(join(seasonFolder, 'season.nfo'), seasonNfo(season))
    await writeFile(join(seasonFolder, 'season.en.nfo'), englishTextsNfo('season', season.title, season.plot))
  }
  for (const episode of series.episodes) {
    const base = join(folder, `Season ${twoDigits(episode.season)}`, episodeName(series, episode))
    await writeFile(`${base}.nfo`, episodeNfo(series, episode))
    await writeFile(`${base}.en.nfo`, englishTextsNfo('episodedetails', episode.title, episode.plot))
    await writeSubtitles(episode, episodeTiming(secondsPerFilm ?? episode.durationSeconds), base)
  }
}

async function writeSubtitles(told: Told, timing: Timing, base: string): Promise<void> {
  const spoken = cues(told, timing)
  await writeFile(`${base}.fr.srt`, subRip(spoken))
  await writeFile(`${base}.en.vtt`, webVtt(spoken))
}
