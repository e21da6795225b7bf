import { activeAssets } from '@ondine/contract/catalogue'
import { checkLedger } from '@ondine/contract/ledger'
import { listReceipts } from '@ondine/contract/receipts'
import { listSubscriptions } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { findAccountByEmail } from '../../people/accounts/accounts.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { accountToken, profileToken } from '../../people/sign-in/tokens.ts'
import { ensureDemonstrationAccounts, RENTER, SUBSCRIBER } from './demonstration-accounts.ts'
import { sellDemonstration } from './demonstration-offers.ts'
import { DemonstrationPurchases } from './demonstration-purchases.ts'

const DAY_MS = 86_400_000
const LIBRARY = { watchingMin: 1, watchingMax: 95, commercialModel: 'TVOD' } as const

describe.each(MAIN_DB)('purchases of the demonstration’s accounts, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let subscriber: Tokens
  let renter: Tokens
  let film: number
  let past: number
  let running: number

  /** Runs the demonstration's part of a service start: creates the accounts, the offers and the purchases. */
  async function start(): Promise<void> {
    const { context } = scene.service
    const parts = {
      ...shop.parts,
      originOf: () => 'http://localhost:4000',
      mail: { order: async () => {} },
    }
    await ensureDemonstrationAccounts(context, context.storefronts.list())
    await sellDemonstration(context)
    await new DemonstrationPurchases(context, parts).buy(context.storefronts.list())
  }
  async function tokensOf(email: string): Promise<Tokens> {
    const { db, keys, storefronts } = scene.service.context
    const account = await findAccountByEmail(db, storefronts.first().id, email)
    const [profile] = account ? await listProfiles(db, account.id) : []
    if (!account || !profile) throw new Error(`There is no ${email}.`)
    const seconds = 400 * 86_400
    return {
      'x-auth-token': accountToken(keys, account, seconds),
      'x-profile-token': profileToken(keys, profile, seconds),
    }
  }
  const receipts = async (tokens: Tokens) => (await scene.service.call(listReceipts, {}, tokens)).result
  const library = async (allAssets: 0 | 1) =>
    (await scene.service.call(activeAssets, { ...LIBRARY, allAssets }, renter)).result
  const faults = async () => {
    const { tokens } = await scene.make.operator()
    return (await scene.service.call(checkLedger, {}, tokens)).result.faults
  }

  beforeAll(async () => {
    film = (await scene.make.asset('La Houle', { inPackages: ['films'] })).id
    past = (await scene.make.asset('Encre', { titles: { fra: 'Encre', eng: 'Ink' }, inPackages: ['films'] }))
      .id
    running = (await scene.make.asset('Ville basse', { inPackages: ['films'], trackSet: null })).id
    await start()
    subscriber = await tokensOf(SUBSCRIBER)
    renter = await tokensOf(RENTER)
  })

  it('A4.1-01 the subscriber has a plan with an option, paid each month since its start', async () => {
    const { result } = await scene.service.call(listSubscriptions, {}, subscriber)
    const from = NOON - 66 * DAY_MS
    // 66 days before 15 January is 10 November, so the third month ends on 10 February.
    const validTo = Date.UTC(2026, 1, 10, 12) / 1000
    expect(new Date(from).toISOString()).toBe('2025-11-10T12:00:00.000Z')
    expect(result).toMatchObject([
      { title: 'Cinéma et séries', statusId: 10, validTo, next: { step: 'renews', amount: '8.99' } },
      { title: 'Option Chaînes', statusId: 10, validTo, next: { step: 'renews', amount: '3.99' } },
    ])
    expect(await shop.plays(film, { tokens: subscriber })).toBe(0)
    const written = (await receipts(subscriber)).map(
      ({ number, issuedAt, amount }) =>
        `${number.slice(0, 5)} ${new Date(issuedAt * 1000).toISOString().slice(0, 10)} ${amount}`,
    )
    expect(new Set(written)).toEqual(
      new Set([
        'R2025 2025-11-10 8.48',
        'R2025 2025-12-10 4.49',
        'R2025 2025-12-10 3.99',
        'R2026 2026-01-10 4.49',
        'R2026 2026-01-10 3.99',
      ]),
    )
    expect(written).toHaveLength(5)
  })

  it('A2.1-27 A2.1-28 the renter has a running rental once its film is ready, and one that is over', async () => {
    expect((await library(1)).map(({ idAsset }) => idAsset)).toEqual([past])
    expect(await library(0)).toEqual([])
    expect(await shop.plays(past, { tokens: renter })).toBe(-11)
    const { db } = scene.service.context
    await db.update(assets).set({ availability: 'ready' }).where(eq(assets.id, running))
    await start()
    expect((await library(0)).map(({ idAsset, rental }) => [idAsset, rental])).toEqual([
      [running, { until: NOON / 1000 + 2 * 86_400, slotSeconds: null }],
    ])
    expect((await receipts(renter)).map(({ amount }) => amount)).toEqual(['3.99', '2.99'])
  })

  it('V1-14 the receipts of rentals name offer and film in the language of the viewer', async () => {
    const namesIn = async (languageId: string) => {
      const wish = { languageId, parentalProof: undefined }
      const { result } = await scene.service.call(listReceipts, wish, renter)
      return result.flatMap(({ lines }) => lines.map(({ title }) => title))
    }
    expect(await namesIn('fra')).toEqual(['Location · Ville basse', 'Location · Encre'])
    expect(await namesIn('eng')).toEqual(['Rental · Ville basse', 'Rental · Ink'])
  })

  it('A9-05 buys nothing twice at the next start, and the books balance', async () => {
    const before = [await receipts(subscriber), await receipts(renter)]
    await start()
    await start()
    expect([await receipts(subscriber), await receipts(renter)]).toEqual(before)
    expect(await faults()).toEqual([])
  })

  it('spec 49: rents a film again at the next start if its rental has ended', async () => {
    scene.service.clock.set(NOON + 3 * DAY_MS)
    expect(await library(0)).toEqual([])
    await start()
    expect((await library(0)).map(({ idAsset, rental }) => [idAsset, rental?.until])).toEqual([
      [running, NOON / 1000 + 5 * 86_400],
    ])
    expect((await receipts(renter)).map(({ amount }) => amount)).toEqual(['3.99', '3.99', '2.99'])
    expect(await faults()).toEqual([])
    scene.service.clock.set(NOON)
  })
})
