import {
  activeAssets,
  assets,
  contentData,
  hierarchy,
  homeContent,
  listContent,
} from '@ondine/contract/catalogue'
import { epg, epgEvent, epgGrid, listChannels } from '@ondine/contract/channels'
import { favoriteAssets, favoriteChannels } from '@ondine/contract/favourites'
import { listAssetTags, readAsset, testAsset } from '@ondine/contract/playback'
import { aISummary } from '@ondine/contract/review-summaries'
import { assetScore } from '@ondine/contract/scores'
import { related, search } from '@ondine/contract/search'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { favourites } from '../src/features/content/favourites/favourites.table.ts'
import { createTrackSetStore } from '../src/features/inventory/track-sets/track-sets.service.ts'
import { profiles } from '../src/features/people/profiles/profiles.table.ts'
import { extendSchedules } from '../src/features/television/schedule/extend-schedules.ts'
import { storeSeekPositions } from '../src/features/viewing/playback/seek-positions.ts'
import { type Actor, buildersOf } from './builders.ts'
import { MAIN_DB, startTestService, type TestService } from './service.ts'

/** Word in the titles of everything that the child must not see. */
const HIDDEN = 'Interdit'

describe.each(MAIN_DB)('a child’s profile, on a database of kind %s', (kind) => {
  let service: TestService
  let child: Actor
  let strong: number
  let adult: number
  let mild: number
  let channel: number

  beforeAll(async () => {
    service = await startTestService(kind)
    const { context, clock } = service
    const make = buildersOf(context)
    // The profile is an adult's at first, so that it can start and store everything.
    child = await make.actor()
    strong = (await make.asset(`${HIDDEN} fort`, { moralityLevel: 5, genres: ['Drame'] })).id
    adult = (await make.asset(`${HIDDEN} adulte`, { adult: true, genres: ['Drame'] })).id
    mild = (await make.asset('Permis doux', { moralityLevel: 1, genres: ['Drame'] })).id
    const rules = { kind: 'sequence', titles: [`${HIDDEN} fort`, 'Permis doux'] }
    channel = (await make.channel('Rive', rules)).id
    await make.channel(`${HIDDEN} chaîne`, rules, { moralityLevel: 5 })
    const now = clock.now()
    await extendSchedules(context.db, createTrackSetStore(context.db), now, new AbortController().signal)
    await storeSeekPositions(
      context.db,
      [strong, adult, mild].map((assetId) => ({
        profileId: child.profileId,
        assetId,
        seconds: 20,
        updatedAt: now,
      })),
    )
    await context.db
      .insert(favourites)
      .values([strong, adult, mild].map((assetId) => ({ profileId: child.profileId, assetId })))
    await context.db
      .update(profiles)
      .set({ kid: true, maximumMoralityLevel: 2 })
      .where(eq(profiles.id, child.profileId))
  })
  afterAll(async () => await service.remove())

  it('A6-05 finds nothing above its level in any list', async () => {
    const ask = async (): Promise<[string, unknown, boolean][]> => {
      const { tokens } = child
      const day = { start: undefined, offset: 0, hours: 24, channelIds: undefined, filters: undefined }
      const words = { type: 'all', count: 50, itemsPerPage: 20, page: 1 } as const
      const range = { watchingMin: 0, watchingMax: 100 }
      return [
        ['hierarchy', (await service.call(hierarchy, {}, tokens)).result, false],
        ['home', (await service.call(homeContent, {}, tokens)).result, true],
        ['list', (await service.call(listContent, {}, tokens)).result, true],
        ['assets', (await service.call(assets, { assetIds: [strong, adult, mild] }, tokens)).result, true],
        ['continue', (await service.call(activeAssets, range, tokens)).result, true],
        ['favourites', (await service.call(favoriteAssets, {}, tokens)).result, true],
        ['favourite channels', (await service.call(favoriteChannels, {}, tokens)).result, false],
        ['search', (await service.call(search, { ...words, term: 'permis' }, tokens)).result, true],
        [
          'search for a hidden title',
          (await service.call(search, { ...words, term: HIDDEN }, tokens)).result,
          false,
        ],
        [
          'related',
          (await service.call(related, { contentType: 'asset', contentId: mild }, tokens)).result,
          false,
        ],
        ['channels', (await service.call(listChannels, {}, tokens)).result, false],
        ['guide', (await service.call(epg, day, tokens)).result, true],
        ['grid', (await service.call(epgGrid, day, tokens)).result, false],
        ['detail', (await service.call(contentData, { idAsset: mild }, tokens)).result, true],
      ]
    }
    for (const [what, answer, showsMild] of await ask()) {
      const written = JSON.stringify(answer)
      // Ignores the search text, which the answer of a search repeats.
      const found = written.replaceAll(`"term":"${HIDDEN}"`, '')
      expect(found.includes(`${HIDDEN} `), what).toBe(false)
      if (showsMild) expect(written, what).toContain('Permis doux')
    }
  })

  it('A6-05 finds nothing above its level by a direct address either', async () => {
    const { tokens } = child
    const languages = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    for (const idAsset of [strong, adult]) {
      const answers = [
        await service.call(contentData, { idAsset }, tokens),
        await service.call(testAsset, { idAsset }, tokens),
        await service.call(readAsset, { idAsset, ...languages }, tokens),
        await service.call(listAssetTags, { idAsset }, tokens),
        await service.call(assetScore, { idAsset }, tokens),
        await service.call(aISummary, { idAsset }, tokens),
        await service.call(related, { contentType: 'asset', contentId: idAsset }, tokens),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
    }
    const guide = (await service.call(epg, { offset: 0, hours: 24 }, {})).result
    const hidden = Object.values(guide)
      .flat()
      .find(({ title }) => title.startsWith(HIDDEN))
    const event = { idChannel: channel, idEvent: hidden?.id ?? 0 }
    const { result } = await service.call(epgEvent, event, tokens)
    expect(JSON.stringify(result ?? null)).not.toContain(HIDDEN)
  })
})
