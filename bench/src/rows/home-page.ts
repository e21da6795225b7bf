import type { Context } from '@ondine/server/context'
import { categories } from '@ondine/server/features/inventory/titles/titles.table'
import { eq } from 'drizzle-orm'
import { hangPictures } from '../artwork.ts'
import { startBareStack } from '../bare-stack.ts'
import type { Catalogue } from '../catalogue.ts'
import { withInstallation } from '../installation.ts'
import { answerRates, loadInTurns } from '../load.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { type Service, startService } from '../service.ts'
import { summarise } from '../statistics.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { waitingTime } from '../waiting-time.ts'

/** Rate at which the latency is measured, in answers per second. */
const CALM_RATE = 250
const CONNECTIONS = 16
const CALM_CONNECTIONS = 4

/**
 * Addresses of the home page, requested in sequence. There are more of them than the service caches pages, so the
 * service renders each request.
 */
const OF_THEIR_OWN = Array.from({ length: 1000 }, (_, index) => `/?visit=${index}`)

const FEWEST_CARDS = 36

/** Adds pictures, and a rail for each genre. With the titles at its top, home then has 41 cards. */
export async function fortyCards(context: Context, catalogue: Catalogue): Promise<void> {
  await hangPictures(context, catalogue)
  await context.db.update(categories).set({ parentId: null }).where(eq(categories.kind, 'category'))
}

/**
 * Measures the home page of a viewer who is not signed in, in two ways: rendered for each request, and from the
 * cache, which stores a page briefly.
 */
export const homePage: Row = {
  name: 'home-page',
  measure: async (effort) =>
    await withTemporaryFolder(
      async (folder) =>
        await withInstallation('postgresql', fortyCards, async ({ environment }) => {
          const peer = await startBareStack(folder)
          const service = await startService(environment)
          for (const { origin } of [service, peer]) await checkHome(origin)
          const figures = await measureBeside(peer, service, effort)
          await service.stop()
          await peer.stop()
          return figures
        }),
    ),
}

/** Checks a home page. @throws if the expected cards or the data for hydration are missing */
async function checkHome(origin: string): Promise<void> {
  const page = await (await fetch(origin)).text()
  const cards = page.match(/<li class="slide/g)?.length ?? 0
  if (cards < FEWEST_CARDS) throw new Error(`The page of ${origin} has ${cards} cards.`)
  const titles = page.match(/Camille Delmas/g)?.length ?? 0
  if (titles < FEWEST_CARDS) throw new Error(`The page of ${origin} has the data of ${titles} titles.`)
}

async function measureBeside(
  peer: Service,
  service: Service,
  { rounds, roundMs }: Effort,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { how, paths, cached } of [
    { how: 'rendered for each visitor', paths: OF_THEIR_OWN, cached: null },
    { how: 'from its short cache', paths: ['/'], cached: { mustReach: 5000, aimsAt: 10_000 } },
  ]) {
    const requests = paths.map((path) => ({ method: 'GET' as const, path }))
    const common = { connections: CONNECTIONS, milliseconds: roundMs, requests }
    const subject = { ...common, port: service.port }
    const rates = await loadInTurns(subject, { ...common, port: peer.port }, rounds)
    const values = answerRates(rates.subject)
    const bare = summarise(answerRates(rates.reference)).median
    figures.push({
      what: `home page, visitor: ${how}`,
      unit: '/s',
      values,
      target: { better: 'higher', ...(cached ?? { mustReach: bare, aimsAt: 2 * bare }) },
      reference: { what: 'the bare stack with an equal page', values: answerRates(rates.reference) },
    })
    figures.push(
      await waitingTime(
        { ...subject, connections: CALM_CONNECTIONS, perSecond: CALM_RATE },
        { what: how, rates: values },
        { mustReach: 50, aimsAt: null },
        { rounds },
      ),
    )
  }
  return figures
}
