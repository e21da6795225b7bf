import { APP_SCHEME } from '@ondine/contract/constants'
import { invalidFields } from '../../../http/errors.ts'

/** Sites and apps to which a payment page may return the customer. */
export interface ReturnPlaces {
  /** Scheme and host of this site; empty if unknown. */
  origin: string
  /** Origins of native apps (`APP_ORIGINS`). */
  appOrigins: readonly string[]
}

/**
 * Returns the validated address to which a payment page returns the customer. The address must be on this site or
 * in the app. A path without a host is on this site.
 *
 * @throws ServiceError invalidInput for any other address
 */
export function returnAddress(written: string, { origin, appOrigins }: ReturnPlaces): URL {
  const url = URL.parse(written, origin || undefined)
  if (url && !url.username && !url.password) {
    if (origin !== '' && url.origin === origin) return url
    // `URL.origin` is the string `null` for the scheme of an app, so compare the scheme and the host.
    if (url.protocol === APP_SCHEME || appOrigins.includes(`${url.protocol}//${url.host}`)) return url
  }
  throw invalidFields([{ field: 'returnUrl', message: 'must be an address of this site or of the app' }])
}

/** Adds the id of an order to an address (A4.8-09). */
export function withOrder(address: URL, orderId: number): string {
  const url = new URL(address)
  url.searchParams.set('orderId', String(orderId))
  return url.href
}
