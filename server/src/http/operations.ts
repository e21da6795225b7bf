import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connection.ts'
import { invalidFields, ServiceError } from './errors.ts'
import { PreparedAnswer } from './prepared-answer.ts'
import {
  type ActiveProfile,
  CARRIERS,
  type Operator,
  type Principal,
  readPrincipal,
  tokenHeader,
  type Verify,
  VISITOR,
} from './principal.ts'
import { SharedAnswers } from './shared-answers.ts'

/** The face of the service that a call is made to. */
export interface Storefront {
  id: number
  apiKey: string
  name: string
  demonstration: boolean
}

type Account = NonNullable<Principal['account']>

/** What a handler knows of its call. `account`, `profile` and `operator` are there when the operation asks for them. */
export interface Call<As extends Operation['as'] = Operation['as']> {
  db: Database
  /** Milliseconds since the Unix epoch; the same all through the call. */
  now: number
  language: Language
  storefront: Storefront
  account: As extends 'account' | 'profile' ? Account : Account | null
  profile: As extends 'profile' ? ActiveProfile : ActiveProfile | null
  operator: As extends 'operator' ? Operator : null
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<O extends Operation> = (
  input: InputOf<O>,
  call: Call<O['as']>,
) => OutputOf<O> | PreparedAnswer | Promise<OutputOf<O> | PreparedAnswer>

/** Registers the handler of an operation. */
export type On = <O extends Operation>(operation: O, handler: Handler<O>, options?: HandlerOptions) => void

export interface HandlerOptions {
  /** Visitors who ask the same within a moment get the same answer (`CATALOGUE_CACHE_SECONDS`). */
  sharedAmongVisitors?: boolean
  /** Somebody is watching already and needs it to go on: it is answered however busy the service is. */
  keepsWatching?: boolean
}

/** What the ladder needs to know of the service. */
export interface LadderOptions {
  db: Database
  clock: Clock
  verify: Verify
  storefrontOf(apiKey: string | undefined): Storefront | undefined
  operatorOf(token: string): Promise<Operator | undefined>
  /** Changes with everything that operators change of a storefront: what was answered before is then not shared any more. */
  editionOf(storefront: Storefront): string
  /** How long an answer may be shared among visitors, in seconds. */
  sharedSeconds: number
  /** Hold every answer against its schema: in tests, where a mismatch is an error. */
  checkAnswers: boolean
  /** Waits for word of every change that was made before, where answers may not lag behind by a millisecond. */
  settled?: () => Promise<void>
}

/**
 * The ladder that every call climbs: identify, authorise, validate, hand over, present. Limits come before it, as Fastify
 * hooks; transactions and entitlement come after it, in the handlers' services.
 */
export function operationsOf(app: FastifyInstance, options: LadderOptions): On {
  const shared = new SharedAnswers(options.sharedSeconds)
  return (operation, handler, { sharedAmongVisitors = false, keepsWatching = false } = {}) => {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation: operation.name, refusedWhenBusy: !keepsWatching },
      handler: async (request, reply) => {
        const { fields, language } = readFields(request, operation)
        request.language = language
        const { principal, storefront } = identify(request, operation, options)
        authorise(principal, operation)
        const operator = operation.as === 'operator' ? await requireOperator(request, options) : null
        const input = validate(operation, fields)
        const now = options.clock.now()
        await options.settled?.()
        const answer = async () => {
          const result = await handler(
            input as Parameters<typeof handler>[0],
            {
              db: options.db,
              now,
              language,
              storefront,
              account: principal.account,
              profile: principal.profile,
              operator,
              request,
              reply,
              // `authorise` has refused callers without what `operation.as` asks for.
            } as Parameters<typeof handler>[1],
          )
          if (options.checkAnswers) operation.output.parse(plain(result))
          if (result instanceof PreparedAnswer)
            return reply.type('application/json; charset=utf-8').send(result.body)
          return operation.answer === 'envelope' ? { status: true, result } : result
        }
        if (!sharedAmongVisitors || principal.account) return await answer()
        const key = JSON.stringify([operation.name, options.editionOf(storefront), language, input])
        const body = await shared.get(key, now, async () => JSON.stringify(await answer()))
        return reply.type('application/json; charset=utf-8').send(body)
      },
    })
  }
}

function plain(result: unknown): unknown {
  return result instanceof PreparedAnswer ? JSON.parse(result.body.toString()).result : result
}

function readFields(request: FastifyRequest, operation: Operation) {
  const sent = operation.method === 'GET' ? request.query : request.body
  const fields = {
    ...(typeof sent === 'object' ? sent : {}),
    ...(request.params as Record<string, string>),
  } as Record<string, unknown>
  const code = fields.languageId
  if (code !== undefined && (typeof code !== 'string' || !isLanguage(code))) {
    throw invalidFields([{ field: 'languageId', message: 'is not a known language code' }])
  }
  return { fields, language: code ?? DEFAULT_LANGUAGE }
}

/** Who calls, and which storefront. */
function identify(
  request: FastifyRequest,
  operation: Operation,
  options: LadderOptions,
): { principal: Principal; storefront: Storefront } {
  const principal = readPrincipal(request, options.verify)
  const key = request.headers[CARRIERS.storefront.header]
  // Another site can make a browser send its cookies, but not this header: so it keeps cross-site requests out.
  if (key === undefined && principal.byCookie && operation.method !== 'GET')
    throw new ServiceError('forbidden')
  const storefront = options.storefrontOf(typeof key === 'string' ? key : undefined)
  if (!storefront) throw new ServiceError('unknownStorefront')
  if (!principal.account || principal.account.storefrontId === storefront.id) return { principal, storefront }
  // Storefronts on one host share its cookies: who is signed in to another one is a visitor here.
  if (principal.byCookie) return { principal: VISITOR, storefront }
  throw new ServiceError('tokenInvalid')
}

function authorise(principal: Principal, { as }: Operation): void {
  if (as === 'visitor' || as === 'operator') return
  if (!principal.account) throw new ServiceError('tokenInvalid')
  if (as === 'profile' && !principal.profile) throw new ServiceError('tokenInvalid')
}

/** An operator shows a token in a header of its own: no cookie makes anybody an operator. */
async function requireOperator(request: FastifyRequest, options: LadderOptions): Promise<Operator> {
  const token = tokenHeader(request, CARRIERS.operator.header)
  const operator = token === undefined ? undefined : await options.operatorOf(token)
  if (!operator) throw new ServiceError('forbidden')
  return operator
}

function validate(operation: Operation, fields: Record<string, unknown>): unknown {
  const parsed = operation.input.safeParse(fields)
  if (parsed.success) return parsed.data
  throw invalidFields(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  )
}
