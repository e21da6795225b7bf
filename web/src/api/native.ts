import { createIsomorphicFn } from '@tanstack/react-start'

/** What the native shell puts beside the page. */
interface NativeShell {
  isNativePlatform?: () => boolean
}

/** Whether this page runs inside the native app. On the server it never does: the app brings its own pages. */
export const isNative = createIsomorphicFn()
  .server(() => false)
  .client(() => {
    const shell: NativeShell | undefined = Reflect.get(globalThis, 'Capacitor')
    return shell?.isNativePlatform?.() === true
  })

/** Whether there is a connection, as far as the device knows. */
export const isOnline = createIsomorphicFn()
  .server(() => true)
  .client(() => navigator.onLine)
