import { environment } from './environment.ts'
import { isNative } from './native.ts'

/**
 * Returns the origin of the service, for full addresses in the browser. The pages of the native app have another origin:
 * `https://localhost` on Android, `capacitor://localhost` on iOS.
 */
export function serviceOrigin(): string {
  return isNative() ? environment().origin : location.origin
}
