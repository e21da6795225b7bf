import { createIsomorphicFn } from '@tanstack/react-start'

/** The objects that the native shell adds to the page. */
interface NativeShell {
  isNativePlatform?: () => boolean
  Plugins?: {
    App?: { addListener?: (event: 'appUrlOpen', listener: (opened: { url: string }) => void) => unknown }
  }
}

/**
 * Returns whether this page runs inside the native app. Always false on the server, because the app contains
 * its own pages.
 */
export const isNative = createIsomorphicFn()
  .server(() => false)
  .client(() => {
    const shell: NativeShell | undefined = Reflect.get(globalThis, 'Capacitor')
    return shell?.isNativePlatform?.() === true
  })

/** Calls `listener` with each link that opens the native app. Works only in the browser. */
export function onAppLink(listener: (link: string) => void): void {
  const shell: NativeShell | undefined = Reflect.get(globalThis, 'Capacitor')
  shell?.Plugins?.App?.addListener?.('appUrlOpen', ({ url }) => listener(url))
}

/** Returns whether the device reports a connection. */
export const isOnline = createIsomorphicFn()
  .server(() => true)
  .client(() => navigator.onLine)
