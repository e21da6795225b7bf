import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { InputStatus } from '../../inventory/line-up/input-status.ts'
import { channels, liveInputs, liveReceivers } from '../../inventory/line-up/line-up.table.ts'
import type { InputRow } from './live-input.ts'

/** Returns the inputs of channels that are switched on. */
export async function findInputs(db: Database): Promise<InputRow[]> {
  return await db
    .select({
      id: liveInputs.id,
      channelId: liveInputs.channelId,
      address: liveInputs.address,
      spareAddress: liveInputs.spareAddress,
    })
    .from(liveInputs)
    .innerJoin(channels, eq(channels.id, liveInputs.channelId))
    .where(eq(channels.shown, true))
    .orderBy(asc(liveInputs.id))
}

/** How long a process may go on receiving an input after its last report, in seconds. */
export const HOLD_SECONDS = 4

/**
 * Reports the states of inputs, and asks to receive them. One process receives each input.
 *
 * @returns the inputs that `holder` may receive
 */
export async function holdInputs(
  db: Database,
  holder: string,
  inputs: readonly { inputId: number; status: InputStatus | null }[],
): Promise<Set<number>> {
  if (inputs.length === 0) return new Set()
  const heldUntil = sql<number>`now() + make_interval(secs => ${HOLD_SECONDS})`
  const rows = await db
    .insert(liveReceivers)
    .values(inputs.map(({ inputId, status }) => ({ inputId, holder, heldUntil, status })))
    .onConflictDoUpdate({
      target: liveReceivers.inputId,
      set: {
        holder: sql`excluded.holder`,
        heldUntil: sql`excluded.held_until`,
        status: sql`coalesce(excluded.status, ${liveReceivers.status})`,
      },
      setWhere: sql`${liveReceivers.holder} = ${holder} or ${liveReceivers.heldUntil} < now()`,
    })
    .returning({ inputId: liveReceivers.inputId })
  return new Set(rows.map(({ inputId }) => inputId))
}

/** Lets other processes receive the inputs of `holder` at once. With `null`, those of all processes. */
export async function releaseInputs(db: Database, holder: string | null): Promise<void> {
  await db.delete(liveReceivers).where(holder === null ? undefined : eq(liveReceivers.holder, holder))
}

/** An input with its channel and what was last reported about it. */
export interface KnownInput extends InputRow {
  number: number
  name: string
  status: InputStatus | null
}

/** Returns all inputs, by the number of their channel. */
export async function listInputs(db: Database): Promise<KnownInput[]> {
  const rows = await db
    .select({
      id: liveInputs.id,
      channelId: liveInputs.channelId,
      address: liveInputs.address,
      spareAddress: liveInputs.spareAddress,
      number: channels.number,
      names: channels.names,
      status: liveReceivers.status,
    })
    .from(liveInputs)
    .innerJoin(channels, eq(channels.id, liveInputs.channelId))
    .leftJoin(liveReceivers, eq(liveReceivers.inputId, liveInputs.id))
    .orderBy(asc(channels.number))
  return rows.map(({ names, ...row }) => ({ ...row, name: names.fra ?? Object.values(names)[0] ?? '' }))
}

/** Stores the input of a channel, in place of an earlier one. */
export async function putInput(
  db: Database,
  channelId: number,
  address: string,
  spareAddress: string | null,
): Promise<void> {
  await db
    .insert(liveInputs)
    .values({ channelId, address, spareAddress })
    .onConflictDoUpdate({ target: liveInputs.channelId, set: { address, spareAddress } })
}

/** Removes the input of a channel. @returns whether there was one */
export async function removeInput(db: Database, channelId: number): Promise<boolean> {
  const rows = await db
    .delete(liveInputs)
    .where(eq(liveInputs.channelId, channelId))
    .returning({ id: liveInputs.id })
  return rows.length > 0
}

/** Returns the channel with a number. */
export async function findChannelByNumber(
  db: Database,
  number: number,
): Promise<{ id: number; kind: (typeof channels.$inferSelect)['kind'] } | undefined> {
  const [row] = await db
    .select({ id: channels.id, kind: channels.kind })
    .from(channels)
    .where(eq(channels.number, number))
  return row
}

/** Creates a live channel. @returns its id */
export async function addLiveChannel(db: Database, number: number, name: string): Promise<number> {
  const [row] = await db
    .insert(channels)
    .values({ kind: 'live', number, sourceKey: `input:${number}`, names: { fra: name, eng: name } })
    .returning({ id: channels.id })
  if (!row) throw new Error('The channel was not stored.')
  return row.id
}
