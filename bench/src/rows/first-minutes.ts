import { contentData, hierarchy, listContent } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { encodeInput } from '@ondine/contract/encode-input'
import type { Asset, Category } from '@ondine/contract/entities'
import { importProgress } from '@ondine/contract/library'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { channelStream } from '@ondine/contract/playback'
import { CATALOGUE } from '@ondine/demo/catalogue'
import { CHANNELS } from '@ondine/demo/channels'
import { CARRIERS } from '@ondine/server/http/principal'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

const PATIENCE_MS = 30 * 60_000
/** Interval between two checks. It is long enough to disturb the measured service very little. */
const PAUSE_MS = 1000
/** An account of the demonstration with access to all content. */
const SUBSCRIBER = { username: 'subscriber@ondine.test', password: 'Ondine-2026!', grant_type: 'password' }

/**
 * Stages of a new demonstration, with the time of each in seconds. The time begins with the first answer of a
 * service with an empty folder.
 */
const STAGES = [
  { what: 'every title with its artwork', mustReach: 60, isReached: allTitlesShown },
  { what: 'a film, an episode and the five channels play', mustReach: 180, isReached: firstOfEachPlays },
  { what: 'everything is ready', mustReach: 360, isReached: allReady },
] as const

export const firstMinutes: Row = {
  name: 'first-minutes',
  measure: async () =>
    await withTemporaryFolder(async (folder) => {
      const service = await startService({
        DATA_DIR: folder,
        DEMO: 'true',
        NODE_ENV: 'production',
        // Allows many sign-ins, because the row tries to sign in until the demonstration has its accounts.
        SIGN_IN_ATTEMPTS: '1000',
      })
      const startedAt = performance.now()
      try {
        const viewer = await signIn(service.origin)
        const seconds: number[] = []
        for (const { isReached } of STAGES) {
          await until(async () => await isReached(viewer))
          seconds.push((performance.now() - startedAt) / 1000)
        }
        return STAGES.map(({ what, mustReach }, index) => ({
          what: `a new demonstration: ${what}`,
          unit: 's',
          values: seconds.slice(index, index + 1),
          target: { better: 'lower', mustReach, aimsAt: null },
          reference: null,
          note: 'From the first answer, with an empty folder, on a machine that does nothing else. Taken once.',
        }))
      } finally {
        await service.stop()
      }
    }),
}

interface Viewer {
  origin: string
  headers: Record<string, string>
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error('The demonstration did not finish in time.')
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function allTitlesShown(viewer: Viewer): Promise<boolean> {
  const { films, series } = await titlesOf(viewer)
  const shown = new Set([
    ...films.flatMap(({ title, posterImage }) => (posterImage === null ? [] : title)),
    ...series.flatMap(({ name, images }) => (images.poster === null ? [] : name)),
  ])
  return CATALOGUE.every(({ title }) => shown.has(title))
}

async function firstOfEachPlays(viewer: Viewer): Promise<boolean> {
  const { films, series } = await titlesOf(viewer)
  const episodes = await Promise.all(
    series.map(async ({ idCatalog }) => assetsIn(await call(viewer, contentData, { idCategory: idCatalog }))),
  )
  const isReady = ({ availability }: Asset) => availability.state === 'ready'
  if (!films.some(isReady) || !episodes.flat().some(isReady)) return false
  const channels = await call(viewer, listChannels, {})
  const playing = await Promise.all(channels.map(async ({ idChannel }) => await plays(viewer, idChannel)))
  // The live channel is counted in addition, because `CHANNELS` does not contain it.
  return channels.length === CHANNELS.length + 1 && playing.every(Boolean)
}

async function allReady(viewer: Viewer): Promise<boolean> {
  const { running, ready, total } = await call(viewer, importProgress, {})
  return !running && total > 0 && ready === total
}

async function titlesOf(viewer: Viewer): Promise<{ films: Asset[]; series: Category[] }> {
  const all = (await call(viewer, hierarchy, {})).flatMap((root) => [root, ...root.categories])
  const lists = await Promise.all(
    all
      .filter(({ isSerie, isSeason }) => !isSerie && !isSeason)
      .map(async ({ idCatalog }) => await call(viewer, listContent, { id: idCatalog })),
  )
  return {
    films: lists.flat().flatMap((item) => (item.type === 'asset' ? [item.payload] : [])),
    series: all.filter(({ isSerie }) => isSerie),
  }
}

/** Returns the episodes of all seasons of a series. */
function assetsIn({ content }: OutputOf<typeof contentData>): Asset[] {
  if (content.type !== 'category') return []
  return [...content.payload.assets, ...content.payload.categories.flatMap(({ assets }) => assets)]
}

/**
 * Signs in as soon as the demonstration has its accounts. Sends tokens in headers, as programs do. Browsers send
 * them in cookies.
 */
async function signIn(origin: string): Promise<Viewer> {
  const kept = new Map<string, string>()
  await until(async () => {
    const answer = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(SUBSCRIBER),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      kept.set(name, value)
    }
    return answer.ok
  })
  const headers = [CARRIERS.account, CARRIERS.profile].flatMap(({ cookie, header }) => {
    const value = kept.get(cookie)
    return value === undefined ? [] : [[header, value]]
  })
  return { origin, headers: Object.fromEntries(headers) }
}

async function plays(viewer: Viewer, idChannel: number): Promise<boolean> {
  const stream = await ask(viewer, channelStream, { idChannel, format: 'dash' })
  if (!stream.status) return false
  const manifest = await fetch(new URL(stream.result.url, viewer.origin))
  return manifest.ok && (await manifest.text()).includes('<S ')
}

async function call<O extends Operation>(
  viewer: Viewer,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O>> {
  const answer = await ask(viewer, operation, input)
  if (!answer.status) throw new Error(`${operation.name} failed: ${answer.error.message}`)
  return answer.result
}

async function ask<O extends Operation>(
  { origin, headers }: Viewer,
  operation: O,
  input: InputOf<O>,
): Promise<Envelope<OutputOf<O>>> {
  const response = await fetch(origin + operation.path, {
    method: operation.method,
    headers,
    ...(operation.method === 'GET' ? {} : { body: new URLSearchParams(encodeInput(input)) }),
  })
  return (await response.json()) as Envelope<OutputOf<O>>
}
