import { openDatabase } from '@ondine/server/database/connection'
import { createTrackSetStore } from '@ondine/server/features/inventory/track-sets/track-sets.service'
import { extendSchedules, SCHEDULE } from '@ondine/server/features/television/schedule/extend-schedules'
import { runChannelEngine } from '../channel-engine.ts'
import { eventLoopLag } from '../event-loop-lag.ts'
import { withInstallation } from '../installation.ts'
import { addChannels, addLongFilms } from '../many-channels.ts'
import type { Row } from '../row.ts'

/** Longest delay of the event loop that viewers do not notice, in milliseconds. */
const LATEST_MS = 100
const STEPS = [500, 1000, 2000, 5000, 10_000, 20_000]
const PEER_STEPS = [25, 50, 100, 200, 400, 800, 1600, 3200]
/** Time after which no further step begins, in milliseconds. The last step may end later. */
const ENOUGH_MS = 60_000
const HOURS = 49

/** Measures for how many channels one process can keep a schedule of two days up to date. */
export const scheduledChannels: Row = {
  name: 'scheduled-channels',
  measure: async ({ channelLimit, idleSeconds }) => {
    const ours = await withInstallation(
      'postgresql',
      async ({ db }) => await addLongFilms(db),
      async ({ environment }) => await scheduleMore(environment.DATABASE_URL ?? '', channelLimit),
    )
    const peer = await runChannelEngine(
      PEER_STEPS.filter((step) => step <= channelLimit),
      Math.min(5, idleSeconds),
      ({ lagMs }) => lagMs < LATEST_MS,
    )
    const reached = peer.findLast(({ lagMs }) => lagMs < LATEST_MS)?.channels ?? 0
    return [
      {
        what: 'library channels scheduled on one machine',
        unit: 'channels',
        values: [ours.channels],
        target: { better: 'higher', mustReach: 8000, aimsAt: 20_000 },
        reference: {
          what: `eyevinn-channel-engine until its event loop is ${LATEST_MS} ms late`,
          values: [reached],
        },
        note: `Films of 24 to 105 minutes, every channel planned for ${HOURS} hours on PostgreSQL. ${ours.ended}`,
      },
      {
        what: 'planning one more hour of a channel',
        unit: 'ms',
        values: [ours.msPerChannelHour],
        target: { better: 'lower', mustReach: null, aimsAt: null },
        reference: null,
      },
    ]
  },
}

async function scheduleMore(databaseUrl: string, limit: number) {
  const connection = await openDatabase({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2, DATA_DIR: '' })
  const { db } = connection
  let reached = 0
  let worst = 0
  let msPerChannelHour = 0
  let ended = 'It was told to stop there.'
  const startedAt = performance.now()
  for (const step of STEPS.filter((step) => step <= limit)) {
    // A new store has an empty cache, like the store of a process that has just started.
    const store = createTrackSetStore(db)
    await addChannels(db, 1000 + reached, step - reached)
    const stepAt = performance.now()
    const lag = await eventLoopLag(async () => {
      await extendSchedules(db, store, Date.now())
    })
    const hours = (step - reached) * (HOURS + SCHEDULE.runInMs / 3_600_000)
    msPerChannelHour = (performance.now() - stepAt) / hours
    if (lag >= LATEST_MS) {
      ended = `With ${step} its event loop was ${lag.toFixed(0)} ms late.`
      break
    }
    worst = Math.max(worst, lag)
    reached = step
    if (performance.now() - startedAt > ENOUGH_MS) {
      ended = `It was given no more time; its event loop was never later than ${worst.toFixed(0)} ms.`
      break
    }
  }
  await connection.close()
  return { channels: reached, msPerChannelHour, ended }
}
