import { beforeAll } from 'vitest'
import type { TestScene } from './scene.ts'
import { NOON } from './service.ts'

const DAY_MS = 86_400_000

/** Ids of the titles that the offers in `SOLD` name. */
export interface SoldTitles {
  houle: number
  match: number
  encre: number
  sel: number
  /** A film above level 2. */
  fort: number
  /** A film in no package. */
  libre: number
  regatta: number
  episode: number
  channel: number
}

/** Creates the titles that the offers in `SOLD` name. */
export async function makeSoldTitles({ make }: TestScene): Promise<SoldTitles> {
  const series = await make.series('Le Métier')
  const idOf = async (...asset: Parameters<typeof make.asset>) => (await make.asset(...asset)).id
  return {
    houle: await idOf('La Houle'),
    match: await idOf('Le Match'),
    encre: await idOf('Encre'),
    sel: await idOf('Sel', { titles: { fra: 'Sel', eng: 'Salt' } }),
    fort: await idOf('Fort', { moralityLevel: 4 }),
    libre: await idOf('Sables'),
    regatta: await idOf('La régate', { startsAt: NOON + DAY_MS, endsAt: NOON + 2 * DAY_MS }),
    episode: await idOf('Premier jour', await make.firstEpisodeOf(series)),
    channel: (await make.channel('Rive', { kind: 'sequence', titles: ['La Houle'] }, { number: 7 })).id,
  }
}

/**
 * Returns the titles that the offers in `SOLD` name, for the tests of a `describe` block. They are set before the
 * tests run.
 */
export function soldTitles(scene: TestScene): SoldTitles {
  // Filled in before the first test.
  const titles = {} as SoldTitles
  beforeAll(async () => {
    Object.assign(titles, await makeSoldTitles(scene))
  })
  return titles
}
