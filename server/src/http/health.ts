import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'

export interface HealthParts {
  metrics: Metrics
  ping(): Promise<void>
  /** Whether changes of the database arrive. Otherwise data in memory may be old, such as bans. */
  isListening(): boolean
  hasRoom(): Promise<boolean>
}

/**
 * Registers `/healthz` (the process is alive), `/readyz` (the process can serve) and `/metrics` (for Prometheus).
 */
export function registerHealth(
  app: FastifyInstance,
  { metrics, ping, isListening, hasRoom }: HealthParts,
): void {
  /** Reason why the service was not ready at the last probe; undefined if it was ready. */
  let trouble: string | undefined

  /**
   * Logs changes of the state only. Probes call every few seconds, and must not fill the log when the disk is
   * full.
   */
  function note(now: string | undefined, log: FastifyBaseLogger, error?: unknown): void {
    if (now === trouble) return
    trouble = now
    if (now === undefined) log.info('the service can serve again')
    else log.error({ err: error }, now)
  }

  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await ping()
    } catch (error) {
      note('the database does not answer', request.log, error)
      return reply
        .status(503)
        .header('retry-after', 2)
        .send({ status: 'unavailable', reason: 'The database does not answer.' })
    }
    if (!isListening()) {
      note('changes of the database do not arrive', request.log)
      return reply
        .status(503)
        .header('retry-after', 2)
        .send({ status: 'unavailable', reason: 'Changes of the database do not arrive.' })
    }
    if (await hasRoom()) {
      note(undefined, request.log)
      return { status: 'ready' }
    }
    note('the disk of DATA_DIR is full', request.log)
    return reply
      .status(503)
      .header('retry-after', 30)
      .send({ status: 'unavailable', reason: 'The disk is full.' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
