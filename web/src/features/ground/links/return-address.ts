import { APP_SCHEME } from '@ondine/contract/constants'
import { environment } from '../../../api/environment.ts'
import { withPrefix } from '../../../api/language-prefix.ts'
import { isNative } from '../../../api/native.ts'

/**
 * Returns the address at which another site, such as a payment page, returns to a screen. For the native app it has the
 * app's scheme, because that site is open in a browser. Works only in the browser.
 */
export function returnAddress(path: string): URL {
  if (isNative()) return new URL(`${APP_SCHEME}/${path}`)
  return new URL(withPrefix(path, environment().prefix), location.origin)
}
