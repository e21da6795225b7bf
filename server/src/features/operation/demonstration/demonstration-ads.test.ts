import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readAsset } from '@ondine/contract/playback'
import { SPOTS, SPOTS_FOLDER, writeBreaks } from '@ondine/demo/spots'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { findAccountByEmail } from '../../people/accounts/accounts.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { accountToken, profileToken } from '../../people/sign-in/tokens.ts'
import { creativeId, prepareAds } from '../../viewing/ads/ads.service.ts'
import { ensureDemonstrationAccounts, SUBSCRIBER } from './demonstration-accounts.ts'
import { sellDemonstration } from './demonstration-offers.ts'
import { DemonstrationPurchases } from './demonstration-purchases.ts'
import { ensureDemonstrationStorefronts } from './demonstration-storefronts.ts'

const WITH_ADS = 'adverts@ondine.test'

describe.each(MAIN_DB)('advertisements of the demonstration, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let film: number
  let storefrontId: number

  beforeAll(async () => {
    const { context } = scene.service
    const chapter = (start: number, end: number) => ({
      type: 'chapter' as const,
      start,
      end,
      label: `${start}`,
    })
    const marks = [chapter(0, 12), chapter(12, 40), chapter(40, 60)]
    film = (
      await scene.make.asset('Encre', {
        trackSet: buildTrackSet({ seconds: 60 }),
        inPackages: ['films'],
        marks,
      })
    ).id
    storefrontId = (await context.storefronts.create({ apiKey: 'demo', name: 'Ondine', demonstration: true }))
      .id
    const storefronts = await ensureDemonstrationStorefronts(context)
    await ensureDemonstrationAccounts(context, storefronts)
    await sellDemonstration(context)
    const parts = { ...shop.parts, originOf: () => 'http://localhost:4000', mail: { order: async () => {} } }
    await new DemonstrationPurchases(context, parts).buy(storefronts)
    const folder = join(context.folders.library, 'demonstration')
    await mkdir(join(folder, SPOTS_FOLDER), { recursive: true })
    await writeBreaks(folder, 'demonstration', 10)
  })

  /** Starts the film with a demonstration account. @returns the number of advertisements in each break */
  async function adsOf(email: string, isChild = false): Promise<[position: number, ads: number][]> {
    const { db, keys } = scene.service.context
    const account = await findAccountByEmail(db, storefrontId, email)
    const profile = account && (await listProfiles(db, account.id)).find(({ kid }) => kid === isChild)
    if (!account || !profile) throw new Error(`${email} has no such profile.`)
    const { result } = await scene.service.call(
      readAsset,
      {
        idAsset: film,
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        format: 'dash',
        adsMacro: { page_url: 'https://ondine.test/player', device_ua: 'Test/1.0' },
      },
      {
        'x-identity-key': 'demo',
        'x-auth-token': accountToken(keys, account, 3600),
        'x-profile-token': profileToken(keys, profile, 3600),
      },
    )
    return (result.breaks ?? []).map(({ position, ads }) => [position, ads.length])
  }

  it('V4-32 a viewer with advertisements gets the three spots; a child and a subscriber get none', async () => {
    const { db, clock } = scene.service.context
    // The spots are not ready yet. Their preparation starts before the first playback.
    await prepareAds(scene.service.context, storefrontId, clock.now())
    const rows = await db.select().from(adCreatives)
    expect(rows.map(({ address }) => address).sort()).toEqual(
      SPOTS.map(({ file }) => `library:demonstration/${SPOTS_FOLDER}/${file}`).sort(),
    )
    expect(await adsOf(WITH_ADS)).toEqual([])
    for (const { address } of rows) {
      const trackSet = buildTrackSet({ seconds: 8 })
      const { id } = trackSet
      await db
        .insert(trackSets)
        .values({ id, key: Buffer.alloc(16, 7), document: trackSet, durationSeconds: 8 })
      await db
        .insert(adCreatives)
        .values({ id: creativeId(address), address, storefrontId, namedAt: NOON })
        .onConflictDoUpdate({ target: adCreatives.id, set: { state: 'ready', trackSetId: id } })
    }
    expect(await adsOf(WITH_ADS)).toEqual([
      [0, 1],
      [40, 2],
    ])
    expect(await adsOf(WITH_ADS, true)).toEqual([])
    expect(await adsOf(SUBSCRIBER)).toEqual([])
  })
})
