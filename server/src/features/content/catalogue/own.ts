import type { Asset } from '@ondine/contract/entities'
import { NOTHING_OWNED, type Owned, tenureOf } from '../../rights/entitlements/owned.service.ts'
import { withPosition, withTenure } from './catalogue.presenter.ts'
import type { AssetRow } from './catalogue-rows.ts'

/** A viewer's own playback positions and purchases. They are merged into the shared view of the audience. */
export interface Own {
  /** Playback positions of the profile, in seconds, by asset id. */
  seconds: ReadonlyMap<number, number>
  /** Titles and channels that the account has rented or bought separately. */
  owned: Owned
}

/** No positions, no purchases. */
export const NOTHING_OWN: Own = { seconds: new Map(), owned: NOTHING_OWNED }

/** Returns whether the viewer has no own data, and so gets the same answers as the rest of the audience. */
export function isEmpty({ seconds, owned }: Own): boolean {
  return seconds.size === 0 && owned.assets.size === 0 && owned.categories.size === 0
}

/** Returns whether the viewer has own data about an asset. */
export function concerns({ seconds, owned }: Own, row: AssetRow): boolean {
  return (seconds.get(row.id) ?? 0) > 0 || tenureOf(owned, row) !== undefined
}

/** Returns an asset with the viewer's own data. */
export function withOwn(asset: Asset, row: AssetRow, { seconds, owned }: Own): Asset {
  const at = seconds.get(row.id) ?? 0
  const tenure = tenureOf(owned, row)
  const placed = at > 0 ? withPosition(asset, at) : asset
  return tenure ? withTenure(placed, tenure) : placed
}
