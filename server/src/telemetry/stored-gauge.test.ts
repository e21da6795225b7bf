import { Gauge, Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { registerStoredGauge } from './stored-gauge.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['fails', async () => await Promise.reject(new Error('The database is away.'))],
  ['does not answer', async () => await new Promise<never>(() => {})],
])('the other metrics are served while the database %s', async (_what, failing) => {
  const registry = new Registry()
  new Gauge({ name: 'other', help: 'Another metric.', registers: [registry] }).set(7)
  const read = vi.fn(async () => [{ labels: { kind: 'mail' }, value: 3 }])
  registerStoredGauge(registry, { name: 'stored', help: 'A stored metric.', labels: ['kind'] }, read)
  expect(await registry.metrics()).toContain('stored{kind="mail"} 3')

  read.mockImplementationOnce(failing)
  const shown = registry.metrics()
  await vi.runAllTimersAsync()
  expect(await shown).toContain('other 7')
  expect(await shown).not.toContain('stored{')
  expect(await registry.metrics()).toContain('stored{kind="mail"} 3')
})
