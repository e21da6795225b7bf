import { oauthToken } from '@ondine/contract/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Actor, type ActorOptions, buildersOf } from './builders.ts'
import { type DatabaseKind, startTestService, type TestService, type Tokens } from './service.ts'

/** The password of every account that tests make. */
export const PASSWORD = 'Ondine-2026!'

/** What a test is played in. */
export interface TestScene {
  service: TestService
  make: ReturnType<typeof buildersOf>
  /** Somebody new for each test, signed in. */
  actor: Actor
  signIn(username: string, password?: string): ReturnType<typeof signIn>
  /** The tokens of who signs in with a password: without those of a profile. */
  signedIn(username: string, password?: string): Promise<Tokens>
}

const signIn = async ({ service }: Pick<TestScene, 'service'>, username: string, password = PASSWORD) =>
  await service.call(oauthToken, { username, password, grant_type: 'password' })

/**
 * A service for the tests of a block, and somebody new for each of them. Both are there once the tests run.
 *
 * @param prepared what all tests of the block find there
 */
export function testScene(
  kind: DatabaseKind,
  { actor, prepared }: { actor?: ActorOptions; prepared?: (scene: TestScene) => Promise<void> } = {},
): TestScene {
  const scene = {
    signIn: async (username, password) => await signIn(scene, username, password),
    signedIn: async (username, password) => ({
      'x-auth-token': (await signIn(scene, username, password)).result.access_token,
    }),
  } as TestScene
  beforeAll(async () => {
    scene.service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    scene.make = buildersOf(scene.service.context)
    await prepared?.(scene)
  })
  beforeEach(async () => {
    scene.actor = await scene.make.actor(actor)
  })
  afterAll(async () => await scene.service.remove())
  return scene
}
