import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ingest } from '@ondine/server/ingest/ingest'
import { packagerBinary } from '@ondine/server/ingest/packager-binary'
import { folderSegments } from '@ondine/server/segments/folder-segments'
import type { Row } from '../row.ts'
import { makeSourceFilm, type SourceFilm } from '../source-film.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

const run = promisify(execFile)

/** Measures the ingest of a film that needs no encoding. The reference is the time of the packager alone. */
export const ingestCopy: Row = {
  name: 'ingest-copy',
  measure: async ({ rounds, sourceSeconds }) =>
    await withTemporaryFolder(async (folder) => {
      // The film is as long as a real film. For a short film, the start of the programs would take most of the
      // time. It is in MP4, because the packager alone cannot read H.264 in Matroska.
      const film = await makeSourceFilm(join(folder, 'film.mp4'), sourceSeconds * 5, {
        lines: 360,
        fits: true,
      })
      const values: number[] = []
      const alone: number[] = []
      for (let round = 0; round < rounds; round++) {
        values.push(await speedOfIngest(film, join(folder, 'media')))
        alone.push(await speedOfPackager(film, join(folder, 'alone')))
      }
      return [
        {
          what: 'ingest without re-encoding',
          unit: 'x real time',
          values,
          target: { better: 'higher', mustReach: 150, aimsAt: 500 },
          reference: { what: 'shaka-packager alone, same file', values: alone },
          note: `A film of ${film.seconds} s and 360 lines, which is offered in no other size. Ingest also probes every packet, cuts sound and picture to one clock, makes thumbnails and reads every segment back.`,
        },
      ]
    }),
}

async function speedOfIngest(film: SourceFilm, mediaRoot: string): Promise<number> {
  const startedAt = performance.now()
  const published = await ingest(
    { path: film.path, segments: folderSegments(mediaRoot), encrypted: true, subtitles: [] },
    { signal: AbortSignal.timeout(300_000) },
  )
  const passed = performance.now() - startedAt
  if (published.copyObstacle !== null) throw new Error(`The film was encoded: ${published.copyObstacle}`)
  await rm(mediaRoot, { recursive: true })
  return film.seconds / (passed / 1000)
}

async function speedOfPackager(film: SourceFilm, folder: string): Promise<number> {
  await mkdir(join(folder, 'video'), { recursive: true })
  await mkdir(join(folder, 'audio'))
  const startedAt = performance.now()
  await run(
    packagerBinary(process.platform, process.arch),
    [
      `in=${film.path},stream=video,init_segment=video/init.mp4,segment_template=video/$Number$.m4s`,
      `in=${film.path},stream=audio,init_segment=audio/init.mp4,segment_template=audio/$Number$.m4s`,
      '--segment_duration=4',
      '--enable_raw_key_encryption',
      '--protection_scheme=cbcs',
      '--clear_lead=0',
      `--keys=label=:key_id=${randomBytes(16).toString('hex')}:key=${randomBytes(16).toString('hex')}`,
    ],
    { cwd: folder },
  )
  const passed = performance.now() - startedAt
  await rm(folder, { recursive: true })
  return film.seconds / (passed / 1000)
}
