import { importOffers, withdrawOffer } from '@ondine/contract/offers'
import { addOptions, listOptions, optionsValidity, removeOptions } from '@ondine/contract/orders'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { Purchases, SOLD } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { assets, images } from '../../inventory/titles/titles.table.ts'
import { setParentalCode, validateParentalCode } from '../../people/parental/parental.service.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

const DAY_MS = 86_400_000

describe.each(MAIN_DB)('a cart, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })

  /** Calls `addOptions` with raw form fields. @returns HTTP status, error code, and the wrong field */
  async function send(fields: Record<string, string>): Promise<unknown[]> {
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: addOptions.path,
      headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    const { error } = answer.json()
    return [answer.statusCode, error?.code ?? 0, error?.details?.fields?.[0]?.field]
  }
  const codeOf = async (keys: string[], contentId?: number) => (await shop.add(keys, contentId)).error.code
  const validity = async () => (await scene.service.call(optionsValidity, {}, scene.actor.tokens)).result
  const options = async () => (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
  const cart = async () => (await options()).map(({ idOption }) => idOption)
  /** Fills the actor's cart and pays for it. */
  async function buy(keys: string[], contentId?: number): Promise<void> {
    const { orderId, action } = await shop.order(keys, contentId)
    if (action !== '') await shop.pay(action)
    expect(await shop.status(orderId)).toBe('executed')
  }

  it('A4.8-01 A7.1-26 contains only the offers that were added last', async () => {
    expect(await codeOf(['rental'], titles.encre)).toBe(0)
    expect(await codeOf(['cinema-monthly', 'ultra'])).toBe(0)
    expect(await cart()).toEqual([shop.idOf('cinema-monthly'), shop.idOf('ultra')])
    expect(await validity()).toEqual([
      { optionId: shop.idOf('cinema-monthly'), statusId: 60 },
      { optionId: shop.idOf('ultra'), statusId: 60 },
    ])
  })

  it('A6-08 shows the picture of a title, but none of a title for adults', async () => {
    const { db } = scene.service.context
    const picture = { id: 'b'.repeat(32), width: 1920, height: 1080, color: '#112233' }
    await db.insert(images).values(picture)
    const change = async (fields: { adult?: boolean; backgroundImage?: string | null }) =>
      await db.update(assets).set(fields).where(eq(assets.id, titles.encre))
    const shown = async () => (await options()).map(({ backgroundImageAsset }) => backgroundImageAsset?.url)
    await change({ backgroundImage: picture.id })
    await shop.add(['rental'], titles.encre)
    expect(await shown()).toEqual([`/images/${picture.id}`])
    await change({ adult: true })
    expect(await shown()).toEqual([undefined])
    await change({ adult: false, backgroundImage: null })
  })

  it('A7.1-27 loses removed offers, and an option with the subscription that it needs', async () => {
    await shop.add(['cinema-monthly', 'ultra'])
    const { tokens } = scene.actor
    const remove = async (keys: string[]) =>
      (await scene.service.call(removeOptions, { optionIds: keys.map((key) => shop.idOf(key)) }, tokens))
        .error.code
    expect(await remove(['sport'])).toBe(0)
    expect(await cart()).toHaveLength(2)
    expect(await remove(['ultra'])).toBe(0)
    expect(await cart()).toEqual([shop.idOf('cinema-monthly')])
    await shop.add(['cinema-monthly', 'ultra'])
    expect(await remove(['cinema-monthly'])).toBe(0)
    expect(await cart()).toEqual([])
    expect(await remove([])).toBe(-163)
  })

  it('A7.1-24 A3-26 shows the amount that is due: the setup fee and the introductory price, nothing for a trial', async () => {
    const duesOf = async (keys: string[]) => {
      await shop.add(keys)
      return (await options()).map(({ cartPrice, userValidityPending, userValidityActive }) => [
        cartPrice,
        userValidityPending,
        userValidityActive,
      ])
    }
    expect(await duesOf(['sport'])).toEqual([['3.99', true, false]])
    expect(await duesOf(['trial'])).toEqual([['0.00', true, false]])
    expect(await duesOf(['cinema-yearly', 'ultra'])).toEqual([
      ['89.90', true, false],
      ['2.00', true, false],
    ])
  })

  it('A3-26 shows later charges and their days: after a trial, after an introductory price, each year, never', async () => {
    const laterOf = async (key: string, contentId?: number) => {
      await shop.add([key], contentId)
      return (await options()).flatMap(({ cartRenewals }) =>
        cartRenewals.map(({ priceWithVat, at }) => [
          priceWithVat,
          new Date(at * 1000).toISOString().slice(0, 10),
        ]),
      )
    }
    expect(await laterOf('sport')).toEqual([
      ['2.49', '2026-02-15'],
      ['5.00', '2026-04-15'],
    ])
    expect(await laterOf('trial')).toEqual([['4.00', '2026-01-29']])
    expect(await laterOf('cinema-yearly')).toEqual([['89.90', '2027-01-15']])
    expect(await laterOf('rental', titles.encre)).toEqual([])
    await buy(['cinema-monthly'])
    expect((await options()).map(({ cartRenewals }) => cartRenewals)).toEqual([[]])
  })

  it('A8.1-03 A8.1-06 names the missing input: offers, the title, its type', async () => {
    const rental = JSON.stringify([shop.idOf('rental')])
    expect(await send({})).toEqual([400, -163, undefined])
    expect(await send({ optionIds: '[]' })).toEqual([400, -163, undefined])
    expect(await send({ optionIds: rental })).toEqual([400, -3010, undefined])
    expect(await send({ optionIds: rental, extra: '{}' })).toEqual([400, -3010, undefined])
    const withoutType = JSON.stringify({ context: { contentId: titles.encre } })
    expect(await send({ optionIds: rental, extra: withoutType })).toEqual([400, -3011, undefined])
    expect(await cart()).toEqual([])
  })

  it('refuses fields of the wrong type, and leaves the cart as it was', async () => {
    await shop.add(['cinema-monthly'])
    const rental = JSON.stringify([shop.idOf('rental')])
    const about = (context: unknown) => JSON.stringify({ context })
    const wrong: [string, Record<string, string>][] = [
      ['optionIds', { optionIds: 'rental' }],
      ['optionIds.0', { optionIds: '[-1]' }],
      ['optionIds.0', { optionIds: '[1.5]' }],
      ['optionIds.0', { optionIds: '["1"]' }],
      ['optionIds.0', { optionIds: '[99999999999]' }],
      ['optionIds', { optionIds: JSON.stringify(Array.from({ length: 21 }, (_, index) => index + 1)) }],
      ['resetOrder', { optionIds: rental, resetOrder: 'false' }],
      ['resetOrder', { optionIds: rental, resetOrder: 'maybe' }],
      ['extra', { optionIds: rental, extra: 'film' }],
      ['extra.context', { optionIds: rental, extra: about(7) }],
      [
        'extra.context.contentId',
        { optionIds: rental, extra: about({ contentId: '7', contentType: 'VOD_ASSET' }) },
      ],
      [
        'extra.context.contentId',
        { optionIds: rental, extra: about({ contentId: -7, contentType: 'VOD_ASSET' }) },
      ],
      [
        'extra.context.contentType',
        { optionIds: rental, extra: about({ contentId: 7, contentType: 'SONG' }) },
      ],
    ]
    for (const [field, fields] of wrong)
      expect(await send(fields), JSON.stringify(fields)).toEqual([400, -400, field])
    const elsewhere = about({ contentId: titles.encre, contentType: 'CHANNEL' })
    expect(await send({ optionIds: rental, extra: elsewhere })).toEqual([404, -404, 'extra'])
    expect(await send({ optionIds: '[2147483647]' })).toEqual([404, -404, 'optionIds'])
    expect(await cart()).toEqual([shop.idOf('cinema-monthly')])
  })

  it('A8.1-06 spec 35: takes one subscription with its options, or one single purchase', async () => {
    expect(await codeOf(['cinema-monthly', 'rental'], titles.encre)).toBe(-2335)
    expect(await codeOf(['rental', 'season'], titles.encre)).toBe(-2335)
    expect(await codeOf(['cinema-monthly', 'sport'])).toBe(-2335)
    expect(await codeOf(['sport', 'sport'])).toBe(-2333)
    expect(await codeOf(['season'])).toBe(0)
  })

  it('A8.1-04 A8.1-05 refuses offers that exclude one another, two periods of one plan, and an option alone', async () => {
    expect(await codeOf(['cinema-yearly', 'sport'])).toBe(-1103)
    expect(await codeOf(['sport', 'cinema-yearly'])).toBe(-1103)
    expect(await codeOf(['cinema-monthly', 'cinema-yearly'])).toBe(-1103)
    expect(await codeOf(['ultra'])).toBe(-2212)
  })

  it('sells a title only by an offer for it, and only to accounts that do not have it', async () => {
    expect(await codeOf(['rental'], titles.houle)).toBe(-404)
    expect(await codeOf(['rental'], titles.libre)).toBe(-404)
    expect(await codeOf(['rental'], 2_000_000_000)).toBe(-404)
    const holder = await scene.make.actor({ packages: { recent: {} } })
    expect((await shop.add(['rental'], titles.encre, holder)).error.code).toBe(-1102)
    // The account has the package without a purchase, so it already has everything that the subscription opens.
    const given = await scene.make.actor({ packages: { cinema: {} } })
    expect((await shop.add(['cinema-monthly'], undefined, given)).error.code).toBe(-1102)
  })

  it('sells no event that is over, and no event twice', async () => {
    await buy(['regatta'], titles.regatta)
    expect(await codeOf(['regatta'], titles.regatta)).toBe(-2333)
    const other = await scene.make.actor()
    scene.service.clock.set(NOON + 3 * DAY_MS)
    try {
      expect((await shop.add(['regatta'], titles.regatta, other)).error.code).toBe(-1605)
    } finally {
      scene.service.clock.set(NOON)
    }
  })

  it('sells no offer that is not on sale', async () => {
    expect(await codeOf(['over'])).toBe(-1605)
    const operator = (await scene.make.operator()).tokens
    await scene.service.call(withdrawOffer, { key: 'season' }, operator)
    expect(await codeOf(['season'])).toBe(-1605)
    await scene.service.call(importOffers, { file: SOLD }, operator)
    expect(await codeOf(['season'])).toBe(0)
  })

  it('A4.2-01 A4.2-02 sells only the kinds of offers that the operator sells on this service', async () => {
    const change = await changeConfigurationOf(scene.service, {
      'offers.subscription': 'external',
      'offers.transactional': 'disabled',
    })
    try {
      expect(await codeOf(['sport'])).toBe(-1605)
      expect(await codeOf(['rental'], titles.encre)).toBe(-1605)
    } finally {
      await change.undo()
    }
    expect(await codeOf(['sport'])).toBe(0)
  })

  it('A8.1-04 A8.2-01 refuses a plan that runs, a plan that it excludes, and an option that runs', async () => {
    await buy(['cinema-yearly', 'ultra'])
    expect(await codeOf(['cinema-yearly'])).toBe(-1102)
    expect(await codeOf(['cinema-monthly'])).toBe(-1102)
    expect(await codeOf(['sport'])).toBe(-14_005)
    expect(await codeOf(['ultra'])).toBe(-2333)
    expect((await validity()).map(({ statusId }) => statusId)).toEqual([10, 10])
  })

  it('A8.1-05 takes an option for a plan that the account has', async () => {
    await buy(['cinema-monthly'])
    expect(await codeOf(['ultra'])).toBe(0)
  })

  it('A8.1-06 refuses an offer that is sold once per account, even when it is over', async () => {
    await buy(['once'])
    scene.service.clock.set(NOON + 8 * DAY_MS)
    try {
      expect(await codeOf(['once'])).toBe(-2336)
    } finally {
      scene.service.clock.set(NOON)
    }
  })

  it('A6-03 A8.1-07 sells nothing to an account that is suspended or not signed in any more', async () => {
    const suspended = await scene.make.actor({ status: 'SUSPENDED' })
    const banned = await scene.make.actor({ status: 'BANNED' })
    expect((await shop.add(['sport'], undefined, suspended)).error.code).toBe(-2409)
    expect((await shop.ask({}, suspended)).error.code).toBe(-2409)
    expect((await scene.service.call(listOptions, {}, suspended.tokens)).error.code).toBe(-2409)
    expect((await shop.add(['sport'], undefined, banned)).error.code).toBe(-1)
    expect((await shop.ask({}, banned)).error.code).toBe(-1)
  })

  it('A6-05 sells to a child’s profile with the parental code only', async () => {
    const child = await scene.make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const { db, keys } = scene.service.context
    await setParentalCode(db, child.account.id, { code: '2580', current: undefined }, NOON)
    expect((await shop.add(['sport'], undefined, child)).error.code).toBe(-1612)
    const parentalProof = await validateParentalCode({ db, keys }, child.account.id, '2580', NOON)
    const optionIds = [shop.idOf('sport')]
    const { error } = await scene.service.call(addOptions, { optionIds, parentalProof }, child.tokens)
    expect(error.code).toBe(0)
  })

  it('A8.1-02 asks for the parental code before it sells a film that the profile plays only with the code', async () => {
    const { db, keys } = scene.service.context
    const { account, profileId, tokens } = scene.actor
    await db.update(profiles).set({ maximumMoralityLevel: 2 }).where(eq(profiles.id, profileId))
    await setParentalCode(db, account.id, { code: '2580', current: undefined }, NOON)
    expect(await codeOf(['rental'], titles.fort)).toBe(-150)
    const parentalProof = await validateParentalCode({ db, keys }, account.id, '2580', NOON)
    const extra = { context: { contentId: titles.fort, contentType: 'VOD_ASSET' as const } }
    const optionIds = [shop.idOf('rental')]
    const { error } = await scene.service.call(addOptions, { optionIds, extra, parentalProof }, tokens)
    expect(error.code).toBe(0)
    expect((await shop.ask()).error.code).toBe(-150)
    expect((await shop.ask({ parentalProof })).error.code).toBe(0)
  })
})
