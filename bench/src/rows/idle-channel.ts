import { setTimeout as pause } from 'node:timers/promises'
import { runChannelEngine } from '../channel-engine.ts'
import { processorSeconds, residentMB } from '../child.ts'
import { type Installation, nothingMore, withInstallation } from '../installation.ts'
import { addScheduledChannels } from '../many-channels.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'

const MORE = 1000
const PEER_MORE = 100

/** Compares a service with a thousand additional idle channels to the same service without them. */
export const idleChannel: Row = {
  name: 'idle-channel',
  measure: async ({ rounds, idleSeconds }) => {
    const shares: number[] = []
    const kilobytes: number[] = []
    await withInstallation('postgresql', nothingMore, async (installation) => {
      const without: Idle[] = []
      const tries = Math.min(3, rounds)
      for (let round = 0; round < tries; round++) without.push(await watchIdle(installation, idleSeconds))
      await addScheduledChannels(installation, MORE)
      for (const before of without) {
        const after = await watchIdle(installation, idleSeconds)
        shares.push((100 * (after.processorShare - before.processorShare)) / MORE)
        kilobytes.push((1000 * (after.residentMB - before.residentMB)) / MORE)
      }
    })
    const [few, many] = await runChannelEngine([1, 1 + PEER_MORE], idleSeconds, () => true)
    if (!few || !many) throw new Error('The channel engine ended early.')
    return [
      {
        what: 'one more library channel, nobody watching: of one core',
        unit: '%',
        values: shares,
        target: { better: 'lower', mustReach: 0.001, aimsAt: 0.001 },
        reference: {
          what: 'a channel of eyevinn-channel-engine',
          values: [(100 * (many.processorShare - few.processorShare)) / PEER_MORE],
        },
        note: `The difference of ${MORE} channels on PostgreSQL; below 0.001 % is nothing that can be measured, and below zero is chance.`,
      },
      {
        what: 'one more library channel, nobody watching: memory',
        unit: 'kB',
        values: kilobytes,
        target: { better: 'lower', mustReach: 10, aimsAt: 10 },
        reference: {
          what: 'a channel of eyevinn-channel-engine',
          values: [(1000 * (many.residentMB - few.residentMB)) / PEER_MORE],
        },
      },
    ]
  },
}

interface Idle {
  processorShare: number
  residentMB: number
}

async function watchIdle({ environment }: Installation, seconds: number): Promise<Idle> {
  const service = await startService(environment)
  await pause(2000)
  const before = processorSeconds(service.pid)
  await pause(seconds * 1000)
  const idle = {
    processorShare: (processorSeconds(service.pid) - before) / seconds,
    residentMB: residentMB(service.pid),
  }
  await service.stop()
  return idle
}
