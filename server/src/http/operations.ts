import { downloadAsset, downloadLicence, releaseDownload } from '@ondine/contract/downloads'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connection.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { endSpan, type Tracing } from '../telemetry/tracing.ts'
import { invalidFields, ServiceError } from './errors.ts'
import type { FaultOf } from './faults.ts'
import { PreparedAnswer, WrittenAnswer } from './prepared-answer.ts'
import {
  type ActiveProfile,
  CARRIERS,
  type Operator,
  type Principal,
  principalAt,
  readPrincipal,
  type SignIns,
  type TokenCarrier,
  tokenHeader,
  type Verify,
} from './principal.ts'
import { SharedAnswers } from './shared-answers.ts'

/** The storefront that a call is made to. */
export interface Storefront {
  id: number
  apiKey: string
  name: string
  demonstration: boolean
}

type Account = NonNullable<Principal['account']>

/**
 * A call, as its handler receives it. `account`, `profile` and `operator` are set when the operation requires
 * them.
 */
export interface Call<As extends Operation['as'] = Operation['as']> {
  db: Database
  /** Milliseconds since the Unix epoch. Constant during the call. */
  now: number
  language: Language
  storefront: Storefront
  account: As extends 'account' | 'profile' ? Account : Account | null
  profile: As extends 'profile' ? ActiveProfile : ActiveProfile | null
  operator: As extends 'operator' ? Operator : null
  /** The calling device, according to its token. The device may have been removed since the token was issued. */
  device: { id: number } | null
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<O extends Operation> = (
  input: InputOf<O>,
  call: Call<O['as']>,
) => OutputOf<O> | PreparedAnswer | Promise<OutputOf<O> | PreparedAnswer>

/** Registers the handler of an operation. */
export type On = <O extends Operation>(operation: O, handler: Handler<O>, options?: HandlerOptions) => void

interface HandlerOptions {
  /**
   * Whether viewers who are not signed in share an answer if their input is the same, for a moment
   * (`CATALOGUE_CACHE_SECONDS`).
   */
  sharedAmongVisitors?: boolean
  /**
   * Whether a viewer who is already watching needs this call to continue watching. Such a call is never refused
   * because of load.
   */
  keepsWatching?: boolean
  /**
   * Whether the call renews or ends a sign-in. The call then ignores an invalid account token in a header, which
   * other calls refuse.
   */
  takesEndedTokens?: boolean
}

/** The parts of the service that the ladder depends on. */
export interface LadderOptions {
  db: Database
  clock: Clock
  verify: Verify
  signIns: SignIns
  storefrontOf(apiKey: string | undefined): Storefront | undefined
  operatorOf(token: string): Promise<Operator | undefined>
  /**
   * @throws ServiceError `invalidAccessCode` if a child's profile calls without a proof of the parental code (spec
   * 46)
   */
  requireGrownUp(caller: Pick<Principal, 'account' | 'profile'>, proof: unknown, now: number): Promise<void>
  /**
   * Returns a text that changes whenever operators change anything in the storefront. Answers made before such a
   * change are no longer shared.
   */
  editionOf(storefront: Storefront): string
  /** How long an answer may be shared among viewers who are not signed in, in seconds. */
  sharedSeconds: number
  /** Whether to validate every answer against its schema. Tests set this. A mismatch is then an error. */
  checkAnswers: boolean
  /**
   * Waits until this process has received every earlier change. Set only if answers must include every earlier
   * change.
   */
  settled?: () => Promise<void>
  tracing: Tracing
  metrics: Metrics
  faultOf: FaultOf
}

/**
 * Registers a handler for a call that only web pages make, inside the process. The call is not an operation of the
 * contract.
 */
export type OnInside = (
  method: string,
  path: string,
  name: string,
  answer: (asked: InsideAsked) => Promise<WrittenAnswer>,
) => void

/**
 * Answers a call that a web page makes inside the process while the page is rendered. Throws if pages cannot make the
 * call, such as an operator's call.
 */
export type AnswerInside = (call: InsideCall, page: Page) => Promise<InsideAnswer>

/** A call that a web page makes while the server renders it. It is not an HTTP request. */
interface InsideCall {
  method: string
  /** The path of the route, with the names of its parameters in place of values. */
  path: string
  fields: Record<string, unknown>
  /** API key of the storefront. */
  apiKey: string | undefined
  traceparent?: string
}

/**
 * The answer to a page's call: an HTTP status, and the object that the body would contain. Callers may share
 * the object and must not change it.
 */
interface InsideAnswer {
  status: number
  envelope: unknown
}

/** The HTTP request for a web page, and its reply. Calls that the page makes inside the process use both. */
interface Page {
  request: FastifyRequest
  reply: FastifyReply
}

/** The fields of a call, and its caller. */
interface InsideAsked {
  fields: Record<string, unknown>
  caller: TokenCarrier
  /** API key of the storefront. */
  apiKey: string | undefined
}

interface Asked extends InsideAsked, Page {
  language: Language
}

/** The answer of a call, ready to be sent or to be read in the process. */
type Answer = PreparedAnswer | WrittenAnswer

/**
 * Builds the ladder, the steps of every call: identify, authorise, validate, handle, present. Limits run before
 * the ladder, as Fastify hooks. Transactions and entitlement checks run in the services that the handlers call. A
 * page's calls run through the ladder inside the process, without an HTTP request per call, and with the identity
 * of the request for the page (docs/decisions/0019).
 */
export function operationsOf(
  app: FastifyInstance,
  options: LadderOptions,
): { on: On; onInside: OnInside; inside: AnswerInside } {
  const shared = new SharedAnswers<Answer>(options.sharedSeconds)
  const ladders = new Map<string, { name: string; climb: (asked: Asked) => Promise<Answer> }>()

  const on: On = (operation, handler, handling = {}) => {
    const { sharedAmongVisitors = false, keepsWatching = false, takesEndedTokens = false } = handling
    const climb = async ({ fields, language, caller, apiKey, request, reply }: Asked): Promise<Answer> => {
      const { principal, storefront } = identify(caller, apiKey, operation, takesEndedTokens, options)
      authorise(principal, operation)
      const operator = operation.as === 'operator' ? await requireOperator(request, options) : null
      const now = options.clock.now()
      await options.settled?.()
      // Runs before validation, so that the errors of validation tell a child's profile nothing about the call.
      if (operation.child === 'with-code') await options.requireGrownUp(principal, fields.parentalProof, now)
      const input = validate(operation, fields)
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
            device: principal.device,
            operator,
            request,
            reply,
            // `authorise` has already refused callers without the identity that `operation.as` requires.
          } as Parameters<typeof handler>[1],
        )
        if (options.checkAnswers) operation.output.parse(plain(result))
        if (result instanceof PreparedAnswer) return result
        return new WrittenAnswer(operation.answer === 'envelope' ? { status: true, result } : result)
      }
      if (!sharedAmongVisitors || principal.account) return await answer()
      const key = JSON.stringify([operation.name, options.editionOf(storefront), language, input])
      return await shared.get(key, now, answer)
    }
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation: operation.name, loadShedding: !keepsWatching },
      handler: async (request, reply) => {
        const sent = operation.method === 'GET' ? request.query : request.body
        const fields: Record<string, unknown> = {
          ...(typeof sent === 'object' ? sent : {}),
          ...(request.params as Record<string, string>),
        }
        const language = languageOf(fields)
        request.language = language
        const apiKey = tokenHeader(request, CARRIERS.storefront.header)
        const answer = await climb({ fields, language, caller: request, apiKey, request, reply })
        if (operation.answer === 'file') return answer.envelope
        reply.type('application/json; charset=utf-8')
        if (answer instanceof WrittenAnswer) return reply.send(answer.body)
        const { body, packing } = await answer.bodyFor(request.headers['accept-encoding'])
        if (packing !== undefined) reply.header('content-encoding', packing)
        return reply.header('vary', 'accept-encoding').send(body)
      },
    })
    if (operation.as !== 'operator') {
      ladders.set(`${operation.method} ${operation.path}`, { name: operation.name, climb })
    }
  }

  const onInside: OnInside = (method, path, name, answer) => {
    ladders.set(`${method} ${path}`, { name, climb: answer })
  }

  const inside: AnswerInside = async ({ method, path, fields, apiKey, traceparent }, page) => {
    const ladder = ladders.get(`${method} ${path}`)
    if (!ladder) throw new Error(`Pages cannot call ${method} ${path}`)
    // Only cookies identify the caller of a page.
    const caller = { headers: {}, cookies: page.request.cookies }
    const call = { language: DEFAULT_LANGUAGE as Language, apiKey }
    return await observed(options, ladder.name, { traceparent }, page.request, call, async () => {
      call.language = languageOf(fields)
      const { envelope } = await ladder.climb({ fields, language: call.language, caller, apiKey, ...page })
      return envelope
    })
  }
  return { on, onInside, inside }
}

/** Runs a call inside the process with the same span, metrics and fault handling as an HTTP request. */
async function observed(
  { tracing, metrics, faultOf }: LadderOptions,
  name: string,
  headers: Record<string, unknown>,
  { log, hostname }: FastifyRequest,
  call: { language: Language; apiKey: string | undefined },
  work: () => Promise<unknown>,
): Promise<InsideAnswer> {
  const startedAt = performance.now()
  const span = tracing.begin(name, headers)
  let answer: InsideAnswer
  try {
    answer = { status: 200, envelope: await work() }
  } catch (error) {
    const { status, envelope } = faultOf(error, { log, where: name, span, hostname, ...call })
    answer = { status, envelope }
  }
  endSpan(span, answer.status)
  metrics.calls.observe({ route: name, status: answer.status }, (performance.now() - startedAt) / 1000)
  return answer
}

function plain(result: unknown): unknown {
  return result instanceof PreparedAnswer ? (result.envelope as { result: unknown }).result : result
}

function languageOf({ languageId: code }: Record<string, unknown>): Language {
  if (code === undefined) return DEFAULT_LANGUAGE
  if (typeof code === 'string' && isLanguage(code)) return code
  throw invalidFields([{ field: 'languageId', message: 'is not a known language code' }])
}

/** Returns the caller and the storefront of a call. */
function identify(
  caller: TokenCarrier,
  apiKey: string | undefined,
  operation: Operation,
  takesEndedTokens: boolean,
  options: LadderOptions,
): { principal: Principal; storefront: Storefront } {
  const principal = readPrincipal(caller, options.verify, options.signIns, takesEndedTokens)
  // Another site can make a browser send this site's cookies, but not the header with the API key. Requiring the
  // header blocks cross-site requests.
  if (apiKey === undefined && principal.byCookie && operation.method !== 'GET')
    throw new ServiceError('forbidden')
  const storefront = options.storefrontOf(apiKey)
  if (!storefront) throw new ServiceError('unknownStorefront')
  return { principal: principalAt(storefront, principal), storefront }
}

/**
 * The calls that accept a token lent to a local player. With any other call, the player could do more than
 * download.
 */
const OPEN_TO_LENT: ReadonlySet<string> = new Set(
  [downloadAsset, downloadLicence, releaseDownload].map(({ name }) => name),
)

function authorise(principal: Principal, { as, name }: Operation): void {
  if (principal.account?.isLent === true && !OPEN_TO_LENT.has(name)) throw new ServiceError('tokenInvalid')
  if (as === 'visitor' || as === 'operator') return
  if (!principal.account) throw new ServiceError('tokenInvalid')
  if (as === 'profile' && !principal.profile) throw new ServiceError('tokenInvalid')
}

/** Operators identify themselves by a token in a header. No cookie grants operator rights. */
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
