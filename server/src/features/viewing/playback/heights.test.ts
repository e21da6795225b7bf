import { downloadAsset } from '@ondine/contract/downloads'
import { channelStream, readAsset } from '@ondine/contract/playback'
import { createRecording, playRecording } from '@ondine/contract/recordings'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildTrackSet } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { grants, packageChannels } from '../../rights/entitlements/entitlements.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'

const HEIGHTS = [360, 720, 1080]
const DAY_MS = 86_400_000

describe.each(MAIN_DB)('the height of video, on a database of kind %s', (kind) => {
  let film: Awaited<ReturnType<(typeof scene)['make']['asset']>>
  let channelId = 0
  const scene = testScene(kind, {
    actor: { packages: { cinema: { maximumHeight: 720 } } },
    prepared: async ({ make, service }) => {
      await ensurePackage(service.context.db, 'cinema', { fra: 'Cinéma', eng: 'Cinema' }, 10)
      const trackSet = () => buildTrackSet({ seconds: 120, heights: HEIGHTS })
      film = await make.asset('La Houle', { trackSet: trackSet(), inPackages: ['cinema'] })
      const rules = { kind: 'sequence', titles: ['La Houle'] }
      channelId = (await make.channel('Rive', rules, { inPackages: ['cinema'] })).id
      await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    },
  })
  beforeAll(async () => {
    await changeConfigurationOf(scene.service, { 'downloads.downloadWebEnabled': true })
  })

  async function open(format: 'dash' | 'hls', { tokens }: Actor = scene.actor, idAsset = film.id) {
    const input = { idAsset, idAudioLang: 'fra', idSubtitleLang: 'non', format } as const
    return (await scene.service.call(readAsset, input, tokens)).result.url
  }

  async function bodyOf(url: string) {
    return (await scene.service.app.inject({ url })).body
  }

  /** Returns the heights of video in a manifest, lowest first. */
  function heightsIn(manifest: string): number[] {
    const found = [...manifest.matchAll(/ height="(\d+)"|RESOLUTION=\d+x(\d+)/g)]
    return [...new Set(found.map(([, dash, hls]) => Number(dash ?? hls)))].toSorted((a, b) => a - b)
  }

  it('V4-25 V4-27 a right with a height has no higher video in DASH and HLS', async () => {
    expect(heightsIn(await bodyOf(await open('dash')))).toEqual([360, 720])
    const hls = await open('hls')
    expect(heightsIn(await bodyOf(hls))).toEqual([360, 720])
    const statusOf = async (file: string) =>
      (await scene.service.app.inject({ url: hls.replace('main.m3u8', file) })).statusCode
    expect([await statusOf('v720.m3u8'), await statusOf('v1080.m3u8')]).toEqual([200, 404])
    const other = await scene.make.actor({ packages: { cinema: {} } })
    expect(heightsIn(await bodyOf(await open('dash', other)))).toEqual(HEIGHTS)
  })

  it('a channel has no higher video either', async () => {
    for (const format of ['dash', 'hls'] as const) {
      const input = { idChannel: channelId, format }
      const { url } = (await scene.service.call(channelStream, input, scene.actor.tokens)).result
      expect(heightsIn(await bodyOf(url.split('#')[0] ?? ''))).toEqual([360, 720])
    }
  })

  it('spec 53: a recording has the height of the packages with which it was recorded', async () => {
    const { db } = scene.service.context
    const onChannel = eq(programmes.channelId, channelId)
    const [programme] = await db.select().from(programmes).where(onChannel).orderBy(programmes.startsAt)
    const wanted = { idEvent: programme?.id ?? 0, idChannel: channelId }
    const { id } = (await scene.service.call(createRecording, wanted, scene.actor.tokens)).result
    const contains = eq(packageChannels.channelId, channelId)
    const held = await db.delete(packageChannels).where(contains).returning()
    try {
      await scene.at((programme?.endsAt ?? 0) + 600_000, async () => {
        for (const format of ['dash', 'hls'] as const) {
          const asked = { id, x: 'start', format } as const
          const { url } = (await scene.service.call(playRecording, asked, scene.actor.tokens)).result
          expect(heightsIn(await bodyOf(url))).toEqual([360, 720])
        }
      })
    } finally {
      await db.insert(packageChannels).values(held)
    }
  })

  it('of several rights to a package, the highest video counts, and the limit returns with its end', async () => {
    const viewer = await scene.make.actor({ packages: { cinema: { maximumHeight: 360 } } })
    const own = eq(grants.accountId, viewer.account.id)
    const { db } = scene.service.context
    const [held] = await db.select().from(grants).where(own)
    await addGrant(db, {
      accountId: viewer.account.id,
      opens: { packageId: held?.packageId ?? 0 },
      source: 'operator',
      sourceId: 'higher',
      from: NOON - 1000,
      to: null,
    })
    expect(heightsIn(await bodyOf(await open('dash', viewer)))).toEqual(HEIGHTS)
    await db
      .update(grants)
      .set({ endedAt: NOON - 1 })
      .where(eq(grants.sourceId, 'higher'))
    expect(heightsIn(await bodyOf(await open('dash', viewer)))).toEqual([360])
  })

  it('spec 49 a rental has a height of its own. What is not sold has none', async () => {
    const trackSet = () => buildTrackSet({ heights: HEIGHTS })
    const rented = await scene.make.asset('Encre', { trackSet: trackSet(), inPackages: ['rentals'] })
    await addGrant(scene.service.context.db, {
      accountId: scene.actor.account.id,
      opens: { assetId: rented.id },
      source: 'operator',
      sourceId: 'low rental',
      from: NOON - 1000,
      to: NOON + 30 * DAY_MS,
      maximumHeight: 360,
    })
    expect(heightsIn(await bodyOf(await open('dash', scene.actor, rented.id)))).toEqual([360])
    const free = await scene.make.asset('Libre', { trackSet: trackSet() })
    expect(heightsIn(await bodyOf(await open('dash', scene.actor, free.id)))).toEqual(HEIGHTS)
  })

  it('a right with a height below all video gets the lowest', async () => {
    const viewer = await scene.make.actor({ packages: { cinema: { maximumHeight: 240 } } })
    expect(heightsIn(await bodyOf(await open('dash', viewer)))).toEqual([360])
  })

  it('A4.9-05 V7-25 downloads offer the allowed heights only, and their manifest has no other', async () => {
    const ask = async (height?: number) =>
      (
        await scene.service.call(
          downloadAsset,
          { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', height },
          scene.actor.tokens,
        )
      ).result
    const { qualities, folders, url } = await ask()
    expect(qualities.map(({ height }) => height)).toEqual([720, 360])
    expect(folders[0]?.address).toContain('/v720/')
    expect((await ask(1080)).folders[0]?.address).toContain('/v720/')
    const [address = ''] = url.split('?')
    expect(heightsIn(await bodyOf(`${address}?renditions=v720,v1080,a-fra-1`))).toEqual([720])
    const forged = await scene.service.app.inject({ url: `${address}?renditions=v1080` })
    expect(forged.json().error.code).toBe(-1602)
  })

  it('without a provider, no device has hardware security, whatever it says', async () => {
    const viewer = await scene.make.actor({ packages: { cinema: {} } })
    const rule = await changeConfigurationOf(scene.service, { 'protection.hardwareAboveHeight': 720 })
    const input = {
      idAsset: film.id,
      idAudioLang: 'fra',
      idSubtitleLang: 'non',
      format: 'dash',
      hasHardwareSecurity: true,
    } as const
    const { url } = (await scene.service.call(readAsset, input, viewer.tokens)).result
    expect(heightsIn(await bodyOf(url))).toEqual([360, 720])
    const clear = await scene.make.asset('En clair', {
      trackSet: buildTrackSet({ heights: HEIGHTS, encrypted: false }),
    })
    expect(heightsIn(await bodyOf(await open('dash', viewer, clear.id)))).toEqual(HEIGHTS)
    await rule.undo()
  })
})
