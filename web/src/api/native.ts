import { createIsomorphicFn } from '@tanstack/react-start'

/** What the native shell puts beside the page. */
interface NativeShell {
  isNativePlatform?: () => boolean
  Plugins?: {
    App?: { addListener?: (event: 'appUrlOpen', listener: (opened: { url: string }) => void) => unknown }
  }
}

/** Whether this page runs inside the native app. On the server it never does: the app brings its own pages. */
export const isNative = createIsomorphicFn()
  .server(() => false)
  .client(() => {
    const shell: NativeShell | undefined = Reflect.get(globalThis, 'Capacitor')
    return shell?.isNativePlatform?.() === true
  })

/** Tells of each link that the native app is opened with. Only in the browser. */
export function onAppLink(listener: (link: string) => void): void {
  const shell: NativeShell | undefined = Reflect.get(globalThis, 'Capacitor')
  shell?.Plugins?.App?.addListener?.('appUrlOpen', ({ url }) => listener(url))
}

/** Whether there is a connection, as far as the device knows. */
export const isOnline = createIsomorphicFn()
  .server(() => true)
  .client(() => navigator.onLine)
