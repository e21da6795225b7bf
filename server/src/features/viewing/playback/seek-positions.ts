import { setImmediate, setTimeout } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { seekPositions } from './playback.table.ts'

/** Position of a profile in an asset. */
export interface SeekPosition {
  profileId: number
  assetId: number
  /**
   * Registered device that reported the position, if any. After the device is removed, its positions are no
   * longer stored.
   */
  deviceId?: number | undefined
  seconds: number
  /** Milliseconds since the Unix epoch; an older position never replaces a newer position. */
  updatedAt: number
  /**
   * Set for a correction: the stored position that it replaces, in seconds. A correction replaces no other position,
   * and does not count as a play: the order of the profile's lists stays.
   */
  replaces?: number | undefined
}

/**
 * Returns the positions of a profile in these assets, in seconds. Assets that the profile never started have no
 * entry.
 */
export async function seekPositionsOf(
  db: Database,
  profileId: number,
  assetIds: readonly number[],
): Promise<Map<number, number>> {
  if (assetIds.length === 0) return new Map()
  const rows = await db
    .select({ assetId: seekPositions.assetId, seconds: seekPositions.seconds })
    .from(seekPositions)
    .where(and(eq(seekPositions.profileId, profileId), inArray(seekPositions.assetId, [...assetIds])))
  return new Map(rows.map(({ assetId, seconds }) => [assetId, seconds]))
}

/**
 * Stores many positions in one statement, and then the corrections. Leaves out positions of deleted profiles, assets
 * or devices.
 */
export async function storeSeekPositions(db: Database, positions: readonly SeekPosition[]): Promise<void> {
  const plays = positions.filter(({ replaces }) => replaces === undefined)
  if (plays.length > 0) await storePlays(db, plays)
  for (const { replaces, ...position } of positions)
    if (replaces !== undefined) await correctSeekPosition(db, { ...position, replaces })
}

async function storePlays(db: Database, positions: readonly SeekPosition[]): Promise<void> {
  const column = (values: (number | string)[]) => sql.param(`{${values.join(',')}}`)
  await db.execute(sql`
    insert into seek_positions (profile_id, asset_id, seconds, updated_at)
    select distinct on (given.profile_id, given.asset_id)
      given.profile_id, given.asset_id, given.seconds, given.updated_at
    from unnest(
      ${column(positions.map((position) => position.profileId))}::int[],
      ${column(positions.map((position) => position.assetId))}::int[],
      ${column(positions.map((position) => position.deviceId ?? 0))}::int[],
      ${column(positions.map((position) => position.seconds))}::float8[],
      ${column(positions.map((position) => new Date(position.updatedAt).toISOString()))}::timestamptz[]
    ) as given (profile_id, asset_id, device_id, seconds, updated_at)
    join profiles on profiles.id = given.profile_id
    join assets on assets.id = given.asset_id
    where given.device_id = 0 or exists (
      select from devices where devices.id = given.device_id and devices.account_id = profiles.account_id)
    -- One order for all, so that two processes never wait for each other; of two devices the last counts.
    order by given.profile_id, given.asset_id, given.updated_at desc
    on conflict (profile_id, asset_id) do update
      set seconds = excluded.seconds, updated_at = excluded.updated_at,
        removed_at = case when seek_positions.removed_at > excluded.updated_at then seek_positions.removed_at end
      where excluded.updated_at >= seek_positions.updated_at`)
}

/** Corrects a stored position, unless it was replaced meanwhile or its device was removed. */
async function correctSeekPosition(
  db: Database,
  { profileId, assetId, deviceId = 0, seconds, replaces }: SeekPosition & { replaces: number },
): Promise<void> {
  await db.execute(sql`
    update seek_positions set seconds = ${seconds}
    where profile_id = ${profileId} and asset_id = ${assetId} and seconds = ${replaces}
      and (${deviceId}::int = 0 or exists (
        select from devices join profiles on profiles.account_id = devices.account_id
        where devices.id = ${deviceId} and profiles.id = ${profileId}))`)
}

/**
 * Removes an asset from a profile's list of titles to continue watching, or restores it to the list. Neither counts as
 * a play: the order of the profile's lists stays. Assets that the profile never started are not affected. A play before
 * the removal that is reported later, such as one without a connection, does not bring the asset back.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function setRemoved(
  db: Database,
  profileId: number,
  assetId: number,
  removed: boolean,
  now: number,
): Promise<void> {
  await db
    .update(seekPositions)
    .set({ removedAt: removed ? now : null })
    .where(and(eq(seekPositions.profileId, profileId), eq(seekPositions.assetId, assetId)))
}

/**
 * Returns the key under which {@link createSeekWriter} merges positions. A correction has its own key, so that it does
 * not replace the position that it corrects before that is stored.
 */
export function seekKey({ profileId, assetId, deviceId = 0, replaces = -1 }: SeekPosition): string {
  return `${profileId}:${assetId}:${deviceId}:${replaces}`
}

/** Stores positions; the promise resolves when the position is in the database. */
export interface SeekWriter<Position> {
  store(position: Position): Promise<void>
}

/**
 * After a batch of at least this many positions, the writer waits for more positions before the next statement.
 */
const BUSY_BATCH = 20

interface Waiting<Position> {
  position: Position
  settle: { done: () => void; failed: (error: unknown) => void }[]
}

/**
 * Collects positions that arrive while a statement runs, and stores them with the next statement. A single
 * heartbeat does not wait, and ten thousand heartbeats a second cost only a few statements. Of several positions
 * with the same key, only the newest is stored.
 */
export function createSeekWriter<Position extends { updatedAt: number }>(
  store: (positions: Position[]) => Promise<void>,
  keyOf: (position: Position) => string,
  { largestBatch = 5000, gatherMs = 5 }: { largestBatch?: number; gatherMs?: number } = {},
): SeekWriter<Position> {
  let waiting = new Map<string, Waiting<Position>>()
  let running = false
  let busy = false

  async function drain(): Promise<void> {
    running = true
    while (waiting.size > 0) {
      // The embedded database runs in this thread. Before the next statement, this accepts the calls that have
      // already arrived. Under load, it also waits for more calls.
      await (busy ? setTimeout(gatherMs) : setImmediate())
      const batch = takeBatch()
      busy = batch.length >= BUSY_BATCH
      try {
        await storeTwice(batch.map(({ position }) => position))
        for (const { settle } of batch) for (const { done } of settle) done()
      } catch (error) {
        for (const { settle } of batch) for (const { failed } of settle) failed(error)
      }
    }
    running = false
  }

  function takeBatch(): Waiting<Position>[] {
    const all = [...waiting]
    waiting = new Map(all.slice(largestBatch))
    return all.slice(0, largestBatch).map(([, entry]) => entry)
  }

  async function storeTwice(positions: Position[]): Promise<void> {
    try {
      await store(positions)
    } catch {
      // If an asset is deleted at this moment, the statement fails for all positions. The second attempt
      // leaves out the deleted asset.
      await store(positions)
    }
  }

  return {
    store: async (position) => {
      await new Promise<void>((done, failed) => {
        const key = keyOf(position)
        const entry = waiting.get(key)
        if (!entry) waiting.set(key, { position, settle: [{ done, failed }] })
        else {
          if (position.updatedAt >= entry.position.updatedAt) entry.position = position
          entry.settle.push({ done, failed })
        }
        if (!running) void drain()
      })
    },
  }
}
