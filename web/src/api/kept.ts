import { isNative } from './native.ts'

/**
 * Keeps a value in this browser for a number of seconds: 0 deletes it, undefined keeps it for this visit. In a browser the
 * value is a cookie, so that the service can render pages by it. The pages of the native app have no cookies on iOS, and
 * the service does not render them, so the app keeps the value until it is replaced or deleted.
 */
export function keep(name: string, value: string, seconds?: number): void {
  if (!isNative()) {
    const age = seconds === undefined ? '' : `;max-age=${seconds}`
    document.cookie = `${name}=${encodeURIComponent(value)};path=/${age};samesite=lax`
  } else if (seconds === 0) localStorage.removeItem(name)
  else localStorage.setItem(name, value)
}

/** Returns a value of {@link keep}, or of a cookie that the service has set; undefined for none. */
export function kept(name: string): string | undefined {
  if (isNative()) return localStorage.getItem(name) ?? undefined
  const start = `${name}=`
  const cookie = document.cookie.split('; ').find((each) => each.startsWith(start))
  return cookie && decoded(cookie.slice(start.length))
}

/** Decodes a value; undefined for one that this site has not written. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return undefined
  }
}
