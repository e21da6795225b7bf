import { APP_SCHEME } from '@ondine/contract/constants'
import { environment } from '../../../api/environment.ts'
import { withPrefix } from '../../../api/language-prefix.ts'
import { isNative } from '../../../api/native.ts'

/**
 * Returns the address to which another site, such as a payment page, sends the viewer back. In the native app, the
 * address has the app's scheme, because the other site is open in a browser outside of the app. Works only in the
 * browser.
 */
export function returnAddress(path: string): URL {
  if (isNative()) return new URL(`${APP_SCHEME}/${path}`)
  return new URL(withPrefix(path, environment().prefix), location.origin)
}
