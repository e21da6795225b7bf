import { randomInt } from 'node:crypto'
import type { InputOf } from '@ondine/contract/operation'
import type { readAsset } from '@ondine/contract/playback'

/** Data about a client for ad servers (V7-20). */
export type AdsMacro = NonNullable<InputOf<typeof readAsset>['adsMacro']>

/**
 * Returns whether the advertising id of a client can be sent and stored: only if the client says that its user does
 * not limit advertising. A client that omits `limit_ad` does not say so.
 */
function allowsTracking({ limit_ad }: AdsMacro): boolean {
  return limit_ad !== undefined && !limit_ad
}

/** Returns the data of a client without the advertising id, unless the client allows tracking. */
export function storableMacros(macros: AdsMacro): AdsMacro {
  if (allowsTracking(macros)) return macros
  const { ifa: _id, ifa_type: _type, ...others } = macros
  return others
}

/** The title and the break for which the ad server is asked. */
export interface AdOccasion {
  contentId: string
  now: number
  /** Duration of the break; omitted if it may be as long as its advertisements. */
  breakSeconds?: number
  /** Error code of VAST 4 (section 2.3.6), for error trackers only. */
  errorCode?: number
}

/** The macros that VAST 4 defines (section 6), with those that the IAB added later. */
const VAST_MACROS: ReadonlySet<string> = new Set(
  [
    'ADCATEGORIES ADCOUNT ADPLAYHEAD ADSERVINGID ADTYPE APIFRAMEWORKS APPBUNDLE ASSETURI BLOCKEDADCATEGORIES',
    'BREAKMAXADLENGTH BREAKMAXADS BREAKMAXDURATION BREAKMINADLENGTH BREAKMINDURATION BREAKPOSITION CACHEBUSTING',
    'CLICKPOS CLICKTYPE CLIENTUA CONTENTCAT CONTENTID CONTENTPLAYHEAD CONTENTURI DEVICEIP DEVICEUA DOMAIN ERRORCODE',
    'EXTENSIONS GDPRCONSENT GPPSECTIONID GPPSTRING IFA IFATYPE INVENTORYSTATE LATLONG LIMITADTRACKING MEDIAMIME',
    'MEDIAPLAYHEAD OMIDPARTNER PAGEURL PLACEMENTTYPE PLAYERCAPABILITIES PLAYERSIZE PLAYERSTATE PODSEQUENCE REASON',
    'REGULATIONS SERVERSIDE SERVERUA TIMESTAMP TRANSACTIONID UNIVERSALADID VASTVERSIONS VERIFICATIONVENDORS',
  ].flatMap((names) => names.split(' ')),
)

/** Returns whether VAST defines a macro of this name. */
export function isVastMacro(name: string): boolean {
  return VAST_MACROS.has(name)
}

/**
 * Fills the macros of an address (VAST 4, section 6). The advertising id is sent only if the client says that its user
 * does not limit advertising. Macros without a value become `-1`, as the standard demands.
 *
 * @param isMacro whether a name in brackets is a macro; by default, every name of capital letters is one
 */
export function fillMacros(
  address: string,
  macros: AdsMacro,
  { contentId, now, breakSeconds, errorCode }: AdOccasion,
  isMacro: (name: string) => boolean = () => true,
): string {
  const { page_url, device_ua, ifa, ifa_type, limit_ad } = storableMacros(macros)
  const values: Record<string, string | undefined> = {
    PAGEURL: page_url,
    DEVICEUA: device_ua,
    IFA: ifa,
    IFATYPE: ifa_type,
    LIMITADTRACKING: limit_ad === undefined ? undefined : String(Number(limit_ad)),
    CONTENTID: contentId,
    BREAKMAXDURATION: breakSeconds === undefined ? undefined : String(breakSeconds),
    ERRORCODE: errorCode === undefined ? undefined : String(errorCode),
    TIMESTAMP: new Date(now).toISOString(),
    CACHEBUSTING: String(randomInt(10_000_000, 99_999_999)),
  }
  return address.replaceAll(/\[([A-Z]+)\]/g, (written: string, name: string) =>
    isMacro(name) ? encodeURIComponent(values[name] ?? '-1') : written,
  )
}
