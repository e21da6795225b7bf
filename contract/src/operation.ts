import type * as z from 'zod'
import type { ErrorName } from './errors.ts'

/**
 * Who may make a call. `visitor`: anyone. `account`: a signed-in account. `profile`: a signed-in account with an
 * active profile. `operator`: the people who run the service.
 */
export type Caller = 'visitor' | 'account' | 'profile' | 'operator'

/**
 * Whether a child profile may make a call of a signed-in account. `with-code`: make it with the proof of the parental
 * code only, else the answer is -1612 (decision 46). `allowed`: make it as anybody does.
 */
export type ChildAccess = 'with-code' | 'allowed'

/** The definition of one call, which server, clients and documentation all use. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  As extends Caller = Caller,
> {
  /** Its name: the last segment of its path, or a readable one where the path has parameters. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify-style path; `:name` parameters are fields of `input`. */
  path: string
  as: As
  /** Whether a child profile may make the call. Default: `with-code` for every call of an account or a profile. */
  child: ChildAccess
  /** One sentence for the documentation page. */
  summary: string
  /** Fields by name. On the wire every value is a string (V7-02); `wire.ts` has the schemas that read them. */
  input: Input
  /** What `result` holds when `status` is true. */
  output: Output
  /** The errors of its own that a caller should expect, besides those that any call can have. */
  errors: readonly ErrorName[]
  /**
   * `envelope` (V7, default); `bare`: an answer that another standard fixes, such as OAuth 2; `file`: the bytes of a
   * file. Errors come in the envelope always.
   */
  answer: 'envelope' | 'bare' | 'file'
  /** What a client takes for the answer when none came: such a call is never an error (A8.3-04). */
  otherwise?: z.output<Output>
}

type Definition<Input extends z.ZodObject, Output extends z.ZodType, As extends Caller> = Omit<
  Operation<Input, Output, As>,
  'name' | 'errors' | 'answer' | 'child'
> & {
  name?: string
  errors?: readonly ErrorName[]
  answer?: Operation['answer']
} & (As extends 'account' | 'profile' ? ChildRule<Input> : unknown)

/** A call without the field `parentalProof` has to say that a child may make it: nothing is open to children by accident. */
type ChildRule<Input extends z.ZodObject> = 'parentalProof' extends keyof Input['shape']
  ? { child?: ChildAccess }
  : { child: 'allowed' }

/**
 * Defines a call. A child's profile may not make it without the parental code, unless `child` says so.
 *
 * @example
 * export const testAsset = operation({
 *   method: 'POST', path: '/proxy/testAsset', as: 'profile', child: 'allowed', summary: '…',
 *   input: z.object({ idAsset: id }), output: z.object({ … }), errors: ['noViewingRights'],
 * })
 */
export function operation<Input extends z.ZodObject, Output extends z.ZodType, As extends Caller>(
  definition: Definition<Input, Output, As>,
): Operation<Input, Output, As> {
  const last = definition.path.split('/').findLast((segment) => segment !== '' && !segment.startsWith(':'))
  const isOfAccount = definition.as === 'account' || definition.as === 'profile'
  return {
    errors: [],
    answer: 'envelope',
    child: isOfAccount ? 'with-code' : 'allowed',
    ...definition,
    name: definition.name ?? last ?? definition.path,
  }
}

/** What a caller passes: the values as the program has them, before they become strings. */
export type InputOf<O> = O extends Operation<infer Input> ? z.output<Input> : never

/** What a caller gets. */
export type OutputOf<O> = O extends Operation<z.ZodObject, infer Output> ? z.output<Output> : never

/** The answer to every enveloped call (V8). */
export type Envelope<Result> = { status: true; result: Result } | { status: false; error: WireError }

/** An error on the wire. `code` is negative; `details` says more where there is more to say. */
export interface WireError {
  code: number
  message: string
  details: ErrorDetails | null
}

/** What can stand in an error's details; each part is optional. */
export interface ErrorDetails {
  /** The fields of the input that were wrong, with the reason of each. */
  fields?: { field: string; message: string }[]
  /** Identifies the call in the logs and traces of the service (W3C Trace Context). */
  traceparent?: string
  /** Offers that would unlock the content (decision 16). */
  offers?: { idOption: number; title: string }[]
  /** Seconds until it is worth trying again. */
  retryAfterSeconds?: number
  /** With -440: what plays where. The title is empty where the profile that asks may not see it. */
  sessions?: { device: string; title: string }[]
}
