import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ingest } from '@ondine/server/ingest/ingest'
import { folderSegments } from '@ondine/server/segments/folder-segments'
import { nothingMore, withInstallation } from '../installation.ts'
import { answerRates, type Load, load } from '../load.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'
import { makeSourceFilm } from '../source-film.ts'
import { summarise } from '../statistics.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

const CONNECTIONS = 32
/** Required and desired rates, as fractions of the rate without encoding. */
const OF_REST = { mustReach: 0.8, aimsAt: 0.95 }
/** Time after which ingest has probed the film and started the encoder, in milliseconds. */
const UNTIL_ENCODED_MS = 3000

/** Measures a viewer's catalogue reads while a film is being encoded on the same machine. */
export const readsWhileEncoding: Row = {
  name: 'reads-while-encoding',
  measure: async ({ rounds, roundMs, sourceSeconds }) =>
    await withTemporaryFolder(
      async (folder) =>
        await withInstallation('postgresql', nothingMore, async ({ environment, catalogue }) => {
          const film = await makeSourceFilm(join(folder, 'film.mkv'), sourceSeconds, {
            lines: 720,
            fits: false,
          })
          const service = await startService(environment)
          const reads: Load = {
            port: service.port,
            connections: CONNECTIONS,
            milliseconds: roundMs,
            requests: [
              {
                method: 'POST',
                path: '/proxy/listContent',
                headers: { ...catalogue.tokens, 'content-type': 'application/x-www-form-urlencoded' },
                body: `id=${catalogue.categoryIds[0]}&languageId=fra`,
              },
            ],
          }
          await load(reads)
          const atRest: number[] = []
          const meanwhile: number[] = []
          for (let round = 0; round < rounds; round++) {
            atRest.push(...answerRates([await load(reads)]))
            meanwhile.push(...answerRates([await whileEncoding(film.path, join(folder, 'media'), reads)]))
          }
          await service.stop()
          const rest = summarise(atRest).median
          return [
            {
              what: 'catalogue reads of a viewer while a film is being encoded, on PostgreSQL',
              unit: '/s',
              values: meanwhile,
              target: {
                better: 'higher',
                mustReach: rest * OF_REST.mustReach,
                aimsAt: rest * OF_REST.aimsAt,
              },
              reference: { what: 'the same at rest', values: atRest },
              note: 'The load generator, the service and the encoder share the machine. The encoder has the lowest priority, as it always has.',
            },
          ]
        }),
    ),
}

/** Measures a load while a film is being encoded, and then aborts the encoding. */
async function whileEncoding(path: string, mediaRoot: string, reads: Load) {
  const ending = new AbortController()
  const encoding = ingest(
    { path, segments: folderSegments(mediaRoot), encrypted: true, subtitles: [] },
    { signal: ending.signal },
  )
  const ended = encoding.then(
    () => true,
    () => false,
  )
  await pause(UNTIL_ENCODED_MS)
  const measured = await load(reads)
  ending.abort()
  if (await ended) throw new Error('The film was encoded before the measurement ended.')
  await rm(mediaRoot, { recursive: true, force: true })
  return measured
}
