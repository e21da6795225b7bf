import type { exchangePositions } from '@ondine/contract/downloads'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import { and, inArray } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { requireAccount } from '../../people/accounts/accounts.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { levelCondition, viewerOf } from '../../rights/entitlements/entitlements.service.ts'
import { seekPositionsOf, storeSeekPositions } from '../playback/playback.service.ts'

/**
 * Stores the positions of offline plays, unless the profile has watched the title elsewhere since then. The viewer's
 * right to the title may have ended after the play. But no position is stored for a child's profile in a title that the
 * profile may not see.
 *
 * @returns the positions that count now, in seconds. Titles that the profile never started have no entry.
 * @throws ServiceError forbidden if the downloads belong to another profile than the active one
 */
export async function exchangeDownloadPositions(
  context: Context,
  call: Call<'profile'>,
  { idProfile, positions }: InputOf<typeof exchangePositions>,
): Promise<OutputOf<typeof exchangePositions>> {
  const { db, now } = call
  await requireAccount(db, call.account)
  const profile = await requireProfile(db, call.account.id, call.profile.id)
  if (profile.id !== idProfile) throw new ServiceError('forbidden')
  const viewer = await viewerOf(context, call, now)
  const titles = await db
    .select({ id: assets.id, durationSeconds: assets.durationSeconds })
    .from(assets)
    .where(
      and(
        inArray(
          assets.id,
          positions.map(({ idAsset }) => idAsset),
        ),
        levelCondition(viewer, assets.moralityLevel, assets.adult),
      ),
    )
  const durations = new Map(titles.map(({ id, durationSeconds }) => [id, durationSeconds]))
  const played = positions.flatMap(({ idAsset, played: play }) => {
    const durationSeconds = durations.get(idAsset)
    if (play === undefined || durationSeconds === undefined) return []
    return {
      profileId: profile.id,
      assetId: idAsset,
      seconds: Math.min(play.seconds, durationSeconds),
      updatedAt: Math.min(Math.floor(play.at * 1000), now),
    }
  })
  if (played.length > 0) await storeSeekPositions(db, played)
  const known = await seekPositionsOf(db, profile.id, [...durations.keys()])
  return [...known].map(([idAsset, seconds]) => ({ idAsset, seconds }))
}
