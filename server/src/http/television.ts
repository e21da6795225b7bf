import { describeDevice } from '@ondine/contract/device-names'

/** The parts of a request that decide the layout. */
interface LayoutWish {
  /** The parameter `television` of the address. */
  asked: string | null
  /** The value of the browser's cookie. */
  remembered: string | undefined
  userAgent: string | undefined
  /** Whether a page of another site led to this page. */
  isFromOtherSite: boolean
}

/** The layout of a page. */
interface Layout {
  /** Whether the page has the layout of a television. */
  television: boolean
  /** The new value of the browser's cookie; undefined if the cookie stays as it is. */
  toRemember: '0' | '1' | undefined
  /** Whether every browser with the same cookie gets this layout at this address. */
  isForAll: boolean
}

/**
 * Returns the layout of a page. The address decides first, then the cookie, then the `User-Agent`. A television gets
 * the cookie with its first page, because cached pages vary by cookies and not by `User-Agent`.
 *
 * A link on another site chooses the layout for its target page only, and sets no cookie. Otherwise any site could
 * change a viewer's layout permanently. The app packages of televisions also come from another site, so the cookie is
 * set if the `User-Agent` is a television's.
 */
export function layoutOf({ asked, remembered, userAgent = '', isFromOtherSite }: LayoutWish): Layout {
  const chosen = flagOf(asked)
  const known = flagOf(remembered)
  if (chosen === undefined && known !== undefined)
    return { television: known === '1', toRemember: undefined, isForAll: true }
  const isSet = describeDevice(userAgent).type === 'device_tv'
  if (chosen === undefined)
    return { television: isSet, toRemember: isSet ? '1' : undefined, isForAll: !isSet }
  const isConfirmed = !isFromOtherSite || (chosen === '1' && isSet)
  return {
    television: chosen === '1',
    toRemember: chosen === known || !isConfirmed ? undefined : chosen,
    isForAll: chosen === known,
  }
}

function flagOf(value: string | null | undefined): '0' | '1' | undefined {
  return value === '0' || value === '1' ? value : undefined
}
