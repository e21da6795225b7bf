import { isNative } from './native.ts'

/**
 * Stores a value in this browser for a number of seconds: 0 deletes the value, undefined stores it until the visit
 * ends. In a browser the value is a cookie, because the service reads it to render pages. In the native app on
 * iOS, pages have no cookies. The app therefore stores the value in `localStorage`, until it is replaced or
 * deleted.
 */
export function keep(name: string, value: string, seconds?: number): void {
  if (!isNative()) {
    const age = seconds === undefined ? '' : `;max-age=${seconds}`
    document.cookie = `${name}=${encodeURIComponent(value)};path=/${age};samesite=lax`
  } else if (seconds === 0) localStorage.removeItem(name)
  else localStorage.setItem(name, value)
}

/** Returns a value that {@link keep} or a cookie of the service has stored; undefined for a missing value. */
export function kept(name: string): string | undefined {
  if (isNative()) return localStorage.getItem(name) ?? undefined
  const start = `${name}=`
  const cookie = document.cookie.split('; ').find((each) => each.startsWith(start))
  return cookie && decoded(cookie.slice(start.length))
}

/**
 * Decodes the value of a cookie; undefined for an invalid encoding, which only a cookie of another program can have.
 */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return undefined
  }
}
