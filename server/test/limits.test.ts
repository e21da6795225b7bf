import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from './builders.ts'
import { startTestService, type TestService, type Tokens } from './service.ts'

const PASSWORDS = { password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' }
const REGISTRATION = {
  ...PASSWORDS,
  firstName: 'Zoé',
  lastName: 'Aubin',
  title: 'Mme.',
  phoneNumber: '0612345678',
  dateofbirth: '1990-02-28',
  language: 'fra',
  allowNews: '0',
  acceptTerms: '1',
  addressStreet: 'Quai',
  addressSecondStreet: '-',
  addressThirdStreet: '-',
  addressNumber: '1',
  addressCity: 'Brest',
  addressState: '',
  addressZip: '29200',
  addressCountry: 'FR',
}

/** Calls that can be made so often by one client, with another address each time, where a try of one address is allowed. */
const LIMITED: [path: string, tries: number, fields: (turn: number) => Record<string, string>][] = [
  ['/proxy/createAccount', 5, (turn) => ({ ...REGISTRATION, email: `new-${turn}@ondine.test` })],
  ['/proxy/resendAccountActivationEmail', 5, (turn) => ({ email: `re-${turn}@ondine.test` })],
  ['/proxy/askResetPassword', 5, (turn) => ({ email: `lost-${turn}@ondine.test` })],
  ['/proxy/validateAccount', 5, () => ({ token: 'forged' })],
  ['/proxy/resetPassword', 5, () => ({ ...PASSWORDS, token: 'forged' })],
  ['/proxy/updatePassword', 1, () => ({ ...PASSWORDS, currentPassword: 'guess' })],
  ['/proxy/changeDetails', 5, (turn) => ({ email: `moved-${turn}@ondine.test` })],
  ['/proxy/beginSignOn', 5, () => ({})],
  ['/proxy/finishSignOn', 5, () => ({ query: '?code=forged' })],
  ['/proxy/startPairing', 60, () => ({})],
]

describe('calls that a client may not make without end', () => {
  let service: TestService
  let tokens: Tokens

  beforeAll(async () => {
    service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 1 })
    tokens = (await buildersOf(service.context).actor()).tokens
  })
  afterAll(async () => await service.remove())

  it.each(LIMITED)(
    'A8.3-06 %s is answered %i times, then with 429 and how long to wait',
    async (url, tries, fields) => {
      // Each from an address of its own: what one has used up is no other's.
      const remoteAddress = `192.0.2.${1 + LIMITED.findIndex(([path]) => path === url)}`
      const ask = async (turn: number) =>
        await service.app.inject({
          method: 'POST',
          url,
          remoteAddress,
          headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(fields(turn)).toString(),
        })
      const statuses: number[] = []
      for (let turn = 0; turn < tries; turn++) statuses.push((await ask(turn)).statusCode)
      expect(statuses).not.toContain(429)
      const refused = await ask(tries)
      expect([refused.statusCode, refused.json().error.code]).toEqual([429, -429])
      expect(refused.json().error.details.retryAfterSeconds).toBeGreaterThan(0)
    },
  )
})
