import { randomUUID } from 'node:crypto'
import { and, asc, eq, exists, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { isConnected } from '../../../database/processes.ts'
import type { InputStatus } from '../../inventory/line-up/input-status.ts'
import {
  broadcasts,
  CHANNEL_SOURCE,
  channels,
  liveInputs,
  liveReceivers,
} from '../../inventory/line-up/line-up.table.ts'
import type { StreamSource } from '../../inventory/line-up/stream-source.ts'
import { isRecorded } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import type { InputRow } from './live-input.ts'

/**
 * Returns the SQL condition that the input of a channel is received. If a channel is no longer in its channel list, its
 * input is still received while the channel has recordings or events that have not ended, because the next import of the
 * list may contain the channel again.
 */
function isReceived(db: Database, now: number): SQL {
  const open = db
    .select({ one: sql`1` })
    .from(recordedProgrammes)
    .where(and(eq(recordedProgrammes.channelId, channels.id), isRecorded(now)))
  const events = db
    .select({ one: sql`1` })
    .from(broadcasts)
    .innerJoin(assets, eq(assets.id, broadcasts.assetId))
    .where(
      and(
        eq(broadcasts.channelId, channels.id),
        gt(assets.endsAt, now),
        ne(assets.availability, 'withdrawn'),
      ),
    )
  return sql`${channels.enabled} and (${isNull(channels.goneSince)} or ${exists(open)} or ${exists(events)})`
}

/** Returns the inputs that are received. */
export async function findInputs(db: Database, now: number): Promise<InputRow[]> {
  const rows = await db
    .select({ ...INPUT, source: channels.source })
    .from(liveInputs)
    .innerJoin(channels, eq(channels.id, liveInputs.channelId))
    .where(isReceived(db, now))
    .orderBy(asc(liveInputs.id))
  return rows.map(inputOf)
}

const INPUT = {
  id: liveInputs.id,
  channelId: liveInputs.channelId,
  address: liveInputs.address,
  spareAddress: liveInputs.spareAddress,
  ladder: liveInputs.ladder,
}

/** Returns an input. Replaces {@link CHANNEL_SOURCE} by the source of its channel. */
function inputOf<Row extends Omit<InputRow, 'headers'> & { source: StreamSource | null }>({
  source,
  ...row
}: Row): Omit<Row, 'source'> & InputRow {
  if (row.address !== CHANNEL_SOURCE) return { ...row, headers: {} }
  const { address = '', userAgent, referrer } = source ?? {}
  const headers = {
    ...(userAgent !== undefined && { userAgent }),
    ...(referrer !== undefined && { referrer }),
  }
  return { ...row, address, headers }
}

/**
 * How long a process may receive an input after its last report, in seconds. If the process loses its connection
 * to the database, another process may take over the input at once.
 */
export const HOLD_SECONDS = 4

/**
 * Reports the states of inputs, and requests to receive them. One process receives each input. Another process
 * takes over the input if the first one has ended, or has not reported for {@link HOLD_SECONDS}.
 *
 * @param holder id of the process among the processes that are connected to the database
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
      setWhere: sql`${liveReceivers.holder} = ${holder} or ${liveReceivers.heldUntil} < now()
        or not ${isConnected(liveReceivers.holder)}`,
    })
    .returning({ inputId: liveReceivers.inputId })
  return new Set(rows.map(({ inputId }) => inputId))
}

/** Lets other processes receive the inputs of `holder` at once; for `null`, the inputs of all processes. */
export async function releaseInputs(db: Database, holder: string | null): Promise<void> {
  await db.delete(liveReceivers).where(holder === null ? undefined : eq(liveReceivers.holder, holder))
}

/** An input with its channel and the last report about it. */
export interface KnownInput extends InputRow {
  number: number
  name: string
  /** False for the input of a channel that is switched off, or that is gone from its list and records nothing. */
  isReceived: boolean
  status: InputStatus | null
}

/** Returns all inputs, by the number of their channel. */
export async function listInputs(db: Database, now: number): Promise<KnownInput[]> {
  const rows = await db
    .select({
      ...INPUT,
      source: channels.source,
      number: channels.number,
      names: channels.names,
      isReceived: sql<boolean>`${isReceived(db, now)}`,
      status: liveReceivers.status,
    })
    .from(liveInputs)
    .innerJoin(channels, eq(channels.id, liveInputs.channelId))
    .leftJoin(liveReceivers, eq(liveReceivers.inputId, liveInputs.id))
    .orderBy(asc(channels.number))
  return rows.map(({ names, ...row }) => ({
    ...inputOf(row),
    name: names.fra ?? Object.values(names)[0] ?? '',
  }))
}

/**
 * Stores the input of a channel, and replaces an earlier one. A relay becomes a live channel, and stays one in
 * later imports of its channel list.
 *
 * @param address an address, or {@link CHANNEL_SOURCE}
 * @param ladder heights of the picture's renditions, highest first; null for one rendition of any size
 */
export async function putInput(
  db: Database,
  channelId: number,
  address: string,
  spareAddress: string | null,
  ladder: number[] | null = null,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insert(liveInputs)
      .values({ channelId, address, spareAddress, ladder })
      .onConflictDoUpdate({ target: liveInputs.channelId, set: { address, spareAddress, ladder } })
    if (address !== CHANNEL_SOURCE) return
    await tx
      .update(channels)
      .set({ kind: 'live', source: sql`${channels.source} || '{"record": true}'::jsonb` })
      .where(eq(channels.id, channelId))
  })
}

/** Removes the input of a channel. A former relay becomes a relay again. @returns whether there was an input */
export async function removeInput(db: Database, channelId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const rows = await tx
      .delete(liveInputs)
      .where(eq(liveInputs.channelId, channelId))
      .returning({ id: liveInputs.id })
    await tx
      .update(channels)
      .set({
        kind: sql`case when ${channels.source} ->> 'address' ~ '^https?:' then 'relay' else 'live' end::channel_kind`,
        source: sql`${channels.source} - 'record'`,
      })
      .where(and(eq(channels.id, channelId), sql`${channels.source} ? 'record'`))
    return rows.length > 0
  })
}

/** Returns the channel with a number. */
export async function findChannelByNumber(
  db: Database,
  number: number,
): Promise<Pick<typeof channels.$inferSelect, 'id' | 'kind' | 'source'> | undefined> {
  const [row] = await db
    .select({ id: channels.id, kind: channels.kind, source: channels.source })
    .from(channels)
    .where(eq(channels.number, number))
  return row
}

/** Creates a live channel. @returns the id of the channel */
export async function addLiveChannel(db: Database, number: number, name: string): Promise<number> {
  const [row] = await db
    .insert(channels)
    // The number cannot identify the channel, because it may change.
    .values({ kind: 'live', number, sourceKey: `input:${randomUUID()}`, names: { fra: name, eng: name } })
    .returning({ id: channels.id })
  if (!row) throw new Error('The channel was not stored.')
  return row.id
}
