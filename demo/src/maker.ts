/** A process that makes films for `make-library.ts`, one task after the other, as quietly as the system lets it. */
import { mkdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { makeArtwork, makeEpisodeThumb, makeSeasonPoster, makeStill } from './artwork.ts'
import { CATALOGUE } from './catalogue.ts'
import { makeEpisode, makeFilm, makeTrailer } from './film.ts'
import type { Report, Task } from './task.ts'
import { twoDigits } from './title.ts'

/** The last of all: the service beside goes first, and so do its imports of what is made already. */
const NICENESS = 19

function report(message: Report): void {
  process.send?.(message, (error: Error | null) => {
    // Nobody is there any more who would want the film.
    if (error) process.exit(0)
  })
}

async function work(task: Task): Promise<void> {
  const title = CATALOGUE.find((candidate) => candidate.id === task.titleId)
  if (title === undefined) throw new Error(`There is no title ${task.titleId}`)
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
    case 'still':
      return makeStill(title, task.point, task.variation, task.file)
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
// Exiting runs the hook that ends ffmpeg: nothing outlives the process that asked for it.
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
