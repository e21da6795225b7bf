import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'

/** `/healthz`: the process is alive. `/readyz`: it can serve. `/metrics`: Prometheus. */
export function registerHealth(
  app: FastifyInstance,
  { metrics, ping, hasRoom }: { metrics: Metrics; ping(): Promise<void>; hasRoom(): Promise<boolean> },
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await ping()
    } catch (error) {
      request.log.error({ err: error }, 'the database does not answer')
      return reply
        .status(503)
        .header('retry-after', 2)
        .send({ status: 'unavailable', reason: 'The database does not answer.' })
    }
    if (await hasRoom()) return { status: 'ready' }
    request.log.error('the disk of DATA_DIR is full')
    return reply
      .status(503)
      .header('retry-after', 30)
      .send({ status: 'unavailable', reason: 'The disk is full.' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
