import * as accountCalls from '@ondine/contract/account-calls'
import * as accountReads from '@ondine/contract/accounts'
import { removeActiveAsset, restoreActiveAsset } from '@ondine/contract/catalogue'
import { listCountries } from '@ondine/contract/countries'
import * as deviceCalls from '@ondine/contract/devices'
import { ERRORS, type ErrorName } from '@ondine/contract/errors'
import * as favouriteCalls from '@ondine/contract/favourites'
import type { Operation } from '@ondine/contract/operation'
import * as pairingCalls from '@ondine/contract/pairing'
import * as parentalCalls from '@ondine/contract/parental-code'
import * as profileCalls from '@ondine/contract/profiles'
import * as scoreCalls from '@ondine/contract/scores'
import * as signOnCalls from '@ondine/contract/sign-on'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../src/features/people/accounts/accounts.table.ts'
import { ACCOUNT_ROWS } from './answers/account-answers.ts'
import type { Case, Fields, Given, Scene } from './answers/answers.ts'
import { DELETED_PROFILE, VIEWER_ROWS } from './answers/viewer-answers.ts'
import { buildersOf } from './builders.ts'
import { changeConfigurationOf } from './configuration.ts'
import { TestProvider } from './identity-provider.ts'
import { DATABASES, startTestService, type TestService, type Tokens } from './service.ts'

const ROWS = [...ACCOUNT_ROWS, ...VIEWER_ROWS]

/**
 * Every call for viewers' own data: accounts, sign-in, profiles, parental code, devices, favourites, scores, and
 * continue watching.
 */
const CALLS: readonly Operation[] = [
  listCountries,
  removeActiveAsset,
  restoreActiveAsset,
  ...Object.values<unknown>({
    ...accountCalls,
    ...accountReads,
    ...signOnCalls,
    ...profileCalls,
    ...parentalCalls,
    ...deviceCalls,
    ...pairingCalls,
    ...favouriteCalls,
    ...scoreCalls,
  }).filter(
    (each): each is Operation =>
      typeof each === 'object' && each !== null && 'method' in each && 'path' in each,
  ),
]

const CHANGE = {
  currentPassword: 'Ondine-2026!',
  password: 'Ondine-2027!',
  passwordConfirm: 'Ondine-2027!',
}

/**
 * Returns the fields that are specific to a call. Excludes the proof of the parental code: an invalid proof is
 * treated like a missing one.
 */
function fieldsOf({ input }: Operation): string[] {
  return Object.keys(input.shape).filter((name) => name !== 'parentalProof')
}

/**
 * Errors that every call may give: `invalidInput` for invalid fields, `tokenInvalid` for a caller who is not
 * signed in to this storefront.
 */
const OF_ALL: readonly ErrorName[] = ['invalidInput', 'tokenInvalid']

describe.each(DATABASES)('calls for viewers’ own data, on a database of kind %s', (kind) => {
  let service: TestService
  let make: Scene['make']
  const provider = new TestProvider()
  let clients = 0

  beforeAll(async () => {
    await provider.start('http://localhost/auth/callback')
    service = await startTestService(kind, {
      SIGN_IN_ATTEMPTS: 1,
      SSO_CLIENT_SECRET: 'between-us',
      OUTBOUND_ALLOW: ['127.0.0.1'],
      // Lets each case set a separate client address, in a header.
      TRUST_PROXY: true,
    })
    make = buildersOf(service.context)
  })
  afterAll(async () => {
    await service.remove()
    await provider.stop()
  })

  function nextClient(): Tokens {
    clients++
    return { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}` }
  }

  /** Makes a call as often as its case says. @returns the answer of each call */
  async function answersOf(operation: Operation, { fields, given, each, times = 0 }: Case) {
    const client = nextClient()
    const actor = await make.actor()
    const changes: { undo(): Promise<void> }[] = []
    const configure: Scene['configure'] = async (changed) => {
      changes.push(await changeConfigurationOf(service, changed))
    }
    try {
      const ready = await given?.({ service, make, actor, client, provider, configure })
      const own = operation.as === 'visitor' ? {} : actor.tokens
      const answers: Awaited<ReturnType<typeof ask>>[] = []
      for (let turn = 0; turn <= times; turn++) {
        const sent = { ...fields, ...ready?.fields, ...each?.(turn) }
        answers.push(await ask(operation, sent, { ...(ready?.tokens ?? own), ...client }))
      }
      return answers
    } finally {
      for (const change of changes.toReversed()) await change.undo()
    }
  }

  const ask = async (operation: Operation, fields: Fields, tokens: Tokens) =>
    await service.call(operation, fields, tokens)

  it('each have a row, with a case of every error in the contract', () => {
    const namesOf = (operations: readonly Operation[]) => operations.map(({ name }) => name).sort()
    expect(namesOf(ROWS.map(({ operation }) => operation))).toEqual(namesOf(CALLS))
    const own = (errors: readonly string[]) =>
      errors.filter((error) => error !== 'success' && !OF_ALL.some((each) => each === error)).sort()
    for (const { operation, answers } of ROWS)
      expect([operation.name, own(Object.keys(answers))]).toEqual([operation.name, own(operation.errors)])
  })

  it('each have a case of an invalid field, if they have fields', () => {
    const without = ROWS.filter(
      ({ operation, answers }) => fieldsOf(operation).length > 0 && !answers.invalidInput,
    )
    expect(without).toEqual([])
  })

  describe.each(ROWS.map((row) => [row.operation.name, row] as const))('%s', (_name, row) => {
    const { operation, answers } = row
    const refusals = (Object.keys(ERRORS) as ErrorName[])
      .filter((name) => answers[name])
      .map((name) => [ERRORS[name].status, name] as const)

    it('answers 200', async () => {
      const [answer] = await answersOf(operation, answers.success)
      expect([answer?.status, answer?.error]).toEqual([200, { code: 0, message: '', details: null }])
    })

    it.each(refusals.filter(([, name]) => name !== 'slowDown'))('answers %i: %s', async (status, name) => {
      const [answer] = await answersOf(operation, answers[name] ?? {})
      expect([answer?.status, answer?.error.code]).toEqual([status, ERRORS[name].code])
    })

    if (answers.slowDown) {
      const { times } = answers.slowDown
      it(`A8.3-06 answers ${times} times, then 429 with the time to wait`, async () => {
        const all = await answersOf(operation, answers.slowDown ?? {})
        const statuses = all.map(({ status }) => status)
        expect(statuses.slice(0, -1)).not.toContain(429)
        const last = all.at(-1)
        expect([last?.status, last?.error.code]).toEqual([429, -429])
        expect(last?.error.details?.retryAfterSeconds).toBeGreaterThan(0)
      })
    }

    it('answers 400 to an unknown language, and names the field', async () => {
      const [answer] = await answersOf(operation, { ...answers.success, each: () => ({ languageId: 'xxx' }) })
      expect([answer?.status, answer?.error.details?.fields?.[0]?.field]).toEqual([400, 'languageId'])
    })

    it('answers 401 in an unknown storefront, and 403 to a cookie of another site', async () => {
      const asked = async (tokens: Tokens) =>
        (await answersAs(operation, answers.success, tokens))?.error.code
      expect(await asked({ 'x-identity-key': 'nowhere' })).toBe(-401)
      const { tokens } = await make.actor()
      const cookie = `ondine_account=${tokens['x-auth-token']}; ondine_profile=${tokens['x-profile-token']}`
      // A GET without the header is allowed: another site may make the browser load an address, but cannot read
      // the answer.
      if (operation.method !== 'GET') expect(await asked({ cookie })).toBe(-403)
    })

    if (operation.as !== 'visitor') {
      it('answers 401 without a sign-in, and to a sign-in from before the password was changed', async () => {
        expect((await answersAs(operation, answers.success, {}))?.error.code).toBe(-1)
        const [answer] = await answersOf(operation, {
          ...answers.success,
          given: async (scene) => {
            const ready = await answers.success.given?.(scene)
            const tokens = { ...scene.actor.tokens, ...nextClient() }
            expect((await service.call(accountCalls.updatePassword, CHANGE, tokens)).status).toBe(200)
            return ready
          },
        })
        expect([answer?.status, answer?.error.code]).toEqual([401, -1])
      })

      it('A3-04 answers 401 to the valid token of a closed account', async () => {
        const [answer] = await answersOf(operation, {
          ...answers.success,
          given: async (scene) => {
            const ready = await answers.success.given?.(scene)
            // Proves that the token is valid before the account is banned.
            expect((await service.call(favouriteCalls.favoriteAssets, {}, scene.actor.tokens)).status).toBe(
              200,
            )
            const { id } = scene.actor.account
            await service.context.db.update(accounts).set({ status: 'BANNED' }).where(eq(accounts.id, id))
            return ready
          },
        })
        expect([answer?.status, answer?.error.code]).toEqual([401, -1])
      })
    }
  })

  it.each(DELETED_PROFILE.map(([operation, asked]) => [operation.name, operation, asked] as const))(
    '%s answers 404 to a deleted profile',
    async (_name, operation, asked) => {
      const [answer] = await answersOf(operation, asked)
      expect([answer?.status, answer?.error.code]).toEqual([404, -404])
    },
  )

  /** Calls {@link answersOf} with these tokens. */
  async function answersAs(operation: Operation, asked: Case, tokens: Tokens) {
    const given: Given = async (scene) => ({ ...(await asked.given?.(scene)), tokens })
    return (await answersOf(operation, { ...asked, given })).at(0)
  }
})
