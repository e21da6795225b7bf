import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  generateVoucherCodes,
  importVouchers,
  listVouchers,
  withdrawVoucher,
} from '@ondine/contract/vouchers'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { voucherScene } from '../../../../test/voucher-scene.ts'

const MINUTE_MS = 60_000

describe.each(MAIN_DB)('bad input of vouchers, and their command, on a database of kind %s', (kind) => {
  const { scene, shop, titles, operator, at, validate, codeOf, redeem, ordersOf } = voucherScene(kind)

  describe('bad input', () => {
    it.each([
      ['ENDED', -911],
      ['TOCOME', -911],
      ['NOTHING', -911],
      ["' or 1=1 --", -911],
      ['%', -911],
      ['FIFTH2026X', -911],
      ['ß'.repeat(50), -911],
      ['', -400],
      ['x'.repeat(101), -400],
    ])('A8.3-09 A8.1-03 answers the code "%s" with %i on every call', async (code, answer) => {
      await shop.add(['cinema-monthly'])
      const { status, error } = await validate(code)
      expect([status, error.code]).toEqual([400, answer])
      expect((await redeem(code)).error.code).toBe(answer)
      if (answer === -911) {
        expect(error.message).toBe('Ce code promotionnel n’est pas valable.')
        expect((await shop.ask({ voucher: code })).error.code).toBe(-911)
      }
      expect(await ordersOf()).toEqual([])
    })

    it('refuses all codes for a minute after ten wrong codes; right codes do not count', async () => {
      await shop.add(['cinema-monthly'])
      for (let guess = 0; guess < 9; guess++) {
        expect(await codeOf(`GUESS${guess}`)).toBe(-911)
        expect(await codeOf('FIFTH2026')).toBe(0)
      }
      expect((await shop.ask({ voucher: 'GUESS' })).error.code).toBe(-911)
      expect((await redeem('GUESS')).status).toBe(429)
      expect((await shop.ask({ voucher: 'FIFTH2026' })).status).toBe(429)
      expect(await ordersOf()).toEqual([])
      await at(NOON + MINUTE_MS, async () => expect(await codeOf('FIFTH2026')).toBe(0))
      expect((await validate('FIFTH2026', await scene.make.actor())).status).toBe(200)
    })

    const WRONG: [string, string][] = [
      ['- { key: x }', 'line 2: vouchers.0.key must have one of percentage, amount, gift'],
      ['- { key: x, percentage: 10, amount: "1.00" }', 'must have one of percentage, amount, gift'],
      ['- { key: x, percentage: 0 }', 'percentage must be 1 or more'],
      ['- { key: x, percentage: 101 }', 'percentage must be at most 100'],
      ['- { key: x, percentage: -5 }', 'percentage must be 1 or more'],
      ['- { key: x, percentage: 12.5 }', 'percentage must be a whole number of percent'],
      ['- { key: x, amount: 3.00 }', 'amount must be an amount in quotation marks'],
      ['- { key: x, amount: "-3.00" }', 'amount must be an amount such as'],
      ['- { key: x, amount: "0" }', 'amount must be more than 0'],
      ['- { key: x, amount: "99999999" }', 'amount must be an amount such as'],
      ['- { key: X, percentage: 5 }', 'key must be a name in small letters'],
      ['- { percentage: 5 }', 'key must be a name in small letters'],
      ['- { key: x, percentage: 5, code: "a b" }', 'code must have letters, digits and dashes alone'],
      ['- { key: x, percentage: 5, code: AB }', 'code must have 4 to 40 letters and digits'],
      ['- { key: x, percentage: 5, code: fifth-2026 }', 'code is of another voucher: FIFTH2026'],
      ['- { key: fifth, percentage: 5, code: OTHER }', 'code cannot change: it is FIFTH2026'],
      ['- { key: x, percentage: 5, offers: [nothing] }', 'vouchers.0.offers.0 names no offer: nothing'],
      ['- { key: x, percentage: 5, offers: [] }', 'offers must have one offer at least'],
      ['- { key: x, gift: { offer: rental, months: 1 } }', 'gift.offer names no subscription: rental'],
      ['- { key: x, gift: { offer: sport, months: 0 } }', 'gift.months must be 1 or more'],
      [
        '- { key: x, gift: { offer: sport, months: 1 }, offers: [sport] }',
        'offers must not be given for a gift',
      ],
      ['- { key: x, percentage: 5, uses: 0 }', 'uses must be 1 or more'],
      ['- { key: x, percentage: 5, usesPerAccount: -1 }', 'usesPerAccount must be 1 or more'],
      [
        '- { key: x, percentage: 5, validFrom: "2026-02-01", validTo: "2026-01-01" }',
        'validTo must be later than validFrom',
      ],
      ['- { key: x, percentage: 5, validTo: soon }', 'validTo must be a date in quotation marks'],
      ['- { key: x, percentage: 5, discount: 3 }', 'discount is not known here'],
      ['- { key: x, percentage: 5 }\n- { key: x, percentage: 6 }', 'line 3: vouchers.1.key stands twice: x'],
      ['  nothing: 1', 'must be a list of vouchers'],
    ]
    it.each(WRONG)('refuses the whole file for one fault: %s', async (lines, reason) => {
      const before = (await scene.service.call(listVouchers, {}, operator)).result
      const good = '- { key: good, percentage: 5 }\n'
      for (const file of [`vouchers:\n${lines}`, `vouchers:\n${lines}\n${good}`]) {
        const { error } = await scene.service.call(importVouchers, { file }, operator)
        expect(error.code).toBe(-400)
        if (!file.endsWith(good)) expect(JSON.stringify(error.details?.fields)).toContain(reason)
      }
      expect((await scene.service.call(listVouchers, {}, operator)).result).toEqual(before)
    })

    it.each([0, -1, 10_001])(
      'refuses a batch of %i codes, which must have from 1 to 10000',
      async (count) => {
        const { error } = await scene.service.call(generateVoucherCodes, { key: 'leaflet', count }, operator)
        expect(error.code).toBe(-400)
      },
    )

    it('answers -404 for an unknown voucher', async () => {
      const key = 'nothing'
      expect((await scene.service.call(generateVoucherCodes, { key, count: 1 }, operator)).error.code).toBe(
        -404,
      )
      expect((await scene.service.call(withdrawVoucher, { key }, operator)).error.code).toBe(-404)
    })
  })

  it('the command imports, lists, generates a batch as CSV, and withdraws', async () => {
    const folder = scene.service.context.settings.DATA_DIR
    const [written, csv] = [join(folder, 'vouchers.yaml'), join(folder, 'codes.csv')]
    await writeFile(written, 'vouchers:\n  - { key: winter, percentage: 30, offers: [rental] }\n')
    const run = async (name: string, ...args: string[]) =>
      await runCommand(scene.service, `vouchers ${name}`, args)
    expect(await run('import', written)).toBe('added: winter')
    expect(await run('import', written)).toBe('unchanged: winter')
    expect(await run('generate', 'winter', '1500', csv)).toBe(`Codes written to ${csv}: 1500.`)
    const [head, ...rows] = (await readFile(csv, 'utf8')).trimEnd().split('\n')
    expect(head).toBe('code,voucher')
    await expect(run('generate', 'wintr', '1', `${csv}.new`)).rejects.toThrow('There is no voucher wintr')
    await expect(access(`${csv}.new`)).rejects.toThrow('ENOENT')
    await expect(run('generate', 'winter', '1', csv)).rejects.toThrow(`${csv} exists. Give another name.`)
    expect(await readFile(csv, 'utf8')).toContain(rows.at(-1))
    expect(new Set(rows).size).toBe(1500)
    expect(rows.every((row) => /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4},winter$/.test(row))).toBe(true)
    expect(await run('list')).toContain('winter  30 %  rental, codes: 1500, uses: 0')
    await shop.add(['rental'], titles.encre)
    const code = rows[7]?.split(',')[0] ?? ''
    expect((await validate(code)).result.promotions).toMatchObject([{ discountedPrice: '2.79' }])
    await run('withdraw', 'winter')
    expect((await validate(code)).error.code).toBe(-911)
    expect(await run('list')).toContain('winter  30 %  rental, codes: 1500, uses: 0, withdrawn')
    await expect(run('withdraw', 'nothing')).rejects.toThrow('There is no voucher nothing')
    await expect(run('generate', 'winter', '0', csv)).rejects.toThrow('from 1 to 10000')
    await writeFile(written, 'vouchers:\n  - { key: winter, percentage: 130 }\n')
    await expect(run('import', written)).rejects.toThrow('line 2: vouchers.0.percentage must be at most 100')
  })
})
