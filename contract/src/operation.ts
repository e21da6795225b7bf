import type * as z from 'zod'
import type { ErrorName } from './errors.ts'

/**
 * The required identity of a caller. `visitor`: anyone. `account`: a signed-in account. `profile`: a signed-in account
 * with an active profile. `operator`: the people who run the service.
 */
export type RequiredCaller = 'visitor' | 'account' | 'profile' | 'operator'

/**
 * Whether a child's profile may make a call of a signed-in account. `allowed`: yes, like any other profile.
 * `with-code`: only with the proof of the parental code; without the proof, the answer is -1612 (spec 46).
 */
type ChildAccess = 'with-code' | 'allowed'

/** The definition of a call. Server, clients and documentation all use it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  As extends RequiredCaller = RequiredCaller,
> {
  /** The name of the call: the last segment of its path, or a readable name if the path has parameters. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify-style path; `:name` parameters are fields of `input`. */
  path: string
  as: As
  /** Whether a child's profile may make the call. Default: `with-code` for every call of an account or a profile. */
  child: ChildAccess
  /** One sentence for the documentation page. */
  summary: string
  /** Fields by name. On the wire every value is a string (V7-02). `wire.ts` has the schemas that parse them. */
  input: Input
  /** Schema of `result` if `status` is true. */
  output: Output
  /** The errors of this call that a caller should expect, besides those that any call can return. */
  errors: readonly ErrorName[]
  /**
   * The form of the answer. `envelope`: the envelope of V7, the default. `bare`: the form that another standard
   * defines, such as OAuth 2. `file`: the bytes of a file. Errors always come in the envelope.
   */
  answer: 'envelope' | 'bare' | 'file'
  /**
   * The result that a client uses if the call fails. If this field is set, the call never fails for the client
   * (A8.3-04).
   */
  otherwise?: z.output<Output>
}

type Definition<Input extends z.ZodObject, Output extends z.ZodType, As extends RequiredCaller> = Omit<
  Operation<Input, Output, As>,
  'name' | 'errors' | 'answer' | 'child'
> & {
  name?: string
  errors?: readonly ErrorName[]
  answer?: Operation['answer']
} & (As extends 'account' | 'profile' ? ChildRule<Input> : unknown)

/**
 * Requires an explicit `child: 'allowed'` in the definition of a call without the field `parentalProof`. Thus no
 * call becomes available to children by accident.
 */
type ChildRule<Input extends z.ZodObject> = 'parentalProof' extends keyof Input['shape']
  ? { child?: ChildAccess }
  : { child: 'allowed' }

/**
 * Defines a call. By default, a child's profile needs the parental code for the call. `child: 'allowed'` lifts
 * this rule.
 *
 * @example
 * export const testAsset = operation({
 *   method: 'POST', path: '/proxy/testAsset', as: 'profile', child: 'allowed', summary: '…',
 *   input: z.object({ idAsset: id }), output: z.object({ … }), errors: ['noViewingRights'],
 * })
 */
export function operation<Input extends z.ZodObject, Output extends z.ZodType, As extends RequiredCaller>(
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

/** The input of a call as typed values, before they are encoded as strings. */
export type InputOf<O> = O extends Operation<infer Input> ? z.output<Input> : never

/** The result of a call. */
export type OutputOf<O> = O extends Operation<z.ZodObject, infer Output> ? z.output<Output> : never

/** The answer to every enveloped call (V8). */
export type Envelope<Result> = { status: true; result: Result } | { status: false; error: WireError }

/** An error on the wire. `code` is negative; `details` has further information, if any. */
export interface WireError {
  code: number
  message: string
  details: ErrorDetails | null
}

/** The details of an error. All are optional. */
export interface ErrorDetails {
  /** The invalid input fields, with the reason for each. */
  fields?: { field: string; message: string }[]
  /** Identifies the call in the logs and traces of the service (W3C Trace Context). */
  traceparent?: string
  /** Offers that would give access to the content (spec 16). */
  offers?: { idOption: number; title: string }[]
  /** Seconds after which a retry is worthwhile. */
  retryAfterSeconds?: number
  /**
   * With -1605: when the content becomes available, in seconds since the Unix epoch. Omitted if the content's
   * availability has ended, or if the viewer has no right to the content.
   */
  availableFrom?: number
  /** With -440: the current sessions, by device and title. The title is empty if the calling profile may not see it. */
  sessions?: { device: string; title: string }[]
}
