import { useSyncExternalStore } from 'react'
import { isNative } from '../../api/native.ts'

/** Whether this is the native app. The server never draws for it: what differs appears as soon as the page is alive. */
export function useNative(): boolean {
  return useSyncExternalStore(never, isNative, () => false)
}

/** The kind of device, for its store (V2.4-11). A tablet of Apple's says that it is a computer, but is touched. */
export function useDevice(): Device {
  return useSyncExternalStore(
    never,
    () => deviceOf(navigator.userAgent, navigator.maxTouchPoints),
    () => 'desktop',
  )
}

export type Device = 'android' | 'ios' | 'desktop'

/** Which kind of device a browser says that it runs on. */
export function deviceOf(userAgent: string, touchPoints: number): Device {
  if (/android/i.test(userAgent)) return 'android'
  const isTouchedMac = /macintosh/i.test(userAgent) && touchPoints > 1
  return isTouchedMac || /iphone|ipad|ipod/i.test(userAgent) ? 'ios' : 'desktop'
}

function never(): () => void {
  return () => {}
}
