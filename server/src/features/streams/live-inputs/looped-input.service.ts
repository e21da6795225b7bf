import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { sendLoop } from '../../../ingest/live/loop.ts'
import { ProgramError } from '../../../ingest/run-program.ts'
import { liveInputs, liveReceivers } from '../../inventory/line-up/line-up.table.ts'
import { putInput } from './live-inputs.repository.ts'

/** Pause before an ended sender is started again, in milliseconds. */
const PAUSE_MS = 1000
/** A sender that ran for longer than this, in milliseconds, had a listener. */
const LASTING_MS = 15_000
/**
 * After this number of senders without a listener, another port is chosen: another program may use the first port.
 */
const MOST_FAILURES = 4
/** Age from which a report counts as one of a process that has ended, in milliseconds. */
const OLD_REPORT_MS = 5000

/**
 * Sends a file to a live channel over SRT on this machine, in a loop, as an encoder sends a signal. Gives the
 * channel an input that listens on a free port. Ends when `signal` aborts, or when an operator replaces or removes
 * this input.
 */
export async function loopInto(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  { channelId, file }: { channelId: number; file: string },
  signal: AbortSignal,
): Promise<void> {
  if ((await findInput(db, channelId)) === undefined) await listenOn(db, channelId, await freePort())
  for (let failures = 0; !signal.aborted; ) {
    const input = await findInput(db, channelId)
    const port = input && portOf(input.address)
    if (port === undefined) {
      log.info({ channelId }, 'a live channel has another input, so its loop is not sent')
      return
    }
    const isHeard = input?.status?.active != null && clock.now() - input.status.at < OLD_REPORT_MS
    if (failures >= MOST_FAILURES && !isHeard) {
      await listenOn(db, channelId, await freePort())
      failures = 0
      continue
    }
    const begunAt = clock.now()
    await sendLoop(file, port, signal).catch((error: unknown) => {
      if (!(error instanceof ProgramError) && !signal.aborted) throw error
    })
    failures = clock.now() - begunAt > LASTING_MS ? 0 : failures + 1
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function findInput(db: Database, channelId: number) {
  const [row] = await db
    .select({ address: liveInputs.address, status: liveReceivers.status })
    .from(liveInputs)
    .leftJoin(liveReceivers, eq(liveReceivers.inputId, liveInputs.id))
    .where(eq(liveInputs.channelId, channelId))
  return row
}

async function listenOn(db: Database, channelId: number, port: number): Promise<void> {
  await putInput(db, channelId, `srt://127.0.0.1:${port}?mode=listener`, null)
}

/** Returns the port of an input that {@link loopInto} made; undefined for any other input. */
function portOf(address: string): number | undefined {
  const found = /^srt:\/\/127\.0\.0\.1:(\d+)\?mode=listener$/.exec(address)?.[1]
  return found === undefined ? undefined : Number(found)
}
