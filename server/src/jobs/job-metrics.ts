import { Gauge, type Registry } from 'prom-client'
import type { JobQueue } from './queue.ts'

/** Adds the metrics of jobs. They come from the database, so they cover the jobs of all processes. */
export function registerJobMetrics(registry: Registry, jobs: Pick<JobQueue, 'count'>): void {
  registry.registerMetric(
    new Gauge({
      name: 'ondine_jobs',
      help: 'Jobs, by kind and state: due, delayed (also before the next attempt), running or failed.',
      labelNames: ['kind', 'state'],
      registers: [],
      async collect() {
        this.reset()
        for (const { name, due, delayed, running, failed } of await jobs.count())
          for (const [state, count] of Object.entries({ due, delayed, running, failed }))
            this.set({ kind: name, state }, count)
      },
    }),
  )
}
