import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ALL_ROLES, ROLES, type Roles } from '../roles.ts'

/** The metrics that `/metrics` serves, in the Prometheus text format. */
export interface Metrics {
  registry: Registry
  /** Duration of calls in seconds, by route and status. */
  calls: Histogram<'route' | 'status'>
  /** Manifests written, by kind and format. */
  manifests: Counter<'kind' | 'format'>
  /** Requests for licences and keys, by outcome. */
  licences: Counter<'outcome'>
}

/** @param roles roles of this process */
export function createMetrics(roles: Roles = ALL_ROLES): Metrics {
  const registry = new Registry()
  const hasRole = new Gauge({
    name: 'ondine_role',
    help: 'Whether the process has the role: 1 or 0.',
    labelNames: ['role'],
    registers: [registry],
  })
  for (const role of ROLES) hasRole.set({ role }, roles.has(role) ? 1 : 0)
  const metrics = {
    calls: new Histogram({
      name: 'ondine_call_seconds',
      help: 'Duration of calls, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    manifests: new Counter({
      name: 'ondine_manifests_total',
      help: 'Manifests written, by kind and format.',
      labelNames: ['kind', 'format'],
      registers: [registry],
    }),
    licences: new Counter({
      name: 'ondine_licences_total',
      help: 'Licences asked for, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  }
  return { registry: Registry.merge([registry, figuresOfProcess()]), ...metrics }
}

let ofProcess: Registry | undefined

/**
 * Metrics of memory, processor time and the event loop. Created once per process, because prom-client cannot stop
 * the collectors of these metrics.
 */
function figuresOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}
