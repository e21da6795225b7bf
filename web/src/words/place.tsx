import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react'
import type { Place } from './format.ts'

const PlaceContext = createContext<Place | undefined>(undefined)

/**
 * The language, the time zone and the date format that this page is shown in. The server knows the zone from the last visit only; if
 * the browser is elsewhere, times change over as soon as the page is alive, and so they do when who travels looks at the page again.
 */
export function PlaceProvider({ language, timeZone, dateFormat, children }: Place & { children: ReactNode }) {
  const [zone, setZone] = useState(timeZone)
  useEffect(() => {
    // Everything that says a time follows, and at first all of it is still to be taken over from the server: never at once.
    const look = () => startTransition(() => setZone(browserTimeZone()))
    look()
    return whenSeen(look)
  }, [])
  const place = useMemo(() => ({ language, timeZone: zone, dateFormat }), [language, zone, dateFormat])
  return <PlaceContext value={place}>{children}</PlaceContext>
}

/** The language, the time zone and the date format that this page is shown in. */
export function usePlace(): Place {
  const place = use(PlaceContext)
  if (place === undefined) throw new Error('No PlaceContext above this component')
  return place
}

/** The zone of the browser's own clock. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** No event tells of another zone: it is looked for when somebody comes back to the page. */
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
