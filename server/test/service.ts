import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf, WireError } from '@ondine/contract/operation'
import { pino } from 'pino'
import { SettableClock } from '../src/clock.ts'
import { keeperSocketPath } from '../src/control/ownership.ts'
import { readSettings, type Settings } from '../src/env.ts'
import { builtApplication } from '../src/http/web-application.ts'
import { Keeper } from '../src/ingest/live/keeper.ts'
import { createService, type Service } from '../src/service.ts'
import { copyEmbedded, type DatabaseKind, freshPostgres } from './databases.ts'
import { holdAgainstDocument } from './documented-answers.ts'
import { writeTestPages } from './test-pages.ts'

export { DATABASES, type DatabaseKind, MAIN_DB } from './databases.ts'

/** Noon on a winter day, where the tests' clocks start, in milliseconds since the Unix epoch. */
export const NOON = Date.UTC(2026, 0, 15, 12)

/** A service with a separate database and a clock that the test sets. */
export interface TestService extends Service {
  clock: SettableClock
  /** Calls an operation with these headers. */
  call<O extends Operation>(operation: O, input: InputOf<O>, tokens?: Tokens): Promise<Answer<OutputOf<O>>>
  /** Opens another process of the same installation. Not possible with an embedded database. */
  another(): Promise<Service>
  /** Closes the service and removes its data. @throws Error if an answer violated `/openapi.json` */
  remove(): Promise<void>
}

/** Headers that identify the caller. */
export type Tokens = Record<string, string>

interface Answer<Result> {
  status: number
  /** Result of a successful call. */
  result: Result
  /** Error of a refused call. */
  error: WireError
}

/** Fastify's messages about a handler that failed, or answered again, after it had answered. */
const AFTER_THE_ANSWER = /reply\.sent = true|Reply was already sent/

/**
 * Starts a service for a test. Its answers are checked against the contract.
 *
 * @param options.hasPages whether the service also serves pages, which contain the data that the server passed to
 * them (`test-pages.ts`)
 * @param options.route returns the address at which the service connects to PostgreSQL, for the real address
 */
export async function startTestService(
  kind: DatabaseKind = 'embedded',
  overrides: Partial<Settings> = {},
  {
    hasPages = false,
    route = async (url) => url,
  }: { hasPages?: boolean; route?: (url: string) => Promise<string> } = {},
): Promise<TestService> {
  const clock = new SettableClock(NOON)
  const folder = await mkdtemp(join(tmpdir(), 'ondine-test-'))
  const database = kind === 'postgresql' ? await freshPostgres() : undefined
  if (!database) await copyEmbedded(folder)
  const settings = {
    ...readSettings({
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      OVERLOAD_DELAY_MS: '0',
      CATALOGUE_CACHE_SECONDS: '0',
    }),
    ...(database ? { DATABASE_URL: await route(database.url) } : {}),
    ...overrides,
  }
  const late: string[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line) => void (AFTER_THE_ANSWER.test(line) && late.push(line)) },
  )
  const service = await createService({
    settings,
    clock,
    log,
    checkAnswers: true,
    ...(hasPages ? { pages: await builtApplication(await writeTestPages(join(folder, 'web'))) } : {}),
  })
  const held = [holdAgainstDocument(service.app)]
  const others: Service[] = []
  return {
    ...service,
    clock,
    call: async (operation, input, tokens = {}) => await callOperation(service, operation, input, tokens),
    another: async () => {
      if (!database) return service
      const other = await createService({ settings, clock, log, checkAnswers: true })
      held.push(holdAgainstDocument(other.app))
      others.push(other)
      return other
    },
    remove: async () => {
      for (const each of [...others, service]) await each.close()
      // Otherwise the keeper would keep the ffmpegs of live inputs running for the next process.
      await new Keeper(keeperSocketPath(settings.DATA_DIR)).end()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
      const undocumented = held.flat()
      if (undocumented.length > 0)
        throw new Error(`Answers are not as /openapi.json says:\n${undocumented.slice(0, 20).join('\n')}`)
      if (late.length > 0) throw new Error(`Handlers did more after their answer:\n${late.join('')}`)
    },
  }
}

async function callOperation<O extends Operation>(
  { app }: Service,
  operation: O,
  input: InputOf<O>,
  tokens: Tokens,
): Promise<Answer<OutputOf<O>>> {
  const encoded = encodeInput(input)
  const fields = new URLSearchParams(encoded)
  const path = fillPath(operation.path, encoded)
  const response = await app.inject({
    method: operation.method,
    url: operation.method === 'GET' ? `${path}?${fields}` : path,
    headers: {
      ...tokens,
      ...(operation.method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(operation.method === 'GET' ? {} : { payload: fields.toString() }),
  })
  const body = response.json<Envelope<OutputOf<O>>>()
  // A bare answer is the result itself, without an envelope. Only errors have an envelope.
  if (operation.answer === 'bare' && response.statusCode < 400) {
    return { status: response.statusCode, result: response.json(), error: NO_ERROR }
  }
  return {
    status: response.statusCode,
    // `result` is undefined after a refused call, and `error` after a successful call, so that a test that reads
    // the wrong field fails.
    result: (body.status ? body.result : undefined) as OutputOf<O>,
    error: body.status ? NO_ERROR : body.error,
  }
}

const NO_ERROR: WireError = { code: 0, message: '', details: null }
