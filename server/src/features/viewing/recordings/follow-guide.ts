import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import { follow } from './follow-programme.ts'
import { findFollowed, findFollowedChannels, findShowings } from './guide-places.ts'
import { dropRecordedProgrammes, moveRecordedProgrammes } from './recorded-programmes.repository.ts'
import { marginsOf } from './recordings.service.ts'

/** Most channels whose guides are read together. */
const MOST_CHANNELS = 20

/**
 * Lets recorded programmes follow the guide: those of some channels, or of all channels, that are not over. Works in
 * slices (docs/decisions/0035). Running it again changes nothing, so a killed process loses nothing.
 *
 * @param options.before only programmes that begin before this time, in milliseconds since the Unix epoch
 */
export async function followGuide(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  now: number,
  options: { channelIds?: readonly number[]; before?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const { before, signal } = options
  const channelIds = options.channelIds ?? (await findFollowedChannels(db, before))
  await new Pace(MOST_CHANNELS, 1).over(
    channelIds,
    async (some) => {
      const followed = await findFollowed(db, { channelIds: some, before })
      if (followed.length === 0) return
      const guides = await findShowings(db, followed)
      const places = followed.map((programme) => ({
        id: programme.id,
        place: follow(programme, guides.get(programme.channelId) ?? []),
      }))
      const moves = places.flatMap(({ id, place }) => (place ? [{ id, place }] : []))
      await moveRecordedProgrammes(db, moves, marginsOf(settings))
      const dropped = places.flatMap(({ id, place }) => (place ? [] : [id]))
      await dropRecordedProgrammes(db, dropped, now)
    },
    signal,
  )
}
