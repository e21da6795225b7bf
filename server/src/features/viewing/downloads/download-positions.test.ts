import { activeAssets, removeActiveAsset } from '@ondine/contract/catalogue'
import { exchangePositions } from '@ondine/contract/downloads'
import type { InputOf } from '@ondine/contract/operation'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'

/** The clock of the test at its start, in seconds. */
const START = NOON / 1000

describe.each(MAIN_DB)('positions in downloads, on a database of kind %s', (kind) => {
  let film: number
  let thriller: number
  const scene = testScene(kind, {
    actor: { packages: { cinema: {} } },
    settings: { CATALOGUE_CACHE_SECONDS: 0 },
    prepared: async ({ make }) => {
      film = (await make.asset('La Houle', { inPackages: ['cinema'] })).id
      thriller = (await make.asset('Encre', { inPackages: ['cinema'], moralityLevel: 5 })).id
    },
  })

  async function exchange(
    positions: InputOf<typeof exchangePositions>['positions'],
    { tokens, profileId }: Actor = scene.actor,
    idProfile = profileId,
  ) {
    return await scene.service.call(exchangePositions, { idProfile, positions }, tokens)
  }

  async function begun() {
    const range = { watchingMin: 1, watchingMax: 95 }
    const { result } = await scene.service.call(activeAssets, range, scene.actor.tokens)
    return result.map(({ idAsset, seekTime }) => [idAsset, seekTime])
  }

  /** Watches the film online until a position. */
  async function watchTo(position: number) {
    const wanted = { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const { result } = await scene.service.call(readAsset, wanted, scene.actor.tokens)
    await scene.service.call(heartbeat, { session: result.session, position, event: 'close' })
  }

  it('V4-30 V4-49 a play without a connection counts, unless the profile has watched the title since', async () => {
    expect((await exchange([{ idAsset: film }])).result).toEqual([])
    const offline = { idAsset: film, played: { seconds: 12, at: START - 600 } }
    expect((await exchange([offline])).result).toEqual([{ idAsset: film, seconds: 12 }])
    expect(await begun()).toEqual([[film, 12]])
    scene.service.clock.advance(1000)
    await watchTo(30)
    // An older play of this device, or of another one, is no news.
    expect((await exchange([offline])).result).toEqual([{ idAsset: film, seconds: 30 }])
    const later = { idAsset: film, played: { seconds: 45, at: START + 5 } }
    scene.service.clock.advance(10_000)
    expect((await exchange([later])).result).toEqual([{ idAsset: film, seconds: 45 }])
  })

  it('V4-49 a film that was watched to its end offline leaves the titles in progress', async () => {
    scene.service.clock.advance(1000)
    const at = scene.service.clock.now() / 1000
    await exchange([{ idAsset: film, played: { seconds: 30, at: at - 1 } }])
    expect(await begun()).toEqual([[film, 30]])
    // The device measured a length that is a little more than the service's.
    const { result } = await exchange([{ idAsset: film, played: { seconds: 61, at } }])
    expect(result).toEqual([{ idAsset: film, seconds: 60 }])
    expect(await begun()).toEqual([])
  })

  it('V4-49 a title that the profile has removed from its titles in progress since the play stays removed', async () => {
    const { clock } = scene.service
    const play = { idAsset: film, played: { seconds: 30, at: clock.now() / 1000 + 60 } }
    await watchTo(20)
    clock.advance(120_000)
    await scene.service.call(removeActiveAsset, { idAsset: film }, scene.actor.tokens)
    expect(await begun()).toEqual([])
    clock.advance(1000)
    await exchange([play])
    expect(await begun()).toEqual([])
  })

  it('a moment in the future counts as now, so that it hides no later play', async () => {
    scene.service.clock.advance(1000)
    const at = scene.service.clock.now() / 1000 + 86_400
    await exchange([{ idAsset: film, played: { seconds: 20, at } }])
    scene.service.clock.advance(1000)
    await watchTo(33)
    expect((await exchange([{ idAsset: film }])).result).toEqual([{ idAsset: film, seconds: 33 }])
  })

  it('a title that is gone, or that a child may not see, is left out', async () => {
    const kid = await scene.make.actor({
      packages: { cinema: {} },
      profile: { kid: true, maximumMoralityLevel: 2 },
    })
    const played = { seconds: 9, at: START }
    const given = [film, thriller, 2_000_000].map((idAsset) => ({ idAsset, played }))
    expect((await exchange(given, kid)).result).toEqual([{ idAsset: film, seconds: 9 }])
  })

  it('the positions of another profile, of a visitor, and impossible ones are refused', async () => {
    const other = await scene.make.actor({ packages: { cinema: {} } })
    const play = { idAsset: film, played: { seconds: 1, at: START } }
    expect((await exchange([play], scene.actor, other.profileId)).error?.code).toBe(-403)
    const visitor = await scene.service.call(exchangePositions, {
      idProfile: other.profileId,
      positions: [play],
    })
    expect(visitor.error?.code).toBe(-1)
    for (const seconds of [-1, 1e9])
      expect((await exchange([{ idAsset: film, played: { seconds, at: START } }])).status).toBe(400)
    expect((await exchange([{ idAsset: 2_147_483_648 }])).status).toBe(400)
    expect((await exchange(Array.from({ length: 201 }, () => ({ idAsset: film })))).status).toBe(400)
    expect((await exchange([{ idAsset: film }], other)).result).toEqual([])
  })
})
