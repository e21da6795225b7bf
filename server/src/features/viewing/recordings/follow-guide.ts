import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { follow } from './follow-programme.ts'
import { findFollowed, findFollowedChannels, findShowings, lockGuidesOf } from './guide-places.ts'
import { marginsOf } from './margins.ts'
import {
  dropMovedAway,
  dropRecordedProgrammes,
  moveRecordedProgrammes,
  withholdForbidden,
} from './recorded-programmes.repository.ts'

/** Maximum number of channels whose guides are read together. */
const MOST_CHANNELS = 20

/**
 * Lets recorded programmes follow the guide, on some or all channels. Leaves out programmes that are over, unless the
 * guide has moved them to another time altogether ({@link dropMovedAway}). Works in slices (docs/decisions/0035). The function is idempotent, so after a kill the next run completes the work.
 *
 * @param options.before only programmes that begin before this time, in milliseconds since the Unix epoch
 */
export async function followGuide(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  now: number,
  options: { channelIds?: readonly number[]; before?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const { before, signal } = options
  const channelIds = await findFollowedChannels(db, options, now)
  await new Pace(MOST_CHANNELS, 1).over(
    channelIds,
    async (channels) => {
      await retryOnDeadlock(async () => await db.transaction(async (tx) => await followSome(tx, channels)))
    },
    signal,
  )

  async function followSome(tx: Transaction, channels: readonly number[]): Promise<void> {
    // Locks out imports. An import between reading and writing would leave recordings at programmes that were
    // replaced.
    await lockGuidesOf(tx, channels)
    await dropMovedAway(tx, channels, now)
    const followed = await findFollowed(tx, { channelIds: channels, before })
    if (followed.length === 0) return
    const guides = await findShowings(tx, followed)
    const places = followed.map((programme) => ({
      id: programme.id,
      place: follow(programme, guides.get(programme.channelId) ?? []),
    }))
    const moves = places.flatMap(({ id, place }) => (place ? [{ id, place }] : []))
    await moveRecordedProgrammes(tx, moves, marginsOf(settings))
    await withholdForbidden(
      tx,
      moves.map(({ id }) => id),
      now,
    )
    const dropped = places.flatMap(({ id, place }) => (place ? [] : [id]))
    await dropRecordedProgrammes(tx, dropped, now)
  }
}
