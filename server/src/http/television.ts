import { describeDevice } from '@ondine/contract/device-names'

/** What a request says about its layout. */
interface LayoutWish {
  /** The parameter `television` of the address. */
  asked: string | null
  /** The value of the browser's cookie. */
  remembered: string | undefined
  userAgent: string | undefined
}

/** The layout of a page. */
interface Layout {
  /** Whether the page has the layout of a television. */
  television: boolean
  /** The new value of the browser's cookie; undefined if the browser has that value. */
  toRemember: '0' | '1' | undefined
}

/**
 * Returns the layout of a page: that of the address, else that of the cookie, else that of the `User-Agent`. A
 * television gets the cookie, because a CDN tells apart pages by cookies only.
 */
export function layoutOf({ asked, remembered, userAgent = '' }: LayoutWish): Layout {
  const chosen = flagOf(asked)
  const known = flagOf(remembered)
  if (chosen !== undefined)
    return { television: chosen === '1', toRemember: chosen === known ? undefined : chosen }
  if (known !== undefined) return { television: known === '1', toRemember: undefined }
  const television = describeDevice(userAgent).type === 'device_tv'
  return { television, toRemember: television ? '1' : undefined }
}

function flagOf(value: string | null | undefined): '0' | '1' | undefined {
  return value === '0' || value === '1' ? value : undefined
}
