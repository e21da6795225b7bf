import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { customerReference } from '@ondine/contract/customer-reference'
import { casAddDevice } from '@ondine/contract/devices'
import { addFavoriteAsset } from '@ondine/contract/favourites'
import { setAdultCode } from '@ondine/contract/parental-code'
import { changeScoreAsset } from '@ondine/contract/scores'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { voucherScene } from '../../../../test/voucher-scene.ts'
import { rowsOf } from '../../../database/rows.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { orderItems } from '../../rights/orders/orders.table.ts'
import { storePurchases, storeTransactions } from '../../rights/store-purchases/store-purchases.table.ts'
import { screens } from '../../viewing/casting/casting.table.ts'
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

/** Names of columns with secrets. */
const SECRET =
  /hash|secret|token|endpoint|public_key|device_key|request_key|"key"|"code"|sign_in"|"command"$|reference"|connection"|return_url"|^"playing"\."id"/
/**
 * Columns that match `SECRET` but contain no secret: the keys of packages, offers and vouchers, and the references of
 * store transactions and subscriptions.
 */
const NAMES =
  /^"(?:packages|offers|vouchers)"\."key"$|^"(?:store_transactions|service_subscriptions)"\."reference"$/

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(MAIN_DB)('the export of an account, on a database of kind %s', (kind) => {
  const { scene, shop, titles, redeem } = voucherScene(kind)

  /** Buys in a store with a purchase token. The rights of the payment belong to another account. */
  async function buyInStore(accountId: number, givenTo: number): Promise<void> {
    const { db } = scene.service.context
    const saidAt = scene.service.clock.now()
    const [item] = await db.select({ offerRevisionId: orderItems.offerRevisionId }).from(orderItems).limit(1)
    const [purchase] = await db
      .insert(storePurchases)
      .values({ store: 'google', reference: 'purchase-token', accountId, renews: false, saidAt })
      .returning()
    await db.insert(storeTransactions).values({
      purchaseId: purchase?.id ?? 0,
      reference: 'GPA.1',
      productId: 'rental',
      offerRevisionId: item?.offerRevisionId ?? 0,
      startsAt: saidAt,
      saidAt,
      givenTo,
    })
  }

  /** Opens the device of an account as a screen, which then reports what it plays. */
  async function openScreen(accountId: number, assetId: number): Promise<void> {
    const { db } = scene.service.context
    const [device] = await db.select().from(devices).where(eq(devices.accountId, accountId))
    const at = scene.service.clock.now()
    await db.insert(screens).values({
      deviceId: device?.id ?? 0,
      accountId,
      seenAt: at,
      state: {
        content: { kind: 'asset', id: assetId },
        streamType: 'VOD_MOVIE',
        title: 'Encre',
        subtitle: '',
        image: '',
        playback: 'playing',
        duration: 5400,
        canMove: true,
        canStartOver: true,
        isLive: false,
        nextTitle: '',
        audio: [],
        subtitles: [],
        chosenAudio: 'fra',
        chosenSubtitles: 'non',
        volumePercent: 50,
        at,
      },
    })
  }

  /** Returns the statements with which the parts of the export read the database. */
  async function statements(): Promise<string[]> {
    const seen: string[] = []
    const read = async (statement: string) => {
      seen.push(statement)
      return { rows: [] }
    }
    const db = drizzle(read, { casing: 'snake_case' })
    for (const part of scene.service.context.accountHooks.onAccountExported) await part(db, 1)
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
      const [, list = '', table = ''] = /^select (.*?) from ("\w+")/.exec(statement) ?? []
      // A statement on one table does not repeat its name.
      return list.split(', ').map((column) => (/^"\w+"$/.test(column) ? `${table}.${column}` : column))
    })
    expect(columns.length).toBeGreaterThan(150)
    expect(columns).toContain('"playing"."asset_id"')
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

    await buyInStore(account.id, other.account.id)
    await openScreen(account.id, titles.encre)

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
      receipts: [
        { cents: 399, buyer: expect.arrayContaining([account.email]), lines: [{ cents: 399, from: TIME }] },
      ],
      screens: [{ state: { title: 'Encre', at } }],
      storePurchases: [{ store: 'google' }],
      storeTransactions: [{ reference: 'GPA.1', isGivenToYou: false }],
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
    expect(written).not.toContain('purchase-token')
    expect(written).not.toContain('givenTo"')
    expect(written).not.toContain(other.account.email)

    // Without a file, the document is shown.
    const shown = JSON.parse(await runCommand(service, 'accounts export', [customerReference(account.id)]))
    expect(shown).toEqual(JSON.parse(written))
    await expect(runCommand(service, 'accounts export', ['nobody@ondine.test'])).rejects.toThrow('no account')
  })
})
