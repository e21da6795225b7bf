import { anonymizeMe, changeAddress, changeDetails, validateAccount } from '@ondine/contract/account-calls'
import { accountDetails } from '@ondine/contract/accounts'
import { casAddDevice } from '@ondine/contract/devices'
import type { Language } from '@ondine/contract/languages'
import { refundOrder } from '@ondine/contract/operated-orders'
import { createProfile } from '@ondine/contract/profiles'
import { eq, type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { buildersOf, PASSWORD } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { emailsTo, readOutbox, tokenOf } from '../../../../test/emails.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, startTestService } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'
import { accounts } from './accounts.table.ts'

const ADDRESS = {
  addressStreet: 'Quai des Bulles',
  addressSecondStreet: '-',
  addressThirdStreet: '-',
  addressNumber: '7',
  addressCity: 'Nantes',
  addressState: '',
  addressZip: '44000',
  addressCountry: 'FR',
}

describe.each(MAIN_DB)('account changes, on a database of kind %s', (kind) => {
  const scene = testScene(kind, {
    settings: { SANDBOX_PAYMENTS: true },
    prepared: async ({ service }) => service.start(),
  })
  const titles = soldTitles(scene)

  it('A7.1-05 changes the details that are sent and keeps the others', async () => {
    const { tokens } = await scene.make.actor()
    const sent = { firstName: 'Zoé', title: 'M.', dateofbirth: '1984-12-01', allowNews: true } as const
    expect((await scene.service.call(changeDetails, sent, tokens)).result).toEqual({ pendingEmail: null })
    await scene.service.call(changeDetails, { lastName: 'Martín' }, tokens)
    expect((await scene.service.call(accountDetails, {}, tokens)).result).toMatchObject({
      title: 'M.',
      firstName: 'Zoé',
      lastName: 'Martín',
      allowNews: true,
      metadatas: { birthYear: '1984', birthMonth: '12', birthDay: '1' },
    })
  })

  it('A7.1-05 accepts only the languages of the storefront, and keeps one that the operator has withdrawn', async () => {
    const { tokens } = await scene.make.actor()
    const change = async (language: Language) => await scene.service.call(changeDetails, { language }, tokens)
    const { status, error } = await change('jpn')
    expect([status, error.details?.fields]).toEqual([400, [{ field: 'language', message: 'invalid' }]])
    expect((await change('eng')).status).toBe(200)
    const configuration = await changeConfigurationOf(scene.service, { 'languages.languages': ['fra'] })
    expect((await change('eng')).status).toBe(200)
    expect((await change('fra')).status).toBe(200)
    expect((await change('eng')).status).toBe(400)
    await configuration.undo()
  })

  it('A7.1-06 replaces the whole postal address', async () => {
    const { tokens } = await scene.make.actor()
    expect((await scene.service.call(changeAddress, ADDRESS, tokens)).status).toBe(200)
    expect((await scene.service.call(accountDetails, {}, tokens)).result).toMatchObject({
      ...ADDRESS,
      addressSecondStreet: '',
      addressThirdStreet: '',
    })
    const wrong = await scene.service.call(changeAddress, { ...ADDRESS, addressCountry: 'ZZ' }, tokens)
    expect([wrong.status, wrong.error.code]).toEqual([400, -181])
  })

  it('A4.5-05 A3-03 stores a consent with the service’s time and the version of its text', async () => {
    const { tokens } = await scene.make.actor()
    const consent = { consent_status: 'accepted', consent_version: 'legal 1' } as const
    await scene.service.call(changeDetails, { additionalInformation: consent }, tokens)
    const { additionalInformation } = (await scene.service.call(accountDetails, {}, tokens)).result
    const consent_timestamp = Math.floor(scene.service.clock.now() / 1000)
    expect(additionalInformation).toEqual({ ...consent, consent_timestamp })
    // The longest allowed consent version: the longest URL of a consent text, and a version number.
    const long = { consent_status: 'accepted', consent_version: `https://${'a'.repeat(1992)} 1` } as const
    expect((await scene.service.call(changeDetails, { additionalInformation: long }, tokens)).status).toBe(
      200,
    )
    const longer = { ...long, consent_version: 'a'.repeat(2101) }
    expect((await scene.service.call(changeDetails, { additionalInformation: longer }, tokens)).status).toBe(
      400,
    )
    const unkept = { ...consent, consent_version: 'a\u0000b' }
    expect((await scene.service.call(changeDetails, { additionalInformation: unkept }, tokens)).status).toBe(
      400,
    )
    const wrong = { additionalInformation: { consent_status: 'maybe' as never } }
    expect((await scene.service.call(changeDetails, wrong, tokens)).status).toBe(400)
  })

  it('applies a new e-mail address after its confirmation, unless another account has it by then', async () => {
    const { tokens, account } = await scene.make.actor()
    const email = 'new-address@ondine.test'
    const asked = await scene.service.call(changeDetails, { email, currentPassword: PASSWORD }, tokens)
    expect(asked.result).toEqual({ pendingEmail: email })
    const letter = (await emailsTo(scene.service.context.settings.DATA_DIR, email, 1)).at(-1)!
    await emailsTo(scene.service.context.settings.DATA_DIR, account.email, 1)
    const before = (await scene.service.call(accountDetails, {}, tokens)).result
    expect([before.email, before.pendingEmail]).toEqual([account.email, email])
    expect((await scene.service.call(validateAccount, { token: tokenOf(letter) })).status).toBe(200)
    const after = (await scene.service.call(accountDetails, {}, tokens)).result
    expect([after.email, after.pendingEmail]).toEqual([email, null])

    const other = await scene.make.actor()
    await scene.service.call(changeDetails, { email, currentPassword: PASSWORD }, other.tokens)
    const second = (await emailsTo(scene.service.context.settings.DATA_DIR, email, 2)).at(-1)!
    const taken = await scene.service.call(validateAccount, { token: tokenOf(second) })
    expect([taken.status, taken.error.code]).toEqual([409, -1000])
  })

  it('A5-05 an account keeps an address with special characters, but can get no other one', async () => {
    const { tokens, account } = await scene.make.actor()
    const { db } = scene.service.context
    const email = `jean,dupont-${account.id}@ondine.test`
    await db.update(accounts).set({ email }).where(eq(accounts.id, account.id))
    const change = async (fields: object) => await scene.service.call(changeDetails, fields, tokens)
    expect((await change({ email, firstName: 'Jean' })).status).toBe(200)
    const refused = await change({ email: `jean;${email}`, currentPassword: PASSWORD })
    expect(refused.error.details?.fields).toEqual([{ field: 'email', message: 'invalidEmail' }])
    const details = (await scene.service.call(accountDetails, {}, tokens)).result
    expect([details.firstName, details.email, details.pendingEmail]).toEqual(['Jean', email, null])
  })

  it('requires the password for a new e-mail address; a token alone is not enough', async () => {
    const { tokens, account } = await scene.make.actor()
    const email = `taken-over-${account.id}@ondine.test`
    const change = async (fields: object) => await scene.service.call(changeDetails, fields, tokens)
    const without = await change({ email, firstName: 'Intrus' })
    expect([without.status, without.error.details?.fields]).toEqual([
      400,
      [{ field: 'currentPassword', message: 'requiredField' }],
    ])
    const wrong = await change({ email, firstName: 'Intrus', currentPassword: 'guess' })
    expect([wrong.status, wrong.error.code]).toEqual([401, -3000])
    // The service must not store the refused changes.
    const { result } = await scene.service.call(accountDetails, {}, tokens)
    expect([result.email, result.pendingEmail, result.firstName]).toEqual([
      account.email,
      null,
      account.firstName,
    ])
    // The account's current address does not count as a new address, even in another case.
    expect((await change({ email: account.email.toUpperCase() })).result).toEqual({ pendingEmail: null })
    expect((await change({ email, currentPassword: PASSWORD })).result).toEqual({ pendingEmail: email })
  })

  it('asks for no password for a new address of an account that signs in through another provider', async () => {
    const { tokens, account } = await scene.make.actor()
    const { db } = scene.service.context
    await db.update(accounts).set({ passwordHash: null }).where(eq(accounts.id, account.id))
    const email = `moved-${account.id}@ondine.test`
    expect((await scene.service.call(changeDetails, { email }, tokens)).result).toEqual({
      pendingEmail: email,
    })
    const [letter] = await emailsTo(scene.service.context.settings.DATA_DIR, email, 1)
    expect(letter?.text).toContain('Une fois confirmée, elle remplacera l’adresse actuelle.')
  })

  it('A7.1-05 refuses a new address, and stores nothing, while no link to confirm it can be sent', async () => {
    const { tokens, account } = await scene.make.actor()
    const email = `often-${account.id}@ondine.test`
    const change = async (fields: object) =>
      await scene.service.call(changeDetails, { currentPassword: PASSWORD, ...fields }, tokens)
    for (let count = 1; count <= 5; count++) {
      expect((await change({ email })).result).toEqual({ pendingEmail: email })
      await emailsTo(scene.service.context.settings.DATA_DIR, email, count)
    }
    const refused = await change({ email: `other-${email}`, firstName: 'Zoé' })
    expect([refused.status, refused.error.code]).toEqual([429, -429])
    const wait = Number(refused.error.details?.retryAfterSeconds)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600)
    const details = (await scene.service.call(accountDetails, {}, tokens)).result
    expect([details.firstName, details.pendingEmail]).toEqual([account.firstName, email])
    expect((await change({ firstName: 'Zoé' })).status).toBe(200)
    const before = scene.service.clock.now()
    try {
      scene.service.clock.set(before + wait * 1000)
      expect((await change({ email: `other-${email}` })).status).toBe(200)
    } finally {
      scene.service.clock.set(before)
    }
  })

  it('a request for another new address ends the link to the first', async () => {
    const { service } = scene
    const { tokens, account } = await scene.make.actor()
    const folder = service.context.settings.DATA_DIR
    const [mistyped, meant] = [`mistyped-${account.id}@ondine.test`, `meant-${account.id}@ondine.test`]
    const request = async (email: string) =>
      await service.call(changeDetails, { email, currentPassword: PASSWORD }, tokens)
    const confirm = async (token: string) => await service.call(validateAccount, { token })
    await request(mistyped)
    const first = tokenOf((await emailsTo(folder, mistyped, 1))[0]!)
    await request(meant)
    const refused = await confirm(first)
    expect([refused.status, refused.error.code]).toEqual([410, -410])
    const second = tokenOf((await emailsTo(folder, meant, 1))[0]!)
    // Another request for the same address keeps the link that this address already has.
    expect((await request(meant)).result).toEqual({ pendingEmail: meant })
    expect((await confirm(second)).status).toBe(200)
    expect((await service.call(accountDetails, {}, tokens)).result).toMatchObject({
      email: meant,
      pendingEmail: null,
    })
  })

  it.each(['BANNED', 'ARCHIVED'] as const)(
    'refuses to confirm a new e-mail address for an account that is %s by then',
    async (status) => {
      const { service } = scene
      const { tokens, account } = await scene.make.actor()
      const email = `new-of-${status.toLowerCase()}@ondine.test`
      await service.call(changeDetails, { email, currentPassword: PASSWORD }, tokens)
      const letter = (await emailsTo(service.context.settings.DATA_DIR, email, 1)).at(-1)!
      await service.context.db.update(accounts).set({ status }).where(eq(accounts.id, account.id))
      const confirmed = await service.call(validateAccount, { token: tokenOf(letter) })
      expect([confirmed.status, confirmed.error.code]).toEqual([410, -410])
    },
  )

  it('confirms the second of two new addresses, and sends no e-mail to the first if it was not yet written', async () => {
    const waiting = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    try {
      const { tokens } = await buildersOf(waiting.context).actor()
      for (const email of ['mistyped@ondine.test', 'meant@ondine.test'])
        expect((await waiting.call(changeDetails, { email, currentPassword: PASSWORD }, tokens)).status).toBe(
          200,
        )
      waiting.start()
      const folder = waiting.context.settings.DATA_DIR
      // E-mails are sent in the sequence in which they were queued.
      const [letter] = await emailsTo(folder, 'meant@ondine.test', 1)
      expect((await readOutbox(folder)).map(({ to }) => to)).not.toContain('mistyped@ondine.test')
      expect((await waiting.call(validateAccount, { token: tokenOf(letter!) })).status).toBe(200)
      expect((await waiting.call(accountDetails, {}, tokens)).result.email).toBe('meant@ondine.test')
    } finally {
      await waiting.remove()
    }
  })

  /** Returns the rows of a query. */
  const rowsOf = async <Row extends Record<string, unknown>>(query: SQL) =>
    ((await scene.service.context.db.execute<Row>(query)) as { rows: Row[] }).rows

  /** Returns the tables whose rows match a pattern. */
  async function tablesWith(pattern: string): Promise<string[]> {
    const tables = await rowsOf<{ name: string }>(
      sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const [row] = await rowsOf<{ found: number }>(
        sql`select count(*)::int as found from ${sql.identifier(name)} as t where t::text ~ ${pattern}`,
      )
      if (row?.found !== 0) found.push(name)
    }
    return found
  }

  it('A7.1-10 stores no personal data that is written while the account is deleted', async () => {
    const { tokens } = await scene.make.actor()
    const profile = {
      name: 'Boomerang',
      language: 'fra',
      kidProfile: false,
      parentalControl: false,
      maximumMoralityLevel: 0,
    } as const
    await Promise.all([
      scene.service.call(anonymizeMe, {}, tokens),
      scene.service.call(changeDetails, { firstName: 'Boomerang' }, tokens),
      scene.service.call(changeAddress, { ...ADDRESS, addressCity: 'Boomerang' }, tokens),
      scene.service.call(createProfile, profile, tokens),
      scene.service.call(casAddDevice, { deviceUniqueId: 'Boomerang' }, tokens),
    ])
    expect(await tablesWith('Boomerang')).toEqual([])
  })

  it('A7.1-10 deletes an account: no personal data remains, its purchases do', async () => {
    const { account, tokens } = await scene.make.actor({
      packages: { cinema: {} },
      profile: { language: 'fra' },
    })
    await scene.service.call(changeDetails, { firstName: 'Perséphone', lastName: 'Unmistakable' }, tokens)
    await scene.service.call(casAddDevice, { deviceUniqueId: 'telltale-device' }, tokens)
    expect((await scene.service.call(anonymizeMe, {}, tokens)).status).toBe(200)
    expect((await scene.service.call(accountDetails, {}, tokens)).error.code).toBe(-1)
    expect((await scene.signIn(account.email)).error.code).toBe(-3000)

    const { db } = scene.service.context
    expect(await tablesWith(`Perséphone|Unmistakable|telltale|${account.email}`)).toEqual([])
    const [held] = await rowsOf<{ found: number }>(
      sql`select count(*)::int as found from grants where account_id = ${account.id}`,
    )
    expect(held?.found).toBe(1)
    // A new account can use the address.
    const again = await db.select().from(accounts).where(sql`email = ${account.email}`)
    expect(again).toEqual([])
  })

  it('A7.1-10 deletes an account: its receipts name no buyer, and neither does a later credit note', async () => {
    const shop = new Purchases(scene)
    await shop.sell()
    const { account, tokens } = scene.actor
    await scene.service.call(changeDetails, { firstName: 'Mélusine', lastName: 'Unmistakable' }, tokens)
    await scene.service.call(changeAddress, { ...ADDRESS, addressStreet: 'Rue du Raz' }, tokens)
    const idOrder = await shop.buy(['rental'], { contentId: titles.encre })
    const ofBuyer = `Mélusine|Unmistakable|Rue du Raz|${account.email}`
    expect(await tablesWith(ofBuyer)).toContain('receipts')
    await scene.service.call(anonymizeMe, {}, tokens)
    expect(await tablesWith(ofBuyer)).toEqual([])

    const operator = (await scene.make.operator()).tokens
    const { result } = await scene.service.call(refundOrder, { idOrder }, operator)
    expect(result.receipts).toHaveLength(2)
    expect(await tablesWith(ofBuyer)).toEqual([])
  })
})
