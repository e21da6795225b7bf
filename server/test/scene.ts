import { oauthToken } from '@ondine/contract/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Settings } from '../src/env.ts'
import { type Actor, type ActorOptions, buildersOf } from './builders.ts'
import { type DatabaseKind, startTestService, type TestService } from './service.ts'

/** The password of every account that tests make. */
export const PASSWORD = 'Ondine-2026!'

/** What a test is played in. What it holds is there once the tests run. */
export class TestScene {
  service!: TestService
  make!: ReturnType<typeof buildersOf>
  /** Somebody new for each test, signed in. */
  actor!: Actor

  async signIn(username: string, password = PASSWORD) {
    return await this.service.call(oauthToken, { username, password, grant_type: 'password' })
  }

  /** The tokens of who signs in with a password: without those of a profile. */
  async signedIn(username: string, password = PASSWORD): Promise<{ 'x-auth-token': string }> {
    return { 'x-auth-token': (await this.signIn(username, password)).result.access_token }
  }
}

/**
 * A service for the tests of a block, and somebody new for each of them.
 *
 * @param prepared what all tests of the block find there
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
