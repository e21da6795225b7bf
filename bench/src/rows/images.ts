import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LAYOUT } from '@ondine/contract/constants'
import { encodePicture } from '@ondine/server/features/viewing/images/encode-picture'
import { drawLandscape } from '../drawing.ts'
import { withInstallation } from '../installation.ts'
import { answerRates, loadInTurns } from '../load.ts'
import { startNginx } from '../nginx.ts'
import type { Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'

/** Number of pictures on the first screen of a home page. */
const PICTURES = 12
const CONNECTIONS = 16
/** Height of cards' pictures, in pixels. */
const HEIGHT = 360
const ACCEPT = { accept: 'image/avif,image/webp,*/*' }

/**
 * Measures pictures in the sizes that a page needs, in two cases: the size is in the cache, or is requested for
 * the first time.
 */
export const images: Row = {
  name: 'images',
  measure: async ({ rounds, roundMs }) => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-bench-images-'))
    try {
      return await withInstallation(
        'embedded',
        async (context) => {
          const ids: { id: string; original: string }[] = []
          for (let index = 0; index < PICTURES; index++) {
            const drawing = join(folder, `${index}.png`)
            await writeFile(drawing, drawLandscape(index))
            const { id } = await context.images.store(drawing)
            ids.push({ id, original: (await context.images.original(id)) ?? '' })
          }
          return ids
        },
        async ({ environment }, pictures) => {
          const service = await startService(environment)
          const figures = [
            ...(await firstTimes(service.origin, pictures)),
            await again(service, pictures, { folder: join(folder, 'media'), rounds, roundMs }),
          ]
          await service.stop()
          return figures
        },
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Measures the latency of the first request for a size, for one picture after the other. */
async function firstTimes(
  origin: string,
  pictures: readonly { id: string; original: string }[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const height of [HEIGHT, Math.max(...LAYOUT.imageHeights)]) {
    const values: number[] = []
    const alone: number[] = []
    for (const { id, original } of pictures) {
      values.push(await timed(async () => await fetchPicture(origin, id, height)))
      alone.push(await timed(async () => await encodePicture(original, { height }, 'avif')))
    }
    figures.push({
      what: `a picture that nobody has asked for yet, ${height} px high, as AVIF`,
      unit: 'ms',
      values,
      target: { better: 'lower', mustReach: null, aimsAt: null },
      reference: { what: 'the encoder alone', values: alone },
    })
  }
  return figures
}

/** Measures requests for cached pictures. For comparison, nginx serves the same files. */
async function again(
  service: { port: number; origin: string },
  pictures: readonly { id: string }[],
  { folder, rounds, roundMs }: { folder: string; rounds: number; roundMs: number },
): Promise<Figure> {
  await mkdir(folder)
  for (const { id } of pictures)
    await writeFile(join(folder, `${id}.jpg`), await fetchPicture(service.origin, id, HEIGHT))
  const nginx = await startNginx(folder)
  const peer = await startPeer('empty-route')
  const common = { connections: CONNECTIONS, milliseconds: roundMs }
  const subject = {
    ...common,
    port: service.port,
    requests: pictures.map(({ id }) => ({ path: `/images/${id}/${HEIGHT}`, headers: ACCEPT })),
  }
  const files = {
    ...common,
    port: nginx.port,
    requests: pictures.map(({ id }) => ({ path: `/media/${id}.jpg` })),
  }
  const rates = await loadInTurns(subject, files, rounds)
  const empty = await loadInTurns(
    { ...common, port: peer.port, requests: [{ path: '/' }] },
    { ...files, milliseconds: 1 },
    rounds,
  )
  await nginx.stop()
  await peer.stop()
  const emptyRate = Math.round(median(answerRates(empty.subject)))
  return {
    what: `pictures that were made before, ${HEIGHT} px high`,
    unit: '/s',
    values: answerRates(rates.subject),
    target: { better: 'higher', mustReach: null, aimsAt: null },
    reference: { what: 'nginx serving the same files', values: answerRates(rates.reference) },
    note: `An empty Fastify route gave ${emptyRate.toLocaleString('en')} answers a second in the same run.`,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

async function fetchPicture(origin: string, id: string, height: number): Promise<Buffer> {
  const response = await fetch(`${origin}/images/${id}/${height}`, { headers: ACCEPT })
  if (!response.ok) throw new Error(`A picture request got status ${response.status}.`)
  return Buffer.from(await response.arrayBuffer())
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
