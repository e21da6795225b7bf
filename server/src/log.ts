import { type Logger, pino } from 'pino'
import type { Settings } from './env.ts'

/** Fields that must never be logged. */
const SECRET = [
  '*.password',
  '*.passwordConfirm',
  '*.access_token',
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-auth-token"]',
  'req.headers["x-profile-token"]',
]

/** Creates the log of the process, on standard error. Standard output is for the results of commands. */
export function createLog(settings: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger {
  const pretty = (settings.LOG_FORMAT ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty'
  const options = { level: settings.LOG_LEVEL, redact: SECRET }
  if (!pretty) return pino(options, pino.destination({ dest: 2, sync: false }))
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  })
}
