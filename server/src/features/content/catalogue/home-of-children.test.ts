import { homeContent, type Rail, type RailItem } from '@ondine/contract/catalogue'
import { HOME_TYPES } from '@ondine/contract/configuration-values'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { genreKey } from '../../../metadata/genres.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'

const DAY_MS = 86_400_000

describe.each(MAIN_DB)('the home of a child’s profile, on a database of kind %s', (kind) => {
  let service: TestService
  let child: Actor
  let parent: Actor
  let mild: number

  beforeAll(async () => {
    service = await startTestService(kind)
    const { context, clock } = service
    const { db } = context
    const build = buildersOf(context)
    parent = await build.actor()
    child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    mild = (await build.asset('Récif', { moralityLevel: 1, validFrom: NOON - 2 * DAY_MS })).id
    await build.asset('Ville basse', { moralityLevel: 5, validFrom: NOON - DAY_MS })
    const gentle = await build.series('Encre')
    const strong = await build.series('Front froid')
    for (const { id } of [gentle, strong])
      await build.asset(`Épisode de ${id}`, { kind: 'episode', serieId: id })
    await db.update(categories).set({ moralityLevel: 5 }).where(eq(categories.id, strong.id))
    await build.channel('Douce', { kind: 'sequence', titles: ['Récif'] })
    await build.channel('Rude', { kind: 'sequence', titles: ['Ville basse'] })
    await build.channel('Sans guide', { kind: 'sequence', titles: ['Nulle part'] })
    await build.channel('Interdite', { kind: 'sequence', titles: ['Récif'] }, { moralityLevel: 5 })
    await extendSchedules(db, createTrackSetStore(db), clock.now(), new AbortController().signal)
  })
  afterAll(async () => await service.remove())

  async function compose(home: Record<string, unknown>) {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const changes = Object.entries(home).map(([path, value]) => ({ path: `home.${path}`, value }))
    const authorship = { author: 'test', reason: '' }
    await configurations.change(id, configurations.stored(id).revision, changes, authorship)
  }

  const home = async (who?: Actor, type?: (typeof HOME_TYPES)[number]) =>
    (await service.call(homeContent, { type }, who?.tokens)).result

  function shown(rails: readonly Rail[]): [id: string, names: string[]][] {
    return rails.map(({ id, items }) => [id, items.map(nameOf).toSorted()])
  }

  it('V3-32 A6-05 without configuration has rails for children, filled up to its level and without empty ones', async () => {
    expect(shown(await home(child))).toEqual([
      ['films', ['Récif']],
      ['series', ['Encre']],
      ['live', ['Douce', 'Sans guide']],
    ])
    const position = {
      profileId: child.profileId,
      assetId: mild,
      seconds: 20,
      updatedAt: service.clock.now(),
    }
    await storeSeekPositions(service.context.db, [position])
    expect(shown(await home(child))[0]).toEqual(['continue', ['Récif']])
  })

  it('V3-32 without configuration has rails of cartoons and of nature above all films', async () => {
    const { db, connection } = service.context
    const genres = ['Documentaire', 'Animation'].map(genreKey)
    await db.update(assets).set({ genres }).where(eq(assets.id, mild))
    await connection.changes.settled()
    expect(shown(await home(child)).filter(([, names]) => names.includes('Récif'))).toEqual([
      ['continue', ['Récif']],
      ['animation', ['Récif']],
      ['nature', ['Récif']],
      ['films', ['Récif']],
    ])
  })

  it('V3-32 has the operator’s order and titles in each language, and never shows an adult home page', async () => {
    const before = [shown(await home(parent)), shown(await home())]
    await compose({
      children: [
        { id: 'fresh', source: 'new', title: { fra: 'Youpi', eng: 'Yay' } },
        { id: 'tv', source: 'live' },
        { id: 'gone', source: 'leaving' },
      ],
    })
    for (const type of [undefined, ...HOME_TYPES])
      expect(
        (await home(child, type)).map(({ id }) => id),
        type,
      ).toEqual(['fresh', 'tv'])
    const english = await service.call(homeContent, { languageId: 'eng' } as object, child.tokens)
    expect([(await home(child))[0]?.title, english.result[0]?.title]).toEqual(['Youpi', 'Yay'])
    expect([shown(await home(parent)), shown(await home())]).toEqual(before)
    // An adult's profile may request the children's home page too.
    expect(shown(await home(parent, 'children'))[0]).toEqual(['fresh', ['Récif', 'Ville basse']])
    await compose({ children: [] })
    expect(await home(child)).toEqual([])
  })

  it('A6-05 shows a channel again when its programme is suitable for the child', async () => {
    await compose({ children: [{ id: 'tv', source: 'live' }] })
    expect(shown(await home(child))).toEqual([['tv', ['Douce', 'Sans guide']]])
    await service.context.db.update(channels).set({ moralityLevel: 5 }).where(eq(channels.sourceKey, 'Douce'))
    await service.context.connection.changes.settled()
    expect(shown(await home(child))).toEqual([['tv', ['Sans guide']]])
    const all = shown(await home(parent, 'connected')).find(([id]) => id === 'live')
    expect(all?.[1]).toEqual(['Douce', 'Interdite', 'Rude', 'Sans guide'])
  })
})

function nameOf({ type, payload }: RailItem): string {
  return type === 'asset' || type === 'recording' ? payload.title : payload.name
}
