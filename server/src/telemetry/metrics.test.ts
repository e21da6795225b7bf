import performance from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import { createMetrics } from './metrics.ts'

it('each service has its own metrics and the metrics of the process, which are collected once', async () => {
  const watching = vi.spyOn(performance, 'monitorEventLoopDelay')
  const [one, other] = [createMetrics(), createMetrics()]
  one.licences.inc({ outcome: 'given' })
  const [shown, elsewhere] = [await one.registry.metrics(), await other.registry.metrics()]
  expect(shown).toContain('ondine_licences_total{outcome="given"} 1')
  expect(elsewhere).not.toContain('{outcome="given"}')
  for (const figures of [shown, elsewhere]) expect(figures).toMatch(/^nodejs_eventloop_lag_seconds \d/m)
  expect(watching).toHaveBeenCalledTimes(1)
})
