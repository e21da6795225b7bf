import { nothingMore, withInstallation } from '../installation.ts'
import { freePort } from '../nginx.ts'
import type { Figure, Row } from '../row.ts'
import { startService } from '../service.ts'

/** Measures the time from the start command to the first successful answer of `/readyz`. */
export const start: Row = {
  name: 'start',
  measure: async ({ rounds }) => {
    const figures: Figure[] = []
    for (const [kind, name, mustReach, aimsAt] of [
      ['embedded', 'PGlite', 1.6, 1],
      ['postgresql', 'PostgreSQL', 0.9, 0.5],
    ] as const) {
      const values = await withInstallation(kind, nothingMore, async ({ environment }) => {
        const seconds: number[] = []
        for (let round = 0; round < rounds; round++) seconds.push(await secondsToReady(environment))
        return seconds
      })
      figures.push({
        what: `start on an existing installation until it answers, on ${name}`,
        unit: 's',
        values,
        target: { better: 'lower', mustReach, aimsAt },
        reference: null,
      })
    }
    return figures
  },
}

async function secondsToReady(environment: Record<string, string>): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const starting = startService({ ...environment, PORT: String(port) })
  const [service, seconds] = await Promise.all([starting, whenReady(port, startedAt)])
  await service.stop()
  return seconds
}

const PATIENCE_MS = 60_000
const PAUSE_MS = 10

async function whenReady(port: number, startedAt: number): Promise<number> {
  for (;;) {
    const passed = performance.now() - startedAt
    if (passed > PATIENCE_MS) throw new Error('The service does not answer.')
    // Connections are refused until the service listens.
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return (performance.now() - startedAt) / 1000
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
