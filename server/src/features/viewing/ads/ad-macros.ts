import { randomInt } from 'node:crypto'
import type { InputOf } from '@ondine/contract/operation'
import type { readAsset } from '@ondine/contract/playback'

/** Data about a client for ad servers (V7-20). */
export type AdsMacro = NonNullable<InputOf<typeof readAsset>['adsMacro']>

/**
 * Fills the macros of an address (VAST 4, section 6). Leaves out the advertising id if the client limits ad tracking.
 * Unknown macros become `-1`, as the standard demands.
 */
export function fillMacros(
  address: string,
  { page_url, device_ua, ifa, ifa_type, limit_ad }: AdsMacro,
  { contentId, now }: { contentId: string; now: number },
): string {
  const isLimited = limit_ad === true || limit_ad === 1
  const values: Record<string, string | undefined> = {
    PAGEURL: page_url,
    DEVICEUA: device_ua,
    IFA: isLimited ? undefined : ifa,
    IFATYPE: isLimited ? undefined : ifa_type,
    LIMITADTRACKING: isLimited ? '1' : '0',
    CONTENTID: contentId,
    TIMESTAMP: new Date(now).toISOString(),
    CACHEBUSTING: String(randomInt(10_000_000, 99_999_999)),
  }
  return address.replaceAll(/\[([A-Z]+)\]/g, (_, name: string) => encodeURIComponent(values[name] ?? '-1'))
}
