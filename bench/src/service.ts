import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './child.ts'

/** The service in a separate process, as in production. */
export interface Service extends Child {
  port: number
  origin: string
}

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

/** Starts the service and waits until it listens. */
export async function startService(environment: Record<string, string>): Promise<Service> {
  const { child, match } = await startChild({
    command: ONDINE,
    arguments: ['serve'],
    environment: { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', LOG_FORMAT: 'json', ...environment },
    ready: /Ondine is on http:\/\/localhost:(\d+)/,
  })
  const port = Number(match[1])
  return { ...child, port, origin: `http://127.0.0.1:${port}` }
}

/** Starts a reference program from `peers/`, with production settings. */
export async function startPeer(name: string, ...options: string[]): Promise<Service> {
  const { child, match } = await startChild({
    command: process.execPath,
    arguments: [fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url)), ...options],
    environment: { NODE_ENV: 'production' },
    ready: /listening on (\d+)/,
  })
  const port = Number(match[1])
  return { ...child, port, origin: `http://127.0.0.1:${port}` }
}

/** Maximum time until a service has read its search index, in milliseconds. */
const READ_MS = 120_000

/**
 * Waits until the service has read the search index after its start. Reading uses processor time. Until the index
 * has been read, a service with much content refuses calls with status 503.
 */
export async function whenRead({ origin }: Service, headers: Record<string, string>): Promise<void> {
  const until = performance.now() + READ_MS
  for (;;) {
    const answer = await fetch(`${origin}/cms/search?term=le&languageId=fra`, { headers })
    await answer.arrayBuffer()
    if (answer.ok) return
    if (answer.status !== 503 || performance.now() > until)
      throw new Error(`The search answers ${answer.status}.`)
    await pause(500)
  }
}
