import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMB } from '../child.ts'
import { nothingMore, withInstallation } from '../installation.ts'
import type { Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'

/** Measures the memory of an idle service. */
export const memory: Row = {
  name: 'memory',
  measure: async ({ idleSeconds }) => {
    const onPostgres = await withInstallation('postgresql', nothingMore, async ({ environment }) => [
      await idleMemory(environment, idleSeconds),
    ])
    const embedded = await withInstallation('embedded', nothingMore, async ({ environment, dataFolder }) => {
      const service = await idleMemory(environment, idleSeconds)
      const peer = await startPeer('pglite-alone', join(dataFolder, 'database'))
      await pause(idleSeconds * 1000)
      const alone = residentMB(peer.pid)
      await peer.stop()
      return { service: [service], alone: [alone] }
    })
    const note =
      'Resident memory of the process, after a page and some seconds of rest: a library of about the size of the demonstration’s, with 16 films, a series of two seasons and four channels.'
    return [
      {
        what: 'memory of the idle service, on PostgreSQL',
        unit: 'MB',
        values: onPostgres,
        target: { better: 'lower', mustReach: 250, aimsAt: 180 },
        reference: null,
        note,
      },
      {
        what: 'memory of the idle service, on PGlite',
        unit: 'MB',
        values: embedded.service,
        target: { better: 'lower', mustReach: 550, aimsAt: 450 },
        reference: { what: 'PGlite alone, same database', values: embedded.alone },
        note,
      },
    ]
  },
}

async function idleMemory(environment: Record<string, string>, idleSeconds: number): Promise<number> {
  const service = await startService(environment)
  for (const path of ['/', '/readyz', '/openapi.json']) {
    const answer = await fetch(`${service.origin}${path}`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`)
  }
  await pause(idleSeconds * 1000)
  const megabytes = residentMB(service.pid)
  await service.stop()
  return megabytes
}
