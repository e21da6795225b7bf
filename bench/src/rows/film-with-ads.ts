import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '@ondine/server/context'
import { adCreatives } from '@ondine/server/features/inventory/creatives/creatives.table'
import { trackSets } from '@ondine/server/features/inventory/titles/titles.table'
import { createAccount } from '@ondine/server/features/people/profiles/new-account.service'
import { addGrant } from '@ondine/server/features/rights/entitlements/grants.service'
import { ensurePackage } from '@ondine/server/features/rights/entitlements/packages.service'
import { creativeId } from '@ondine/server/features/viewing/ads/ads.service'
import { ingest } from '@ondine/server/ingest/ingest'
import { vast, vmap } from '@ondine/server/test/fake-ad-server'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../catalogue.ts'
import { playFilm, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'
import { makeSourceFilm } from '../source-film.ts'

const SPOT_SECONDS = 6
/** Start times of the breaks in a film of 60 s. */
const BREAKS = ['start', '00:00:20', '00:00:40']
const FILM_SECONDS = 60
const WITHOUT_ADS = 'without-ads@ondine.test'
const ADDRESS = 'library:spots/spot.mp4'

/**
 * Measures the cost of three breaks with advertisements: the delay of the first frame, and stalls until the end of
 * the film.
 */
export const filmWithAds: Row = {
  name: 'film-with-ads',
  measure: async ({ browserTries, rounds }) => {
    const { later, stalls, without } = await withPlayers(
      async (players) => {
        const { films } = players.catalogue
        const plain = { ...players, app: await players.openAs(WITHOUT_ADS) }
        const later: number[] = []
        // The first turn only fills the caches.
        for (let turn = 0; turn <= browserTries; turn++) {
          const index = turn % films.length
          const idAsset = films[index]?.id ?? 0
          const ours = await playFilm(players, index + 1, idAsset)
          await players.app.goto('about:blank')
          const reference = await playFilm(plain, index + 1, idAsset)
          await plain.app.goto('about:blank')
          if (turn > 0) later.push(ours - reference)
        }
        const stalls: number[] = []
        const without: number[] = []
        const last = films.length - 1
        for (let round = 0; round < Math.min(rounds, 2); round++) {
          const idAsset = films[last - round]?.id ?? 0
          const number = last - round + 1
          await playFilm(players, number, idAsset)
          stalls.push(await stallsUntil(players.app, FILM_SECONDS + BREAKS.length * SPOT_SECONDS - 1))
          await players.app.goto('about:blank')
          await playFilm(plain, number, idAsset)
          without.push(await stallsUntil(plain.app, FILM_SECONDS - 1))
          await plain.app.goto('about:blank')
        }
        return { later, stalls, without }
      },
      { fill: fillAds, settings: {} },
    )
    return [
      {
        what: 'first picture of a film with three breaks, compared with the film alone',
        unit: 'ms',
        values: later,
        target: { better: 'lower', mustReach: 150, aimsAt: 50 },
        reference: null,
        note: `Milliseconds later than the same film for a viewer without advertisements, loopback, warm. The breaks come from a document in the library, and begin before the film. ${browserTries} tries.`,
      },
      {
        what: 'stalls of a film with three breaks',
        unit: '',
        values: stalls,
        target: { better: 'lower', mustReach: 0, aimsAt: 0 },
        // No reference, because a ratio to zero stalls has no meaning.
        reference: null,
        note: `Times at which the video element waited for media, from the first frame to the end. The same film without breaks: ${without.join(', ')}.`,
      },
    ]
  },
}

/** Returns the number of stalls until `seconds` of the video's manifest have played. */
async function stallsUntil(page: Page, seconds: number): Promise<number> {
  page.setDefaultTimeout(0)
  return await page.evaluate(async (end) => {
    const video = document.querySelector('video')
    if (!video) throw new Error('There is no video.')
    let waits = 0
    video.addEventListener('waiting', () => {
      waits++
    })
    await new Promise<void>((resolve) => {
      video.addEventListener('timeupdate', () => {
        if (video.currentTime > end) resolve()
      })
    })
    return waits
  }, seconds)
}

/** Stores a packaged advertisement, the document of the breaks, and a second viewer who gets no advertisements. */
async function fillAds(context: Context): Promise<void> {
  const { db, configurations, folders, segments, storefronts } = context
  const folder = join(folders.library, 'spots')
  await mkdir(folder, { recursive: true })
  const { path } = await makeSourceFilm(join(folder, 'spot.mp4'), SPOT_SECONDS, { lines: 720, fits: true })
  const { trackSet, key, durationSeconds } = await ingest(
    { path, segments, encrypted: true, subtitles: [] },
    { signal: AbortSignal.timeout(120_000) },
  )
  const now = Date.now()
  await db.insert(trackSets).values({ id: trackSet.id, key, document: trackSet, durationSeconds })
  await db.insert(adCreatives).values({
    id: creativeId(ADDRESS),
    address: ADDRESS,
    state: 'ready',
    trackSetId: trackSet.id,
    storefrontId: storefronts.first().id,
    namedAt: now,
  })
  const spot = vast({ video: ADDRESS })
  await writeFile(
    join(folder, 'breaks.xml'),
    vmap(Object.fromEntries(BREAKS.map((offset) => [offset, spot]))),
  )
  const storefront = storefronts.first()
  const { revision } = configurations.stored(storefront.id)
  await configurations.change(
    storefront.id,
    revision,
    [
      { path: 'ads.serverUrl', value: 'library:spots/breaks.xml' },
      { path: 'ads.adFreePackages', value: ['no-ads'] },
    ],
    { author: 'bench', reason: 'Advertisements' },
  )
  const { account } = await createAccount(db, storefront.id, { email: WITHOUT_ADS, password: PASSWORD })
  for (const name of ['everything', 'no-ads'])
    await addGrant(db, {
      accountId: account.id,
      opens: { packageId: await ensurePackage(db, name, { fra: name, eng: name }) },
      source: 'operator',
      sourceId: 'bench',
      from: now - 86_400_000,
      to: null,
    })
}
