import type { ErrorName } from '@ondine/contract/errors'
import type { Operation } from '@ondine/contract/operation'
import { setParentalCode } from '../../src/features/parental/parental.service.ts'
import type { Actor, buildersOf } from '../builders.ts'
import type { TestProvider } from '../identity-provider.ts'
import { NOON, type TestService, type Tokens } from '../service.ts'

/** The fields of a call as they travel. */
export type Fields = Record<string, string>

/** Where a call is made: an account of its own is there. */
export interface Scene {
  service: TestService
  make: ReturnType<typeof buildersOf>
  actor: Actor
  /** Says where the calls come from: an address of its own, so that what one has used up is no other's. */
  client: Tokens
  provider: TestProvider
  /** Changes the configuration until the call was answered. */
  configure(fields: Record<string, unknown>): Promise<void>
}

/** What is made ready for one call; its fields and tokens stand instead of those that the case and the actor have. */
type Ready = { fields?: Fields; tokens?: Tokens }

/** Makes ready what only one call needs. */
export type Given = (scene: Scene) => Promise<Ready | undefined>

/** One call that is answered in a certain way. */
export interface Case {
  fields?: Fields
  given?: Given
  /** How often the same client is answered otherwise before. */
  times?: number
  /** What differs from time to time. */
  each?: (turn: number) => Fields
}

/** A call, and one case of each answer that it has. What every call answers alike is not among them. */
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

/** With this in the configuration. */
export function configured(fields: Record<string, unknown>): Given {
  return async ({ configure }) => {
    await configure(fields)
    return undefined
  }
}

/** The parental code of whoever has one here. */
export const CODE = '2580'

/** Gives an account its parental code. */
export async function withCode({ service }: Scene, { account }: Actor): Promise<void> {
  await setParentalCode(service.context.db, account.id, { code: CODE, current: undefined }, NOON)
}
