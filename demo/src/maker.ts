/**
 * The program of a child process of `make-library.ts`. It runs tasks one after the other, at the lowest priority.
 */
import { mkdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { makeArtwork, makeEpisodeThumb, makeSeasonPoster, makeStill } from './artwork.ts'
import { CATALOGUE } from './catalogue.ts'
import { makeEpisode, makeFilm, makeSpot, makeTrailer } from './film.ts'
import { SPOTS } from './spots.ts'
import type { Report, Task } from './task.ts'
import { twoDigits } from './title.ts'

/** The lowest priority, so that the service and its imports have precedence. */
const NICENESS = 19

function report(message: Report): void {
  process.send?.(message, (error: Error | null) => {
    // The parent process has ended, so nothing needs the result.
    if (error) process.exit(0)
  })
}

async function work(task: Task): Promise<void> {
  const title = CATALOGUE.find((candidate) => candidate.id === task.titleId)
  if (title === undefined) throw new Error(`Unknown title ${task.titleId}`)
  const onFrames = (done: number, total: number) => report({ kind: 'frames', done, total })
  switch (task.kind) {
    case 'film':
      if (title.kind === 'film') await makeFilm(title, task.folder, task, onFrames)
      return
    case 'trailer':
      return makeTrailer(title, task.folder, task, onFrames)
    case 'episode': {
      if (title.kind !== 'series') return
      const episode = title.episodes[task.episode]
      if (episode === undefined) throw new Error(`${title.title} has no episode ${task.episode}`)
      const folder = join(task.folder, `Season ${twoDigits(episode.season)}`)
      await mkdir(folder, { recursive: true })
      return makeEpisode(title, episode, folder, task, onFrames)
    }
    case 'spot': {
      const spot = SPOTS[task.spot]
      if (spot === undefined) throw new Error(`There is no spot ${task.spot}`)
      return makeSpot(spot, title, task.folder, task.cut, onFrames)
    }
    case 'still':
      return makeStill(title, task, task.file)
    case 'artwork':
      await makeArtwork(title, task.folder)
      if (title.kind === 'series') {
        for (const { season } of title.seasons) await makeSeasonPoster(title, season, task.folder)
        for (const episode of title.episodes) {
          const folder = join(task.folder, `Season ${twoDigits(episode.season)}`)
          await mkdir(folder, { recursive: true })
          await makeEpisodeThumb(title, episode, folder)
        }
      }
  }
}

setPriority(NICENESS)
// The exit hook kills ffmpeg, so that no process outlives the parent process.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
process.on('message', (task: Task) => {
  work(task).then(
    () => report({ kind: 'done' }),
    (error: unknown) =>
      report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
report({ kind: 'ready' })
