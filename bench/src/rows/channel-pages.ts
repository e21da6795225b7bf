import { hangPictures } from '../artwork.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { addScheduledChannels } from '../many-channels.ts'
import type { Figure, Row } from '../row.ts'
import { startService } from '../service.ts'

const PAGES = ['/live', '/channel', '/epg'] as const
const MANY = 10_000
/** Maximum size of a page, in kilobytes. A page that rendered each channel would have several thousand. */
const MOST_KILOBYTES = 1000
/**
 * Number in the next address. There are more addresses than the service caches pages, so the service renders each
 * page.
 */
let visits = 0

/** Compares pages that show all channels, between an installation with very many channels and one with few. */
export const channelPages: Row = {
  name: 'channel-pages',
  measure: async ({ rounds }) =>
    await withInstallation('postgresql', hangPictures, async (installation) => {
      const few = await measurePages(installation, rounds)
      await addScheduledChannels(installation, MANY)
      const many = await measurePages(installation, rounds)
      return PAGES.flatMap((path): Figure[] => {
        const [small, large] = [few.get(path), many.get(path)]
        if (!small || !large) throw new Error(`${path} was not measured.`)
        const reference = 'the same page with the few channels of the demonstration'
        return [
          {
            what: `page ${path} with ${MANY.toLocaleString('en')} channels, visitor: HTML`,
            unit: 'kB',
            values: large.kilobytes,
            target: { better: 'lower', mustReach: MOST_KILOBYTES, aimsAt: null },
            reference: { what: reference, values: small.kilobytes },
            note: 'Before it is packed.',
          },
          {
            what: `page ${path} with ${MANY.toLocaleString('en')} channels, visitor: drawn for each`,
            unit: 'ms',
            values: large.milliseconds,
            target: { better: 'lower', mustReach: null, aimsAt: null },
            reference: { what: reference, values: small.milliseconds },
          },
        ]
      })
    }),
}

interface Measured {
  kilobytes: number[]
  milliseconds: number[]
}

async function measurePages({ environment }: Installation, rounds: number): Promise<Map<string, Measured>> {
  const service = await startService(environment)
  const measured = new Map<string, Measured>()
  for (const path of PAGES) {
    await loadPage(service.origin, path)
    const each: Measured = { kilobytes: [], milliseconds: [] }
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      each.kilobytes.push((await loadPage(service.origin, path)) / 1000)
      each.milliseconds.push(performance.now() - startedAt)
    }
    measured.set(path, each)
  }
  await service.stop()
  return measured
}

/** Loads a page. @returns size of the page before compression, in bytes */
async function loadPage(origin: string, path: string): Promise<number> {
  visits += 1
  const answer = await fetch(`${origin}${path}?visit=${visits}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return (await answer.arrayBuffer()).byteLength
}
