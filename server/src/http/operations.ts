import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connection.ts'
import { invalidFields, ServiceError } from './errors.ts'
import { type ActiveProfile, CARRIERS, type Principal, readPrincipal, type Verify } from './principal.ts'
import { SharedAnswers } from './shared-answers.ts'

/** The face of the service that a call is made to. */
export interface Storefront {
  id: number
  apiKey: string
  name: string
  demonstration: boolean
}

type Account = NonNullable<Principal['account']>

/** What a handler knows of its call. `account` and `profile` are there when the operation asks for them. */
export interface Call<As extends Operation['as'] = Operation['as']> {
  db: Database
  /** Milliseconds since the Unix epoch; the same all through the call. */
  now: number
  language: Language
  storefront: Storefront
  account: As extends 'account' | 'profile' ? Account : Account | null
  profile: As extends 'profile' ? ActiveProfile : ActiveProfile | null
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<O extends Operation> = (
  input: InputOf<O>,
  call: Call<O['as']>,
) => OutputOf<O> | Promise<OutputOf<O>>

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
  /** How long an answer may be shared among visitors, in seconds. */
  sharedSeconds: number
  /** Hold every answer against its schema: in tests, where a mismatch is an error. */
  checkAnswers: boolean
}

/**
 * The ladder that every call climbs: authenticate, validate, hand over, present. Limits come before it, as Fastify
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
        const principal = authenticate(request, operation, options.verify)
        const storefront = identify(request, principal, operation, options)
        const input = validate(operation, fields)
        const now = options.clock.now()
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
              request,
              reply,
              // `authenticate` has refused callers without what `operation.as` asks for.
            } as Parameters<typeof handler>[1],
          )
          if (options.checkAnswers) operation.output.parse(result)
          return operation.answer === 'bare' ? result : { status: true, result }
        }
        if (!sharedAmongVisitors || principal.account) return await answer()
        const key = JSON.stringify([operation.name, storefront.id, language, input])
        const body = await shared.get(key, now, async () => JSON.stringify(await answer()))
        return reply.type('application/json; charset=utf-8').send(body)
      },
    })
  }
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

function authenticate(request: FastifyRequest, operation: Operation, verify: Verify): Principal {
  const principal = readPrincipal(request, verify)
  if (operation.as === 'operator') throw new ServiceError('forbidden')
  if (operation.as !== 'visitor' && !principal.account) throw new ServiceError('tokenInvalid')
  if (operation.as === 'profile' && !principal.profile) throw new ServiceError('tokenInvalid')
  return principal
}

function identify(
  request: FastifyRequest,
  principal: Principal,
  operation: Operation,
  options: LadderOptions,
): Storefront {
  const key = request.headers[CARRIERS.storefront.header]
  // Another site can make a browser send its cookies, but not this header: so it keeps cross-site requests out.
  if (key === undefined && principal.byCookie && operation.method !== 'GET')
    throw new ServiceError('forbidden')
  const storefront = options.storefrontOf(typeof key === 'string' ? key : undefined)
  if (!storefront) throw new ServiceError('unknownStorefront')
  if (principal.account && principal.account.storefrontId !== storefront.id)
    throw new ServiceError('tokenInvalid')
  return storefront
}

function validate(operation: Operation, fields: Record<string, unknown>): unknown {
  const parsed = operation.input.safeParse(fields)
  if (parsed.success) return parsed.data
  throw invalidFields(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  )
}
