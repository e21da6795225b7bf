import { randomInt } from 'node:crypto'
import type { InputOf } from '@ondine/contract/operation'
import type { readAsset } from '@ondine/contract/playback'

/** Data about a client for ad servers (V7-20). */
export type AdsMacro = NonNullable<InputOf<typeof readAsset>['adsMacro']>

/**
 * Fills the macros of an address (VAST 4, section 6). The advertising id of a client that limits advertising is
 * not sent. Macros without a value become `-1`, as the standard demands: a client that says nothing about limits, such as
 * a browser, has not allowed tracking.
 */
export function fillMacros(
  address: string,
  { page_url, device_ua, ifa, ifa_type, limit_ad }: AdsMacro,
  { contentId, now }: { contentId: string; now: number },
): string {
  const isLimited = Boolean(limit_ad)
  const values: Record<string, string | undefined> = {
    PAGEURL: page_url,
    DEVICEUA: device_ua,
    IFA: isLimited ? undefined : ifa,
    IFATYPE: isLimited ? undefined : ifa_type,
    LIMITADTRACKING: limit_ad === undefined ? undefined : String(Number(limit_ad)),
    CONTENTID: contentId,
    TIMESTAMP: new Date(now).toISOString(),
    CACHEBUSTING: String(randomInt(10_000_000, 99_999_999)),
  }
  return address.replaceAll(/\[([A-Z]+)\]/g, (_, name: string) => encodeURIComponent(values[name] ?? '-1'))
}
