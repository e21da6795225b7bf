import { generateVoucherCodes, importVouchers, redeemGift, validateVoucher } from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import type { Settings } from '../src/env.ts'
import { grants } from '../src/features/rights/entitlements/entitlements.table.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import { voucherCodes } from '../src/features/rights/vouchers/vouchers.table.ts'
import type { Actor } from './builders.ts'
import { Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, type Tokens } from './service.ts'
import { soldTitles } from './sold-titles.ts'

/** Vouchers of the tests. */
export const VOUCHERS = `
vouchers:
  - { key: fifth, code: FIFTH-2026, percentage: 20, usesPerAccount: 1000 }
  - { key: all-free, code: ALLFREE, percentage: 100, usesPerAccount: 1000 }
  - { key: three-euros, code: THREE, amount: "3.00", offers: [rental, ultra, cinema-monthly], usesPerAccount: 1000 }
  - { key: almost-free, code: ALMOST, amount: "3.50", offers: [rental], usesPerAccount: 1000 }
  - { key: first, code: FIRST, amount: "1.00" }
  - { key: ended, code: ENDED, percentage: 10, validTo: "2026-01-01" }
  - { key: to-come, code: TOCOME, percentage: 10, validFrom: "2027-01-01" }
  - { key: last-one, code: LASTONE, percentage: 10, uses: 1 }
  - { key: leaflet, percentage: 50 }
  - { key: present, gift: { offer: cinema-monthly, months: 3 } }
  - { key: opened, code: OPENED, gift: { offer: sport, months: 1 }, uses: 1000 }
`

/** Creates a service with offers, vouchers and voucher codes, for the tests of a `describe` block. */
export function voucherScene(kind: DatabaseKind, settings: Partial<Settings> = {}) {
  const scene = testScene(kind, {
    actor: { tokenDays: 400 },
    settings: { SANDBOX_PAYMENTS: true, ...settings },
  })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  const operator: Tokens = {}

  beforeAll(async () => {
    await shop.sell()
    Object.assign(operator, (await scene.make.operator()).tokens)
    expect((await scene.service.call(importVouchers, { file: VOUCHERS }, operator)).error.code).toBe(0)
  })

  const db = () => scene.service.context.db
  const { at } = scene
  const validate = async (voucherCode: string, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.call(validateVoucher, { voucherCode }, tokens)
  const codeOf = async (voucherCode: string) => (await validate(voucherCode)).error.code
  const redeem = async (voucherCode: string, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.call(redeemGift, { voucherCode }, tokens)
  const usesOf = async (code: string) => {
    const [row] = await db().select().from(voucherCodes).where(eq(voucherCodes.code, code))
    return row?.uses
  }
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id))
  const rights = async ({ account }: Actor = scene.actor) =>
    await db().select().from(grants).where(eq(grants.accountId, account.id))
  const codesOf = async (key: string, count: number) =>
    (await scene.service.call(generateVoucherCodes, { key, count }, operator)).result.codes

  return {
    scene,
    shop,
    titles,
    operator,
    db,
    at,
    validate,
    codeOf,
    redeem,
    usesOf,
    ordersOf,
    rights,
    codesOf,
  }
}
