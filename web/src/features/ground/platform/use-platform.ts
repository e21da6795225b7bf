import { createIsomorphicFn } from '@tanstack/react-start'
import { useSyncExternalStore } from 'react'
import { serverContext } from '../../../api/environment.ts'
import { isNative } from '../../../api/native.ts'

/**
 * Returns whether this is the native app. The server always renders the page for a browser, so the app's
 * differences appear at hydration.
 */
export function useNative(): boolean {
  return useSyncExternalStore(never, isNative, () => false)
}

/**
 * Returns whether the page has the layout of a television. The service decides on the layout by the address, a
 * cookie and the `User-Agent` (`http/television.ts`).
 */
export const isTelevision = createIsomorphicFn()
  .server(() => serverContext().television)
  .client(() => document.documentElement.dataset.television !== undefined)

/**
 * Returns the kind of device, which determines the app store (V2.4-11). An iPad identifies itself as a Macintosh,
 * but has touch points.
 */
export function useDevice(): Device {
  return useSyncExternalStore(
    never,
    () => deviceOf(navigator.userAgent, navigator.maxTouchPoints),
    () => 'desktop',
  )
}

export type Device = 'android' | 'ios' | 'desktop'

/** Returns the kind of device of a browser. */
export function deviceOf(userAgent: string, touchPoints: number): Device {
  if (/android/i.test(userAgent)) return 'android'
  const isTouchedMac = /macintosh/i.test(userAgent) && touchPoints > 1
  return isTouchedMac || /iphone|ipad|ipod/i.test(userAgent) ? 'ios' : 'desktop'
}

function never(): () => void {
  return () => {}
}
