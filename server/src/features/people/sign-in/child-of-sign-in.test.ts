import { readFile } from 'node:fs/promises'
import { loginDevice } from '@ondine/contract/account-calls'
import { accountDetails, session } from '@ondine/contract/accounts'
import { casAddDevice } from '@ondine/contract/devices'
import { activateProfile, createProfile, listProfiles } from '@ondine/contract/profiles'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, type Tokens } from '../../../../test/service.ts'
import type { Service } from '../../../service.ts'
import { devices } from '../devices/devices.table.ts'
import { setParentalCode, validateParentalCode } from '../parental/parental.service.ts'

const LOU = {
  name: 'Lou',
  language: 'fra',
  kidProfile: true,
  parentalControl: false,
  maximumMoralityLevel: 2,
} as const

const DAY_MS = 86_400_000

/** Migration that gives names to the sign-ins of devices that were registered before sign-ins had names. */
const MIGRATION = new URL('../../../../migrations/0020_child-of-a-sign-in.sql', import.meta.url)

/** A family's account with a parental code. */
interface Family {
  account: number
  /** Account token from signing in with the password. */
  token: string
  /** Token of the adult's profile. */
  grownUp: string
  grownUpId: number
  childId: number
  parentalProof: string
}

describe.each(MAIN_DB)('child profiles of a sign-in, on a database of kind %s', (kind) => {
  let elsewhere: Service
  const scene = testScene(kind, {
    prepared: async ({ service }) => {
      elsewhere = await service.another()
    },
  })

  /** Calls `activateProfile`. @returns the tokens in the cookies and in the body of the answer */
  async function choose(tokens: Tokens, idProfile: number, parentalProof = '') {
    const answer = await scene.service.app.inject({
      method: activateProfile.method,
      url: activateProfile.path,
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ idProfile: String(idProfile), parentalProof }).toString(),
    })
    const cookies = new Map(answer.cookies.map(({ name, value }) => [name, value]))
    const { error, result } = answer.json()
    return { code: error?.code, account: cookies.get('ondine_account'), profile: result?.profileToken }
  }

  async function family(): Promise<Family> {
    const { context, call } = scene.service
    const { account } = await scene.make.actor()
    const tokens = await scene.signedIn(account.email)
    const childId = (await call(createProfile, LOU, tokens)).result.id
    const [grownUp] = (await call(listProfiles, {}, tokens)).result
    const grownUpId = grownUp?.id ?? 0
    await setParentalCode(context.db, account.id, { code: '2580', current: undefined }, 0)
    return {
      account: account.id,
      token: tokens['x-auth-token'],
      grownUp: (await choose(tokens, grownUpId)).profile,
      grownUpId,
      childId,
      parentalProof: await validateParentalCode(context, account.id, '2580', 0),
    }
  }

  const by = (token: string | undefined): Tokens => ({ 'x-auth-token': token ?? '' })

  const register = async (tokens: Tokens) =>
    (await scene.service.call(casAddDevice, { deviceUniqueId: 'browser-of-family' }, tokens)).result
      .deviceAuthToken

  /**
   * Returns the id of the active profile. Null if the tokens contain no profile, such as an adult's account token.
   */
  const watching = async (tokens: Tokens) =>
    (await scene.service.call(session, {}, tokens)).result.profile?.id ?? null

  /** Renews the sign-in with the given tokens. @returns the id of the profile that is active afterwards */
  async function renewed(shown: Tokens): Promise<number> {
    const { app, context } = scene.service
    const answer = await app.inject({ method: loginDevice.method, url: loginDevice.path, headers: shown })
    expect(answer.statusCode).toBe(200)
    const token = answer.cookies.find(({ name }) => name === 'ondine_profile')?.value ?? ''
    return Number(context.keys.verify('profile', token)?.sub)
  }

  it.each(['before', 'after'])(
    'A6-05 a device registered %s the child was chosen renews as that child, until the code is given',
    async (when) => {
      const { token, childId, grownUpId, parentalProof } = await family()
      const early = when === 'before' ? await register(by(token)) : undefined
      const child = await choose(by(token), childId)
      // A child cannot register a device (spec 46). So a parent registers it with the code, while the child's
      // profile stays active.
      const late = async () =>
        (
          await scene.service.call(
            casAddDevice,
            { deviceUniqueId: 'browser-of-family', parentalProof },
            by(child.account),
          )
        ).result.deviceAuthToken
      const device = { 'x-device-token': early ?? (await late()) }
      expect(await renewed(device)).toBe(childId)
      scene.service.clock.advance(2 * DAY_MS)
      expect(await renewed(device)).toBe(childId)

      const again = (await scene.service.call(loginDevice, {}, device)).result.newAuthToken
      expect((await choose(by(again), grownUpId)).code).toBe(-1612)
      const proof = await validateParentalCode(
        scene.service.context,
        (await accountOf(device)).id,
        '2580',
        scene.service.clock.now(),
      )
      expect((await choose(by(again), grownUpId, proof)).code).toBeUndefined()
      expect(await renewed(device)).toBe(grownUpId)
    },
  )

  async function accountOf(device: Tokens): Promise<{ id: number }> {
    const { newAuthToken } = (await scene.service.call(loginDevice, {}, device)).result
    return { id: (await scene.service.call(session, {}, by(newAuthToken))).result.account?.id ?? 0 }
  }

  it('A6-05 renews a device from before sign-ins had names as the child chosen since', async () => {
    const { context } = scene.service
    const { account, token, childId } = await family()
    await register(by(token))
    const [row] = await context.db.select().from(devices).where(eq(devices.accountId, account))
    // Restore the state from before the migration: the device's row and the claims of its token.
    await context.db.update(devices).set({ signIn: '' }).where(eq(devices.accountId, account))
    const claims = { sub: String(row?.id), account }
    const device = { 'x-device-token': context.keys.sign('device', claims, 365 * 86_400) }
    const statements = (await readFile(MIGRATION, 'utf8')).split('--> statement-breakpoint')
    for (const statement of statements.filter((each) => each.includes('UPDATE')))
      await context.db.execute(sql.raw(statement))

    const { newAuthToken } = (await scene.service.call(loginDevice, {}, device)).result
    expect(await watching(by(newAuthToken))).toBeNull()
    await choose(by(newAuthToken), childId)
    expect(await renewed(device)).toBe(childId)
  })

  it('A6-05 an adult’s older profile token, even an expired one, does not change a child’s account token', async () => {
    const { token, grownUp, childId } = await family()
    const device = await register(by(token))
    const child = (await choose(by(token), childId)).account
    const mixed = { ...by(child), 'x-profile-token': grownUp }
    expect(await watching(mixed)).toBe(childId)
    expect((await scene.service.call(accountDetails, {}, mixed)).error.code).toBe(-1612)
    expect(await renewed(mixed)).toBe(childId)
    const cookie = `ondine_account=${child}; ondine_profile=${grownUp}; ondine_device=${device}`
    const page = { 'x-identity-key': scene.service.context.storefronts.first().apiKey, cookie }
    expect(await watching(page)).toBe(childId)
    scene.service.clock.advance(30 * DAY_MS)
    expect(await watching(page)).toBe(childId)
  })

  it('A6-05 treats account tokens from before a child was chosen as that child’s, in every process, until the code is given', async () => {
    const { token, grownUp, grownUpId, childId, parentalProof } = await family()
    const child = (await choose(by(token), childId)).account
    for (const tokens of [by(token), { ...by(token), 'x-profile-token': grownUp }]) {
      expect(await watching(tokens)).toBe(childId)
      expect((await scene.service.call(accountDetails, {}, tokens)).error.code).toBe(-1612)
      expect((await choose(tokens, grownUpId)).code).toBe(-1612)
      expect(await renewed(tokens)).toBe(childId)
    }
    const detailsElsewhere = async (tokens: Tokens) =>
      (await elsewhere.app.inject({ method: 'POST', url: accountDetails.path, headers: tokens })).statusCode
    await vi.waitFor(async () => expect(await detailsElsewhere(by(token))).toBe(403), 20_000)

    expect((await choose(by(token), grownUpId, parentalProof)).code).toBeUndefined()
    // The child's old token does not restrict the adult any more.
    for (const tokens of [by(token), by(child)]) {
      expect(await watching(tokens)).toBeNull()
      expect((await scene.service.call(accountDetails, {}, tokens)).status).toBe(200)
      await vi.waitFor(async () => expect(await detailsElsewhere(tokens)).toBe(200), 20_000)
    }
  })

  it('A6-05 choosing a child leaves other sign-ins of the account with the adult', async () => {
    const { account, token, childId } = await family()
    const [{ email } = { email: '' }] = await scene.service.context.db
      .select({ email: sql<string>`email` })
      .from(sql`accounts`)
      .where(sql`id = ${account}`)
    const other = await scene.signedIn(email)
    await choose(by(token), childId)
    expect(await watching(other)).toBeNull()
    expect((await scene.service.call(accountDetails, {}, other)).status).toBe(200)
  })

  it('A6-05 shows a child neither e-mail address nor last name', async () => {
    const { account, token, grownUp, childId } = await family()
    await scene.service.context.db.execute(
      sql`update accounts set first_name = 'Anne', last_name = 'Delmas' where id = ${account}`,
    )
    const asked = async (tokens: Tokens) => (await scene.service.call(session, {}, tokens)).result.account
    expect(await asked({ ...by(token), 'x-profile-token': grownUp })).toMatchObject({
      lastName: 'Delmas',
      email: expect.stringContaining('@'),
    })
    const child = await choose(by(token), childId)
    for (const tokens of [by(child.account), { ...by(child.account), 'x-profile-token': child.profile }])
      expect(await asked(tokens)).toMatchObject({ firstName: 'Anne', lastName: '', email: '' })
  })
})
