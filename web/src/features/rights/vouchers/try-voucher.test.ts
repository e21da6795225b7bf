import type { Promotion } from '@ondine/contract/vouchers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { tryVoucher } from './try-voucher.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => bundledWords('fra') }))

const PROMOTION: Promotion = {
  item: 4,
  discountType: 'percentage',
  discountValue: '20.00',
  discountVat: '0.20',
  discountedPrice: '4.79',
}
const INVALID = 'Ce code promotionnel n’est pas valable.'

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
beforeEach(() => void vi.stubGlobal('fetch', fetched))
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

function gives(result: { promotions: Promotion[]; gift: object | null }): void {
  fetched.mockImplementation(async () => Response.json({ status: true, result }))
}
function refuses(code: number, message: string, status = 400): void {
  fetched.mockImplementation(async () =>
    Response.json({ status: false, error: { code, message, details: null } }, { status }),
  )
}

describe('a voucher code', () => {
  test("A4.8-02 applies the service's discount", async () => {
    gives({ promotions: [PROMOTION], gift: null })
    expect(await tryVoucher('ONDINE-20', 'proof')).toEqual({
      voucher: { code: 'ONDINE-20', promotions: [PROMOTION] },
    })
    expect(fetched.mock.calls[0]?.[1].body).toEqual(
      new URLSearchParams({ voucherCode: 'ONDINE-20', parentalProof: 'proof', languageId: 'fra' }),
    )
  })

  test('A4.8-02 A8.3-09 does not apply without a promotion, and shows the text of 911', async () => {
    gives({ promotions: [], gift: null })
    expect(await tryVoucher('ONDINE-20')).toEqual({ refusal: INVALID })
  })

  test.each([
    [-911, 'Refused', INVALID],
    [-15_004, 'Ce code promotionnel a déjà été utilisé.', 'Ce code promotionnel a déjà été utilisé.'],
    [-429, 'Refused', 'Doucement ! Trop de tentatives. Veuillez réessayer plus tard.'],
    [-409, 'L’offre a changé.', 'L’offre a changé.'],
  ])('A8.3-09 A8.3-03 A8.3-06 refused with %i shows a text', async (code, message, words) => {
    refuses(code, message)
    expect(await tryVoucher('NOTHING')).toEqual({ refusal: words })
  })

  test('of a gift leads to the place where gifts are redeemed', async () => {
    gives({ promotions: [], gift: { idOption: 4, title: 'Cinéma', months: 2 } })
    const tried = await tryVoucher('CADEAU-ONDINE')
    expect('refusal' in tried && tried.refusal).toContain('Cinéma')
  })

  test('raises an error when no answer came', async () => {
    fetched.mockImplementation(async () => await Promise.reject(new TypeError('no connection')))
    await expect(tryVoucher('ONDINE-20')).rejects.toMatchObject({ code: 503 })
  })
})
