import { readAsset } from '@ondine/contract/playback'
import { beforeAll, describe, expect, it } from 'vitest'
import { Purchases } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const

describe.each(DATABASES)('a checkout, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })

  it('A7.1-26 A7.1-30 A7.2-02 A4.2-07 rents a film, which plays a moment later', async () => {
    expect(await shop.plays(titles.encre)).toBe(-11)
    expect((await shop.add(['rental'], titles.encre)).error.code).toBe(0)
    const { result } = await shop.ask()
    expect(result).toMatchObject({ amount: '3.99' })
    expect(await shop.status(result.orderId)).toBe('submitted')
    expect(await shop.plays(titles.encre)).toBe(-11)
    await shop.pay(result.action ?? '')
    expect(await shop.status(result.orderId)).toBe('executed')
    expect(await shop.plays(titles.encre)).toBe(0)
    const { tokens } = scene.actor
    expect(
      (await scene.service.call(readAsset, { idAsset: titles.encre, ...LANGUAGES }, tokens)).status,
    ).toBe(200)
    expect(await shop.plays(titles.sel)).toBe(-11)
    expect(await shop.movements(result.orderId)).toEqual({
      payment: { provider: 399, customers: -399 },
      sale: { customers: 399, sales: -332, vat: -67 },
    })
  })
})
