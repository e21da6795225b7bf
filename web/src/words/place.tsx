import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react'
import type { Place } from './format.ts'

const PlaceContext = createContext<Place | undefined>(undefined)

/**
 * Provides the language, the time zone and the date format of the page. The server has the time zone only from the
 * previous visit. If the browser is in another zone, the times change after hydration. They also change when the
 * viewer changes the device's time zone and returns to the page.
 */
export function PlaceProvider({ language, timeZone, dateFormat, children }: Place & { children: ReactNode }) {
  const [zone, setZone] = useState(timeZone)
  useEffect(() => {
    // A transition, because all times on the page change, and hydration may still be in progress.
    const look = () => startTransition(() => setZone(browserTimeZone()))
    look()
    return whenSeen(look)
  }, [])
  const place = useMemo(() => ({ language, timeZone: zone, dateFormat }), [language, zone, dateFormat])
  return <PlaceContext value={place}>{children}</PlaceContext>
}

/** Returns the language, the time zone and the date format of the page. */
export function usePlace(): Place {
  const place = use(PlaceContext)
  if (place === undefined) throw new Error('No PlaceContext above this component')
  return place
}

/** Returns the time zone of the browser. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Calls `changed` when the viewer returns to the page. Browsers have no event for a change of the time zone. */
function whenSeen(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  addEventListener('focus', changed)
  addEventListener('pageshow', changed)
  return () => {
    document.removeEventListener('visibilitychange', changed)
    removeEventListener('focus', changed)
    removeEventListener('pageshow', changed)
  }
}
