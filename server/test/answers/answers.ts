import type { ErrorName } from '@ondine/contract/errors'
import type { Operation } from '@ondine/contract/operation'
import { setParentalCode } from '../../src/features/people/parental/parental.service.ts'
import type { Actor, buildersOf } from '../builders.ts'
import type { TestProvider } from '../identity-provider.ts'
import { NOON, type TestService, type Tokens } from '../service.ts'

/** The fields of a call as they are sent. */
export type Fields = Record<string, string>

/** Environment of a call, with a new account. */
export interface Scene {
  service: TestService
  make: ReturnType<typeof buildersOf>
  actor: Actor
  /** Headers with a separate client address, so that calls do not share limits. */
  client: Tokens
  provider: TestProvider
  /** Changes the configuration until the call is answered. */
  configure(fields: Record<string, unknown>): Promise<void>
}

/**
 * What a preparation changes in a call: fields that replace the case's fields, and tokens that replace the actor's
 * tokens.
 */
type Ready = { fields?: Fields; tokens?: Tokens }

/** Prepares the data that a single call needs. */
export type Given = (scene: Scene) => Promise<Ready | undefined>

/** A call that gives a certain answer. */
export interface Case {
  fields?: Fields
  given?: Given
  /** Number of preceding calls by the same client, which give other answers. */
  times?: number
  /** Returns the fields in which the preceding calls differ. */
  each?: (turn: number) => Fields
}

/** A call, with a case for each of its answers. Answers that all calls have in common are omitted. */
export interface Row {
  operation: Operation
  answers: { success: Case } & Partial<Record<ErrorName, Case>>
}

export function row(
  operation: Operation,
  success: Case,
  refused: Partial<Record<ErrorName, Case>> = {},
): Row {
  return { operation, answers: { success, ...refused } }
}

/** Returns a preparation that changes the configuration. */
export function configured(fields: Record<string, unknown>): Given {
  return async ({ configure }) => {
    await configure(fields)
    return undefined
  }
}

/** Parental code of accounts in these tests. */
export const CODE = '2580'

/** Sets an account's parental code. */
export async function withCode({ service }: Scene, { account }: Actor): Promise<void> {
  await setParentalCode(service.context.db, account.id, { code: CODE, current: undefined }, NOON)
}
