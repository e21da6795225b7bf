import { useRouteContext } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { Place } from './format.ts'

/**
 * The language and the time zone that this page is shown in. The server knows the zone from the last visit only; if
 * the browser is elsewhere, times change over as soon as the page is alive.
 */
export function usePlace(): Place {
  const environment = useRouteContext({ from: '__root__', select: (context) => context.environment })
  const timeZone = useSyncExternalStore(never, browserTimeZone, () => environment.timeZone)
  return { language: environment.language, timeZone }
}

/** The zone of the browser's own clock. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function never() {
  return () => {}
}
