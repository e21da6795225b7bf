import type { Registry } from 'prom-client'
import { registerStoredGauge } from '../telemetry/stored-gauge.ts'
import type { JobQueue } from './queue.ts'

/** Adds the metrics of jobs. They come from the database, so they cover the jobs of all processes. */
export function registerJobMetrics(registry: Registry, jobs: Pick<JobQueue, 'count'>): void {
  const gauge = {
    name: 'ondine_jobs',
    help: 'Jobs, by kind and state: due, delayed (also before the next attempt), running or failed.',
    labels: ['kind', 'state'],
  } as const
  registerStoredGauge(registry, gauge, async () =>
    (await jobs.count()).flatMap(({ name: kind, ...counts }) =>
      Object.entries(counts).map(([state, value]) => ({ labels: { kind, state }, value })),
    ),
  )
}
