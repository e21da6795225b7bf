import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Installation, ONDINE } from '../installation.ts'

/**
 * Number of kills. The default is small, because the test runs on every change. `ONDINE_KILLS` sets a larger number for
 * long runs.
 */
const KILLS = Number(process.env.ONDINE_KILLS ?? 2)
/** A kill takes some five seconds on two busy cores. A slow machine gets longer. */
const LIMIT_MS = Math.min(5_400_000, 900_000 + KILLS * 45_000)
const EMAIL = 'camille@ondine.test'
const PASSWORD = 'Ondine-2026!'

interface Answer {
  status: boolean
  result: unknown
  error?: { code: number }
  access_token?: string
}

/** A person who writes data of the account, one write at a time, until the service is killed. */
class Person {
  readonly #origin: string
  readonly #tokens: Record<string, string>

  private constructor(origin: string, tokens: Record<string, string>) {
    this.#origin = origin
    this.#tokens = tokens
  }

  static visitor(origin: string): Person {
    return new Person(origin, {})
  }

  static async signIn(origin: string): Promise<Person> {
    const answer = await Person.visitor(origin).trySignIn(EMAIL)
    if (answer.access_token === undefined) throw new Error('Camille cannot sign in any more.')
    return new Person(origin, { 'x-auth-token': answer.access_token })
  }

  /** Signs in. @returns undefined once the service has been killed */
  static async trySigningIn(origin: string): Promise<Person | undefined> {
    try {
      return await Person.signIn(origin)
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }

  async trySignIn(username: string): Promise<Answer> {
    return await this.#send('POST', '/oauth/token', { username, password: PASSWORD, grant_type: 'password' })
  }

  /** Makes a call. @returns the result @throws Error when the service refuses the call */
  async call<Result>(method: string, path: string, fields: Record<string, string> = {}): Promise<Result> {
    const answer = await this.#send(method, path, fields)
    if (!answer.status) throw new Error(`${path}: ${JSON.stringify(answer.error)}`)
    return answer.result as Result
  }

  /**
   * Makes a call that writes. @returns whether the service confirmed the write; false when the service was killed
   */
  async write(method: string, path: string, fields: Record<string, string>): Promise<boolean> {
    try {
      await this.call(method, path, fields)
      return true
    } catch (error) {
      if (isGone(error)) return false
      throw error
    }
  }

  async #send(method: string, path: string, fields: Record<string, string>): Promise<Answer> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: this.#tokens,
      ...(method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
    })
    return (await response.json()) as Answer
  }
}

/** Returns whether a call failed because the service was killed before it answered. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError
}

/**
 * A number that is written again and again, increasing each time. The stored number must be the last confirmed
 * number, or a later number that was sent.
 */
class Count {
  sent = 0
  answered = 0

  async next(write: (value: number) => Promise<boolean>): Promise<boolean> {
    this.sent += 1
    const value = this.sent
    const done = await write(value)
    if (done) this.answered = value
    return done
  }

  check(kept: number, what: string): void {
    expect(kept, what).toBeGreaterThanOrEqual(this.answered)
    expect(kept, what).toBeLessThanOrEqual(this.sent)
    this.answered = kept
  }
}

/**
 * Things that people create and remove. Things in `sure` must exist, and things in `gone` must not. Any other
 * thing may exist or not.
 */
class Things {
  readonly sure = new Set<string>()
  readonly gone = new Set<string>()

  check(kept: readonly string[], what: string): void {
    for (const name of this.sure) expect(kept, what).toContain(name)
    for (const name of this.gone) expect(kept, what).not.toContain(name)
  }
}

describe('a service that is killed while people are at work', () => {
  let installation: Installation
  const registered = new Set<string>()
  const consent = new Count()
  const name = new Count()
  const devices = new Things()
  const profiles = new Things()

  beforeAll(async () => {
    installation = await Installation.create({ DEMO: 'false', SIGN_IN_ATTEMPTS: '100000' })
    const making = spawn(ONDINE, ['accounts', 'create', EMAIL], {
      // The password is not an argument, because other users of the machine can see the arguments.
      env: {
        ...process.env,
        ONDINE_PASSWORD: PASSWORD,
        DATA_DIR: installation.dataDir,
        LOG_LEVEL: 'silent',
      },
      stdio: 'ignore',
    })
    const [code] = (await once(making, 'exit')) as [number]
    expect(code).toBe(0)
  })
  afterAll(async () => await installation.remove())

  /** Returns the number of confirmed writes of each kind. */
  function answered(): number[] {
    return [registered.size, consent.answered, name.answered, profiles.gone.size, devices.gone.size]
  }

  /** Waits until one more write of each kind is confirmed. On a slow machine, this can take longer than a second. */
  async function eachOnce(): Promise<void> {
    const before = answered()
    await expect
      .poll(() => answered().every((count, kind) => count > (before[kind] ?? 0)), { timeout: 120_000 })
      .toBe(true)
  }

  /** Repeats the work until the service is gone. */
  async function again(work: (turn: number) => Promise<boolean>): Promise<void> {
    let turn = 0
    while (await work(turn)) turn += 1
  }

  async function register(kill: number): Promise<void> {
    const visitor = Person.visitor(installation.origin)
    await again(async (turn) => {
      const email = `person-${kill}-${turn}@ondine.test`
      const done = await visitor.write('POST', '/proxy/createAccount', {
        email,
        password: PASSWORD,
        passwordConfirm: PASSWORD,
        firstName: 'Zoé',
        lastName: 'd’Aubigné',
        title: 'Mme.',
        phoneNumber: '0612345678',
        dateofbirth: '1990-02-28',
        language: 'fra',
        allowNews: '0',
        acceptTerms: '1',
        addressStreet: 'Rue de la Mer',
        addressSecondStreet: '-',
        addressThirdStreet: '-',
        addressNumber: '12',
        addressCity: 'Saint-Malo',
        addressState: '',
        addressZip: '35400',
        addressCountry: 'FR',
      })
      if (done) registered.add(email)
      return done
    })
  }

  async function agree(person: Person): Promise<void> {
    const additionalInformation = (version: number) =>
      JSON.stringify({ consent_status: 'accepted', consent_version: `text ${version}` })
    await again(
      async () =>
        await consent.next(
          async (version) =>
            await person.write('POST', '/proxy/changeDetails', {
              additionalInformation: additionalInformation(version),
            }),
        ),
    )
  }

  async function rename(person: Person, id: number): Promise<void> {
    await again(
      async () =>
        await name.next(
          async (value) =>
            await person.write('PUT', `/crm/profile/${id}`, { name: `Camille ${value}`, language: 'fra' }),
        ),
    )
  }

  async function comeAndGo(person: Person, kill: number): Promise<void> {
    await again(async (turn) => {
      const made = `Lou ${kill} ${turn}`
      if (!(await person.write('POST', '/crm/profile', { name: made, language: 'fra' }))) return false
      profiles.sure.add(made)
      const list = await person
        .call<{ id: number; name: string }[]>('GET', '/crm/profile')
        .catch((error: unknown) => {
          if (isGone(error)) return []
          throw error
        })
      const found = list.find((profile) => profile.name === made)
      if (found === undefined) return false
      profiles.sure.delete(made)
      if (!(await person.write('DELETE', `/crm/profile/${found.id}`, {}))) return false
      profiles.gone.add(made)
      return true
    })
  }

  async function plugIn(person: Person, kill: number): Promise<void> {
    await again(async (turn) => {
      const uniqueId = `device-${kill}-${turn}`
      // Signs in anew for each device, because the removal of a device ends the sign-in on this device.
      const owner = await Person.trySigningIn(installation.origin)
      if (!(await owner?.write('POST', '/proxy/casAddDevice', { deviceUniqueId: uniqueId }))) return false
      devices.sure.add(uniqueId)
      const last = (
        await listDevices(person).catch((error: unknown) => {
          if (isGone(error)) return []
          throw error
        })
      ).find((device) => device.uniqueDeviceId === uniqueId)
      if (last === undefined) return false
      devices.sure.delete(uniqueId)
      const fields = { casDeviceId: String(last.casDeviceId) }
      if (!(await person.write('POST', '/proxy/casRemoveDevice', fields))) return false
      devices.gone.add(uniqueId)
      return true
    })
  }

  async function listDevices(person: Person): Promise<{ uniqueDeviceId: string; casDeviceId: number }[]> {
    return await person.call('POST', '/proxy/casAvailableDevice')
  }

  /**
   * Compares the stored data with the confirmed writes. @returns the person who continues with the writes,
   * and the profile to rename
   */
  async function check(): Promise<{ person: Person; profileId: number }> {
    const person = await Person.signIn(installation.origin)
    const details = await person.call<{ additionalInformation: { consent_version: string } }>(
      'POST',
      '/proxy/accountDetails',
    )
    consent.check(numberIn(details.additionalInformation.consent_version), 'the consent')
    const kept = await person.call<{ id: number; name: string; default: boolean }[]>('GET', '/crm/profile')
    const own = kept.find((profile) => profile.default)
    name.check(numberIn(own?.name ?? ''), 'the name of a profile')
    profiles.check(
      kept.map((profile) => profile.name),
      'a profile',
    )
    const plugged = await listDevices(person)
    devices.check(
      plugged.map(({ uniqueDeviceId }) => uniqueDeviceId),
      'a device',
    )
    // Removes the remaining devices and profiles, because an account may have only a limited number.
    for (const { casDeviceId, uniqueDeviceId } of plugged) {
      await person.call('POST', '/proxy/casRemoveDevice', { casDeviceId: String(casDeviceId) })
      devices.sure.delete(uniqueDeviceId)
    }
    for (const profile of kept.filter((each) => !each.default)) {
      await person.call('DELETE', `/crm/profile/${profile.id}`)
      profiles.sure.delete(profile.name)
    }
    return { person, profileId: own?.id ?? 0 }
  }

  it(`keeps every answered registration, consent, profile and device, over ${KILLS} kills`, {
    timeout: LIMIT_MS,
  }, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await installation.start()
      const { person, profileId } = await check()
      const working = Promise.all([
        register(kill),
        agree(person),
        rename(person, profileId),
        comeAndGo(person, kill),
        plugIn(person, kill),
      ])
      const moment = kill % 5 === 0 ? eachOnce() : delay(50 + ((kill * 97) % 900))
      await Promise.all([working, moment.then(async () => await installation.kill('SIGKILL'))])
    }

    await installation.start()
    await check()
    expect(Math.min(...answered())).toBeGreaterThan(0)
    const visitor = Person.visitor(installation.origin)
    for (const email of registered) expect((await visitor.trySignIn(email)).error?.code, email).toBe(-2334)
    // Every confirmed registration leads to an e-mail.
    await expect
      .poll(
        async () => {
          const reached = await readersIn(join(installation.dataDir, 'outbox'))
          return [...registered].filter((email) => !reached.has(email)).length
        },
        {
          timeout: 240_000,
          interval: 1000,
        },
      )
      .toBe(0)
  })
})

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

/** Returns the addresses that received an e-mail. */
async function readersIn(folder: string): Promise<Set<string>> {
  const names = (await readdir(folder)).filter((each) => /^[^.].*\.txt$/.test(each))
  const texts = await Promise.all(names.map(async (each) => await readFile(join(folder, each), 'utf8')))
  return new Set(texts.flatMap((text) => /^To: (.*)$/m.exec(text)?.[1] ?? []))
}
