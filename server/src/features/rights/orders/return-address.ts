import { APP_SCHEME } from '@ondine/contract/constants'
import { invalidFields } from '../../../http/errors.ts'

/** Where a payment page may lead back to. */
export interface ReturnPlaces {
  /** Scheme and host of this site; empty where it is not known. */
  origin: string
  /** Origins of native apps (`APP_ORIGINS`). */
  appOrigins: readonly string[]
}

/**
 * The address that a payment page leads back to: of this site, or of the app. A path alone is one of this site.
 *
 * @throws ServiceError invalidInput for any other
 */
export function returnAddress(written: string, { origin, appOrigins }: ReturnPlaces): URL {
  const url = URL.parse(written, origin || undefined)
  if (url && !url.username && !url.password) {
    if (origin !== '' && url.origin === origin) return url
    // The origin of such a scheme is opaque to URL.
    if (url.protocol === APP_SCHEME || appOrigins.includes(`${url.protocol}//${url.host}`)) return url
  }
  throw invalidFields([{ field: 'returnUrl', message: 'must be an address of this site or of the app' }])
}

/** The address with the order in it (A4.8-09). */
export function withOrder(address: URL, orderId: number): string {
  const url = new URL(address)
  url.searchParams.set('orderId', String(orderId))
  return url.href
}
