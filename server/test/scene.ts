import { oauthToken } from '@ondine/contract/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Settings } from '../src/env.ts'
import { type Actor, type ActorOptions, buildersOf, PASSWORD } from './builders.ts'
import { type DatabaseKind, NOON, startTestService, type TestService } from './service.ts'

/** Environment of a test. Its fields are set before the tests run. */
export class TestScene {
  service!: TestService
  make!: ReturnType<typeof buildersOf>
  /** A new, signed-in account for each test. */
  actor!: Actor

  /** Runs `work` with the clock set to `time`, and then sets the clock to noon. */
  readonly at = async <Answer>(time: number, work: () => Promise<Answer>): Promise<Answer> => {
    this.service.clock.set(time)
    try {
      return await work()
    } finally {
      this.service.clock.set(NOON)
    }
  }

  async signIn(username: string, password = PASSWORD) {
    return await this.service.call(oauthToken, { username, password, grant_type: 'password' })
  }

  /** Signs in with a password. @returns the account token, without a profile token */
  async signedIn(username: string, password = PASSWORD): Promise<{ 'x-auth-token': string }> {
    return { 'x-auth-token': (await this.signIn(username, password)).result.access_token }
  }
}

/**
 * Creates a service for the tests of a `describe` block, with a new account for each test.
 *
 * @param prepared sets up the data that all tests of the block share
 */
export function testScene(
  kind: DatabaseKind,
  {
    actor,
    prepared,
    settings = {},
  }: {
    actor?: ActorOptions
    prepared?: (scene: TestScene) => Promise<void>
    settings?: Partial<Settings>
  } = {},
): TestScene {
  const scene = new TestScene()
  beforeAll(async () => {
    scene.service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000, ...settings })
    scene.make = buildersOf(scene.service.context)
    await prepared?.(scene)
  })
  beforeEach(async () => {
    scene.actor = await scene.make.actor(actor)
  })
  afterAll(async () => await scene.service.remove())
  return scene
}
