import { DrizzleQueryError } from 'drizzle-orm/errors'
import { type Logger, pino } from 'pino'
import type { Settings } from './env.ts'
import { CARRIERS, SIGN_ON_HEADER } from './http/principal.ts'

/** Fields that must never be logged. */
export const SECRET = [
  '*.password',
  '*.passwordConfirm',
  '*.access_token',
  'res.headers["set-cookie"]',
  ...[
    'authorization',
    'cookie',
    SIGN_ON_HEADER,
    ...[CARRIERS.account, CARRIERS.profile, CARRIERS.device, CARRIERS.operator].map(({ header }) => header),
  ].flatMap((header) => [`req.headers["${header}"]`, `res.headers["${header}"]`]),
]

/** Creates the log of the process, on standard error. Standard output is for the results of commands. */
export function createLog(settings: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger {
  const pretty = (settings.LOG_FORMAT ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty'
  const options = { level: settings.LOG_LEVEL, redact: SECRET, serializers: { err: writeError } }
  if (!pretty) return pino(options, pino.destination({ dest: 2, sync: false }))
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  })
}

/**
 * Returns an error in the form in which it is logged: without the values of failed queries ({@link withoutValues}).
 */
export function writeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { params: _params, ...written } = pino.stdSerializers.err(error)
  written.message = withoutValues(written.message, error)
  written.stack = withoutValues(written.stack, error)
  return written
}

/**
 * Removes the values of failed queries from a text of an error, such as its message. Drizzle adds them to its errors.
 * They may be secrets, such as content keys or addresses of inputs, or personal data.
 */
export function withoutValues(text: string, error: Error): string {
  let without = text
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DrizzleQueryError)
      without = without.replaceAll(`\nparams: ${String(cause.params)}`, '')
  return without
}
