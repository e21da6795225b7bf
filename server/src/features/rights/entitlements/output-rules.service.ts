import type { Configuration } from '@ondine/contract/configuration'
import { type Playable, tenureFor, type Viewer } from './entitlements.service.ts'

/** Requirements of a Widevine or FairPlay licence for the device. The decryption module enforces them. */
export type OutputRules = Pick<Configuration['protection'], 'security' | 'hdcp'>

/**
 * Returns the rules of the licences of a session: the operator's settings for the storefront. Where higher video needs
 * hardware security, a session without a limit of height needs it too.
 *
 * @param maximumHeight the largest height of video in the session, in lines; undefined for any
 */
export function outputRulesFor(
  { protection: { security, hdcp, hardwareAboveHeight } }: Pick<Viewer, 'protection'>,
  maximumHeight = Number.POSITIVE_INFINITY,
): OutputRules {
  const isHigh = hardwareAboveHeight > 0 && maximumHeight > hardwareAboveHeight
  return { security: isHigh ? 'hardware' : security, hdcp }
}

/**
 * Returns the largest height of video that a viewer may play on a device, in lines; undefined for any. The right by which
 * the viewer plays may limit the height. The operator limits it on devices without hardware security.
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

/** Returns the largest height that the viewer's right allows. Of several packages, the best one counts. */
function heightOfRight(viewer: Viewer, playable: Playable): number | undefined {
  const tenure = tenureFor(viewer, playable)
  if (tenure !== undefined) return tenure.maximumHeight ?? undefined
  const { packageIds, free = false } = playable
  const held = packageIds.filter((id) => viewer.packageIds.has(id))
  if (free || held.length === 0) return undefined
  const height = Math.max(...held.map((id) => viewer.packageHeights.get(id) ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(height) ? height : undefined
}
