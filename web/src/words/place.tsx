import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react'
import type { Place } from './format.ts'

const PlaceContext = createContext<Place | undefined>(undefined)

/**
 * The language, the time zone and the date format that this page is shown in. The server knows the zone from the last visit only; if
 * the browser is elsewhere, times change over as soon as the page is alive.
 */
export function PlaceProvider({ language, timeZone, dateFormat, children }: Place & { children: ReactNode }) {
  const zone = useSyncExternalStore(never, browserTimeZone, () => timeZone)
  const place = useMemo(() => ({ language, timeZone: zone, dateFormat }), [language, zone, dateFormat])
  return <PlaceContext value={place}>{children}</PlaceContext>
}

/** The language, the time zone and the date format that this page is shown in. */
export function usePlace(): Place {
  const place = use(PlaceContext)
  if (place === undefined) throw new Error('Nothing above says in which language and zone the page is')
  return place
}

/** The zone of the browser's own clock. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function never() {
  return () => {}
}
