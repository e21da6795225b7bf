import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { customerReference } from '@ondine/contract/customer-reference'
import { casAddDevice } from '@ondine/contract/devices'
import { addFavoriteAsset } from '@ondine/contract/favourites'
import { setAdultCode } from '@ondine/contract/parental-code'
import { changeScoreAsset } from '@ondine/contract/scores'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { voucherScene } from '../../../../test/voucher-scene.ts'
import { rowsOf } from '../../../database/rows.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'

/** Tables that refer to an account, but have nothing to tell its holder, with the reason. */
const NOT_EXPORTED = {
  ledger_movements: 'the bookkeeping of payments, which are exported',
  ledger_entries: 'the bookkeeping of payments, which are exported',
  stripe_payments: 'the state of a payment at Stripe; the payment is exported',
  sandbox_cards: 'the books of the sandbox bank, which stands for an external one',
  sandbox_payments: 'the books of the sandbox bank, which stands for an external one',
  sandbox_notices: 'the books of the sandbox bank, which stands for an external one',
}

/** Columns with the id of an account, a profile or a device, also where the database has no foreign key. */
const PERSONAL = '^(account_id|given_to|customer|profile_id|child_profile_id|cast_by|device_id)$'

/** Names of columns with secrets. The keys of packages, offers and vouchers are their names. */
const SECRET = /hash|secret|token|endpoint|public_key|device_key|request_key|"key"|"code"|sign_in"|"command"$/
const NAMES = /^"(?:packages|offers|vouchers)"\."key"$/

describe.each(MAIN_DB)('the export of an account, on a database of kind %s', (kind) => {
  const { scene, shop, titles, redeem } = voucherScene(kind)

  /** Returns the statements with which the parts of the export read the database. */
  async function statements(): Promise<string[]> {
    const seen: string[] = []
    const db = drizzle(async (statement) => {
      seen.push(statement)
      return { rows: [] }
    })
    for (const read of scene.service.context.accountHooks.onAccountExported) await read(db, 1)
    return seen
  }

  it('reads every table that refers to an account, directly or not', async () => {
    const { db } = scene.service.context
    const tables = await rowsOf<{ name: string }>(
      db,
      sql`with recursive personal as (
        select table_name::text as name from information_schema.columns
          where table_schema = 'public' and column_name ~ ${PERSONAL}
        union select 'accounts'
        union select conrelid::regclass::text
          from pg_constraint join personal on confrelid = to_regclass(personal.name) where contype = 'f'
      ) select distinct name from personal
        join information_schema.tables on table_name = name and table_schema = 'public' and table_type = 'BASE TABLE'
        order by name`,
    )
    expect(tables.length).toBeGreaterThan(30)
    const all = (await statements()).join('\n')
    const read = new Set([...all.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name]) => name))
    const unread = tables.map(({ name }) => name).filter((name) => !read.has(name))
    expect(unread).toEqual(Object.keys(NOT_EXPORTED).sort())
  })

  it('reads no column with a secret', async () => {
    const columns = (await statements()).flatMap((statement) => {
      const [, list = ''] = /^select (.*?) from /.exec(statement) ?? []
      return list.split(', ')
    })
    expect(columns.length).toBeGreaterThan(150)
    expect(columns.filter((column) => SECRET.test(column) && !NAMES.test(column))).toEqual([])
  })

  it('A3-01 writes everything that the service holds about an account, and nothing of another account', async () => {
    const { service, actor, make } = scene
    const { account, profileId, tokens } = actor
    const other = await make.actor()
    await service.call(casAddDevice, { deviceUniqueId: 'my-television' }, tokens)
    await service.call(addFavoriteAsset, { idAsset: titles.encre }, tokens)
    await service.call(addFavoriteAsset, { idAsset: titles.sel }, other.tokens)
    await service.call(changeScoreAsset, { idAsset: titles.sel, score: 4 }, tokens)
    await service.call(setAdultCode, { adultCode: '2580' }, tokens)
    const idOrder = await shop.buy(['rental'], { contentId: titles.encre })
    expect((await redeem('OPENED')).error.code).toBe(0)
    await storeSeekPositions(service.context.db, [
      { profileId, assetId: titles.encre, seconds: 612, updatedAt: service.clock.now() },
    ])

    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    const file = join(folder, 'account.json')
    const said = await runCommand(service, 'accounts export', [account.email], { to: file })
    expect(said).toBe(`Wrote the data of ${account.email} to ${file}.`)
    const written = await readFile(file, 'utf8')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const empty = join(folder, 'empty.json')
    await writeFile(empty, '', { mode: 0o644 })
    await runCommand(service, 'accounts export', [account.email], { to: empty })
    expect((await stat(empty)).mode & 0o777).toBe(0o600)
    const link = join(folder, 'link.json')
    await symlink(join(folder, 'elsewhere.json'), link)
    await expect(runCommand(service, 'accounts export', [account.email], { to: link })).rejects.toThrow(
      'cannot be written',
    )
    // A file with the data of somebody else is not overwritten.
    await expect(runCommand(service, 'accounts export', [other.account.email], { to: file })).rejects.toThrow(
      'exists',
    )
    await rm(folder, { recursive: true })

    const at = new Date(service.clock.now()).toISOString()
    expect(JSON.parse(written)).toMatchObject({
      customerReference: customerReference(account.id),
      exportedAt: at,
      account: [{ id: account.id, email: account.email, status: 'ACTIVE', createdAt: expect.any(String) }],
      profiles: [{ id: profileId, name: 'Camille' }],
      parentalCode: [{ changedAt: at }],
      devices: [{ uniqueId: 'my-television', lastLoginAt: at }],
      favourites: [{ assetId: titles.encre, title: { fra: 'Encre' } }],
      reviews: [{ assetId: titles.sel, score: 4, title: { fra: 'Sel', eng: 'Salt' } }],
      positions: [{ assetId: titles.encre, seconds: 612, updatedAt: at }],
      orders: [{ id: idOrder, state: 'executed', cents: 399, submittedAt: at }],
      orderItems: [{ offer: 'rental', assetId: titles.encre }],
      payments: [{ state: 'succeeded', cents: 399 }],
      cards: [{ lastDigits: '4242' }],
      receipts: [{ cents: 399, buyer: expect.arrayContaining([account.email]) }],
      entitlements: expect.arrayContaining([
        expect.objectContaining({ source: 'rental', title: expect.objectContaining({ fra: 'Encre' }) }),
        expect.objectContaining({ source: 'gift', package: 'sport' }),
      ]),
      vouchers: [{ voucher: 'opened', at }],
      recordings: [],
      downloads: [],
      notifications: [],
    })
    expect(written).not.toContain('OPENED')
    expect(written).not.toContain('$argon2')
    expect(written).not.toContain(other.account.email)

    // Without a file, the document is shown.
    const shown = JSON.parse(await runCommand(service, 'accounts export', [customerReference(account.id)]))
    expect(shown).toEqual(JSON.parse(written))
    await expect(runCommand(service, 'accounts export', ['nobody@ondine.test'])).rejects.toThrow('no account')
  })
})
