import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encodeArguments } from '@ondine/server/ingest/encode'
import { ingest } from '@ondine/server/ingest/ingest'
import { plan } from '@ondine/server/ingest/plan'
import { probe } from '@ondine/server/ingest/probe'
import { folderSegments } from '@ondine/server/segments/folder-segments'
import type { Row } from '../row.ts'
import { makeSourceFilm, type SourceFilm } from '../source-film.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

const run = promisify(execFile)

/** Measures how much time ingest needs in addition to the encoder. */
export const ingestEncode: Row = {
  name: 'ingest-encode',
  measure: async ({ rounds, sourceSeconds }) =>
    await withTemporaryFolder(async (folder) => {
      const film = await makeSourceFilm(join(folder, 'film.mkv'), sourceSeconds, { lines: 720, fits: false })
      const whole: number[] = []
      const alone: number[] = []
      for (let round = 0; round < Math.min(3, rounds); round++) {
        alone.push(await secondsOfEncoder(film, join(folder, 'alone')))
        whole.push(await secondsOfIngest(film, join(folder, 'media')))
      }
      return [
        {
          what: 'ingest with encoding, 720 and 360 lines',
          unit: 's',
          values: whole,
          target: { better: 'lower', mustReach: null, aimsAt: null },
          reference: { what: 'ffmpeg alone, same renditions', values: alone },
        },
        {
          what: 'ingest with encoding, over ffmpeg alone',
          unit: '%',
          values: whole.map((seconds, round) => 100 * (seconds / (alone[round] ?? seconds) - 1)),
          target: { better: 'lower', mustReach: 5, aimsAt: 2 },
          reference: null,
          note: `A film of ${film.seconds} s and 720 lines; ffmpeg alone is the very command line that ingest runs.`,
        },
      ]
    }),
}

async function secondsOfIngest(film: SourceFilm, mediaRoot: string): Promise<number> {
  const startedAt = performance.now()
  const published = await ingest(
    { path: film.path, segments: folderSegments(mediaRoot), encrypted: true, subtitles: [] },
    { signal: AbortSignal.timeout(300_000) },
  )
  const passed = performance.now() - startedAt
  if (published.copyObstacle === null) throw new Error('The film was copied, not encoded.')
  await rm(mediaRoot, { recursive: true })
  return passed / 1000
}

async function secondsOfEncoder(film: SourceFilm, folder: string): Promise<number> {
  const source = await probe(film.path, AbortSignal.timeout(60_000))
  const planned = plan(source)
  await mkdir(folder)
  const targets = [...planned.pictures, ...planned.sounds].map(({ id }) => ({
    id,
    path: join(folder, `${id}.mp4`),
  }))
  const startedAt = performance.now()
  await run('ffmpeg', encodeArguments(source, planned, targets), { timeout: 300_000 })
  const passed = performance.now() - startedAt
  await rm(folder, { recursive: true })
  return passed / 1000
}
