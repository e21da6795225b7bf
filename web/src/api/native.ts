import { createIsomorphicFn } from '@tanstack/react-start'

/** The objects that the native shell adds to the page. */
interface NativeShell {
  isNativePlatform?: () => boolean
  Plugins?: {
    App?: { addListener?: (event: 'appUrlOpen', listener: (opened: { url: string }) => void) => unknown }
    Browser?: { open?: (page: { url: string }) => Promise<void> }
  }
}

/**
 * Returns whether this page runs inside the native app. Always false on the server, because the app contains
 * its own pages.
 */
export const isNative = createIsomorphicFn()
  .server(() => false)
  .client(() => nativeShell()?.isNativePlatform?.() === true)

function nativeShell(): NativeShell | undefined {
  return Reflect.get(globalThis, 'Capacitor')
}

/** Calls `listener` with each link that opens the native app. Works only in the browser. */
export function onAppLink(listener: (link: string) => void): void {
  nativeShell()?.Plugins?.App?.addListener?.('appUrlOpen', ({ url }) => listener(url))
}

/**
 * Opens a page of another site in place of this page. The native app opens the page in a browser in front of the app.
 * The current page of the app stays open behind that browser. Works only in the browser.
 */
export function leaveFor(address: string): void {
  if (isNative()) void nativeShell()?.Plugins?.Browser?.open?.({ url: address })
  else location.assign(address)
}

/** Opens a page of another site in a new window. Works only in the browser. */
export function openBeside(address: string): void {
  if (isNative()) leaveFor(address)
  else window.open(address, '_blank', 'noopener')
}

/** Returns whether the device reports a connection. */
export const isOnline = createIsomorphicFn()
  .server(() => true)
  .client(() => navigator.onLine)
