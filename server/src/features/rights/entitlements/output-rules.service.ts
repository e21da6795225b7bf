import type { Configuration } from '@ondine/contract/configuration'
import { type Playable, tenureFor, type Viewer } from './entitlements.service.ts'

/** Output requirements in a Widevine or FairPlay licence. The device's decryption module enforces them. */
export type OutputRules = Pick<Configuration['protection'], 'security' | 'hdcp'>

/**
 * Returns the output rules for the licences of a play session, from the operator's settings. Hardware security is
 * required if the play session can play video above `hardwareAboveHeight`, or has no limit of height. Otherwise, or
 * if `hardwareAboveHeight` is 0, the setting `security` applies.
 *
 * @param maximumHeight the greatest height of video in the play session, in lines; undefined for no limit
 */
export function outputRulesFor(
  { protection: { security, hdcp, hardwareAboveHeight } }: Pick<Viewer, 'protection'>,
  maximumHeight = Number.POSITIVE_INFINITY,
): OutputRules {
  const isHigh = hardwareAboveHeight > 0 && maximumHeight > hardwareAboveHeight
  return { security: isHigh ? 'hardware' : security, hdcp }
}

/**
 * Returns the greatest height of video that a viewer may play on a device, in lines; undefined for no limit. The
 * viewer's right may limit the height. On devices without hardware security, the operator's settings limit it.
 */
export function maximumHeightFor(
  viewer: Viewer,
  playable: Playable,
  hasHardwareSecurity: boolean,
): number | undefined {
  const { hardwareAboveHeight } = viewer.protection
  const ofDevice = hasHardwareSecurity || hardwareAboveHeight === 0 ? undefined : hardwareAboveHeight
  const heights = [heightOfRight(viewer, playable), ofDevice].filter((height) => height !== undefined)
  return heights.length === 0 ? undefined : Math.min(...heights)
}

/**
 * Returns the greatest height that the viewer's right allows. Of several packages, the package with the greatest
 * height counts.
 */
function heightOfRight(viewer: Viewer, playable: Playable): number | undefined {
  const tenure = tenureFor(viewer, playable)
  if (tenure !== undefined) return tenure.maximumHeight ?? undefined
  const { packageIds, free = false } = playable
  const held = packageIds.filter((id) => viewer.packageIds.has(id))
  if (free || held.length === 0) return undefined
  const height = Math.max(...held.map((id) => viewer.packageHeights.get(id) ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(height) ? height : undefined
}
