import { hierarchy, listContent } from '@ondine/contract/catalogue'
import { createProfile } from '@ondine/contract/profiles'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { profileToken } from '../../people/sign-in/tokens.ts'
import { addGrant } from './grants.service.ts'

/** Limits of an adult's profile that sees all titles of this test. */
const GROWN_UP = { maximumMoralityLevel: 5 }

describe.each(MAIN_DB)('viewers that call at the same time, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { profile: GROWN_UP } })
  let filmId: number
  let strongId: number

  beforeAll(async () => {
    filmId = (await scene.make.asset('La Houle', { inPackages: ['cinema'] })).id
    strongId = (await scene.make.asset('Front froid', { inPackages: ['cinema'], moralityLevel: 4 })).id
  })

  /** Returns the titles that a caller sees: for each asset id, whether the caller's packages include the title. */
  const listed = async (tokens: Actor['tokens']) => {
    const [category] = (await scene.service.call(hierarchy, {}, tokens)).result
    const input = category ? { id: category.idCatalog } : {}
    const { result } = await scene.service.call(listContent, input, tokens)
    const included = result.flatMap((item) =>
      item.type === 'asset' ? [[item.payload.idAsset, item.payload.isIncludedInUserOffers] as const] : [],
    )
    return Object.fromEntries(included)
  }

  it('see what their own accounts and profiles may see', async () => {
    const { service, make, actor } = scene
    const { db, keys } = service.context
    const subscriber = await make.actor({ packages: { cinema: {} }, profile: GROWN_UP })
    const former = await make.actor({ packages: { cinema: { to: NOON } }, profile: GROWN_UP })
    const kid = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    await service.call(createProfile, { ...kid, maximumMoralityLevel: 2 }, subscriber.tokens)
    const lou = (await listProfiles(db, subscriber.account.id)).find(({ name }) => name === kid.name)
    if (!lou) throw new Error('The child has no profile.')
    const child = { ...subscriber.tokens, 'x-profile-token': profileToken(keys, lou, 3600) }
    const both = (isIncluded: boolean) => ({ [filmId]: isIncluded, [strongId]: isIncluded })
    const callers = [subscriber.tokens, child, actor.tokens, former.tokens]
    // An earlier call may have cached the viewer. The new right must evict the viewer from the cache.
    await addGrant(db, {
      accountId: actor.account.id,
      opens: { assetId: filmId },
      source: 'rental',
      sourceId: 'test',
      from: NOON,
      to: null,
    })
    expect(await Promise.all(callers.map(listed))).toEqual([
      both(true),
      { [filmId]: true },
      { [filmId]: true, [strongId]: false },
      both(false),
    ])
  })
})
