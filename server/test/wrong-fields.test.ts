import { OPERATIONS } from '@ondine/contract/all'
import { casAddDevice } from '@ondine/contract/devices'
import type { Operation } from '@ondine/contract/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from './builders.ts'
import { startTestService, type TestService, type Tokens } from './service.ts'

/** Texts that people and programs send instead of a valid value. Each text is tried in each field. */
const WRONG = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '-1',
  '1e309',
  '99999999999999999999',
  '[[[',
  '{"__proto__":1}',
  "' or 1=1 --",
  '<img src=x>',
  '😀'.repeat(60),
  'x'.repeat(5000),
] as const

/** Valid values of the other fields, for calls that require several fields. */
const RIGHT: Readonly<Record<string, Record<string, string>>> = {
  createAccount: {
    email: 'zoe@ondine.test',
    password: 'Ondine-2027!',
    passwordConfirm: 'Ondine-2027!',
    firstName: 'Zoé',
    lastName: 'Aubin',
    acceptTerms: '1',
    allowNews: '0',
    title: '',
    phoneNumber: '',
    dateofbirth: '',
    language: 'fra',
    addressStreet: '-',
    addressSecondStreet: '-',
    addressThirdStreet: '-',
    addressNumber: '1',
    addressCity: '',
    addressState: '',
    addressZip: '',
    addressCountry: '',
  },
  createProfile: { name: 'Lou', language: 'fra' },
  updateProfile: { name: 'Lou', language: 'fra' },
  casAuth: { casDeviceId: '1', name: 'Salon', type: 'device_tv' },
  oauthToken: { username: 'zoe@ondine.test', password: 'x', grant_type: 'password' },
  resetPassword: { token: 'forged', password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' },
  heartbeat: { session: 'forged', event: 'progress' },
  reportAd: { report: 'forged', event: 'start' },
  readAsset: { idAsset: '1', idAudioLang: 'fra', idSubtitleLang: 'non' },
  changeScoreAsset: { idAsset: '1', score: '4' },
}

/**
 * Fields that are not tested here, by call, because tests of other calls cover them. Accepting a value here would
 * cost the time of hashing a password.
 */
const TRIED_ELSEWHERE: Readonly<Record<string, RegExp>> = {
  // `address` is tested with `changeAddress`, and `unknownField` with every other call.
  createAccount: /^(address|unknownField)/,
}

/** Calls that would end the sign-in. They are tested last. */
const LAST: ReadonlySet<string> = new Set(['anonymizeMe', 'logout', 'updatePassword', 'loginDevice'])

const CALLS = OPERATIONS.filter(({ as, name }) => as !== 'operator' && !LAST.has(name)).map(
  (each) => [each.name, each] as const,
)

describe('every call of a viewer', () => {
  let service: TestService
  let tokens: Tokens

  beforeAll(async () => {
    service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 1_000_000 })
    const build = buildersOf(service.context)
    tokens = (await build.actor({ packages: { cinema: {} } })).tokens
    // Creates the objects with id 1 that the calls name. Without them, the service would refuse the calls before
    // it reads their other fields.
    expect((await build.asset('La Houle', { inPackages: ['cinema'] })).id).toBe(1)
    await service.call(casAddDevice, { deviceUniqueId: 'browser-of-camille' }, tokens)
  })
  afterAll(async () => await service.remove())

  /**
   * Sends texts to an operation without checking them. Each parameter in the operation's path becomes 1, the id of
   * the first object of its kind. Only the parameter `part`, the field under test, gets its text from `sent`.
   */
  async function send({ method, path }: Operation, sent: Record<string, string>, part?: string) {
    const fields = new URLSearchParams(sent)
    const url = path.replaceAll(/:(\w+)/g, (_match, name: string) =>
      name === part ? encodeURIComponent((sent[name] ?? '').toWellFormed()) : '1',
    )
    const isGet = method === 'GET'
    return await service.app.inject({
      method,
      url: isGet ? `${url}?${fields}` : url,
      headers: { ...tokens, ...(isGet ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(isGet ? {} : { payload: fields.toString() }),
    })
  }

  it.each(CALLS.filter(([call]) => call in RIGHT))(
    '%s accepts the valid fields beside the invalid one',
    async (call, operation) => {
      const { statusCode, body } = await send(operation, RIGHT[call] ?? {})
      expect(statusCode, body).not.toBe(400)
    },
  )

  it.each(CALLS)('%s never fails internally, whatever its fields contain', async (call, operation) => {
    const shape: unknown = Reflect.get(operation.input, 'shape')
    const names = typeof shape === 'object' && shape !== null ? Object.keys(shape) : []
    const faults: string[] = []
    const untried = TRIED_ELSEWHERE[call]
    for (const name of [...names, 'languageId', 'unknownField'].filter((each) => !untried?.test(each))) {
      for (const wrong of WRONG) {
        const { statusCode } = await send(operation, { ...RIGHT[call], [name]: wrong }, name)
        if (statusCode >= 500) faults.push(`${name}=${JSON.stringify(wrong.slice(0, 20))}: ${statusCode}`)
      }
    }
    expect(faults).toEqual([])
  })
})
