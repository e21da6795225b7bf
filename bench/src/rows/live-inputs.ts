import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { spanMilliseconds } from '@ondine/media/timeline'
import type { Context } from '@ondine/server/context'
import { readSettings } from '@ondine/server/env'
import { liveSets } from '@ondine/server/features/inventory/line-up/line-up.table'
import { trackSets } from '@ondine/server/features/inventory/titles/titles.table'
import {
  addLiveChannel,
  type KnownInput,
  listInputs,
  putInput,
} from '@ondine/server/features/streams/live-inputs/live-inputs.repository'
import { createService } from '@ondine/server/service'
import { and, eq, gte } from 'drizzle-orm'
import { processorSeconds } from '../child.ts'
import { type Installation, nothingMore, withInstallation } from '../installation.ts'
import { constantSignal, freePorts, SIGNAL_FRAME_RATE, sendToAll, startCopy } from '../live-signal.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

/** Required and desired number of channels without a lost frame. */
const TARGET = { better: 'higher', mustReach: 20, aimsAt: 40 } as const
/** Number of channels that plain ffmpeg copies for comparison. `COPY_SECONDS` is the maximum duration. */
const COPIES = 5
const COPY_SECONDS = 30
/** Time from the start of the service until its inputs accept signals, in milliseconds. */
const LISTENING_MS = 10_000
/**
 * Maximum length of the media before the first key frame and after the last, in seconds. The service does not
 * store these media.
 */
const EDGE_SECONDS = 6
/** Time after the signal's end until the service has stored the last segment, in milliseconds. */
const SETTLING_MS = 3000
/** Number of frames in a segment. */
const SEGMENT_FRAMES = 2 * SIGNAL_FRAME_RATE

/** Measures how many live inputs can be copied without losing a frame, and the processor time of each input. */
export const liveInputs: Row = {
  name: 'live-inputs',
  measure: async ({ liveSeconds, liveChannels }) =>
    await withInstallation('postgresql', nothingMore, async (installation) => {
      const ports = await freePorts(Math.max(COPIES, ...liveChannels))
      const { dataFolder } = installation
      const short = Math.min(liveSeconds, COPY_SECONDS)
      const copyShare = await copyWithFfmpeg(await constantSignal(dataFolder, short), short, ports)
      const signal = await constantSignal(dataFolder, liveSeconds)
      let most = 0
      const shares: number[] = []
      const losses: string[] = []
      for (const count of liveChannels) {
        const { lost, processorShare } = await receive(
          installation,
          signal,
          liveSeconds,
          ports.slice(0, count),
        )
        losses.push(`${lost} with ${count} channels`)
        shares.push((100 * processorShare) / count)
        if (lost > 0) break
        most = count
      }
      return [
        {
          what: 'live inputs of 6 Mbit/s, copied without the loss of a frame',
          unit: 'channels',
          values: [most],
          target: TARGET,
          reference: null,
          note: `${liveChannels.join(' and ')} channels over UDP, for ${liveSeconds} s each (\`--live-seconds 1800\` takes half an hour each), on PostgreSQL. The sender shares the machine. Frames lost: ${losses.join(', ')}.`,
        },
        {
          what: 'a live input of 6 Mbit/s: of one core',
          unit: '%',
          values: shares,
          target: { better: 'lower', mustReach: null, aimsAt: null },
          reference: { what: 'ffmpeg that copies the signal to files', values: [copyShare] },
          note: 'The service and its programs, which also encrypt. Without the database.',
        },
      ]
    }),
}

/** Copies a signal with plain ffmpeg. @returns its processor time per channel, in percent of one core */
async function copyWithFfmpeg(signal: string, seconds: number, ports: readonly number[]): Promise<number> {
  return await withTemporaryFolder(async (folder) => {
    const some = ports.slice(0, COPIES)
    const copies = some.map((port) => startCopy(port, folder))
    await pause(1000)
    const took = await sendToAll(signal, seconds, some)
    const used = copies.reduce((sum, { pid }) => sum + processorSeconds(pid), 0)
    for (const copy of copies) await copy.stop()
    return (100 * used) / took / COPIES
  })
}

/** Sends the signal to inputs on these ports. @returns the number of lost frames, and the processor time */
async function receive(
  { environment }: Installation,
  signal: string,
  seconds: number,
  ports: readonly number[],
): Promise<{ lost: number; processorShare: number }> {
  const { context, close } = await createService({
    settings: readSettings({ ...environment, LOG_LEVEL: 'silent' }),
  })
  try {
    await addInputs(context, ports)
    const begunAt = Date.now()
    const service = await startService(environment)
    await pause(LISTENING_MS)
    const before = processorOf(service.pid)
    const took = await sendToAll(signal, seconds, ports)
    const processorShare = (processorOf(service.pid) - before) / took
    await pause(SETTLING_MS)
    const inputs = await listInputs(context.db, context.clock.now())
    const lost = await Promise.all(
      inputs.map(async (input) => await lostFrames(context, input, begunAt, seconds)),
    )
    await service.stop()
    return { lost: lost.reduce((sum, each) => sum + each, 0), processorShare }
  } finally {
    await close()
  }
}

/** Adds inputs for those ports that have no input yet. */
async function addInputs({ db, clock }: Context, ports: readonly number[]): Promise<void> {
  const known = await listInputs(db, clock.now())
  for (const [index, port] of ports.entries()) {
    if (index < known.length) continue
    const channelId = await addLiveChannel(db, 500 + index, `Direct ${index}`)
    await putInput(db, channelId, `udp://127.0.0.1:${port}`, null)
  }
}

/**
 * Returns the number of frames of an input that were lost since `begunAt`: in the network, in ffmpeg, in the
 * cutter that makes segments, and in the store.
 */
async function lostFrames(
  { db }: Context,
  { channelId, status }: KnownInput,
  begunAt: number,
  seconds: number,
): Promise<number> {
  const sets = await db
    .select({ document: trackSets.document })
    .from(liveSets)
    .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
    .where(
      and(eq(liveSets.channelId, channelId), gte(liveSets.startsAt, begunAt), eq(liveSets.isSlate, false)),
    )
  const stored = sets.reduce((sum, { document }) => sum + spanMilliseconds(document) / 1000, 0)
  if (!status) throw new Error(`Channel ${channelId} was not received.`)
  const { lostFrames: missed, jumps } = status.main
  const missing = Math.max(0, seconds - EDGE_SECONDS - stored)
  return missed + (status.lostSegments + jumps) * SEGMENT_FRAMES + Math.round(missing * SIGNAL_FRAME_RATE)
}

/**
 * Returns the processor time that a process and its descendants have used so far, in seconds. The ffmpeg processes
 * of live inputs are children of the keeper, which is a child of the service.
 */
function processorOf(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return children.reduce((sum, name) => sum + processorOf(Number(name)), processorSeconds(pid))
}

/** Returns the parent's id of a process; undefined if the process has ended. */
function parentOf(pid: string): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .split(' ')[0],
    )
  } catch (error) {
    // The process has ended since the list was read.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
