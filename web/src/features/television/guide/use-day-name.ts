import { useCallback } from 'react'
import { usePlace } from '../../../words/place.tsx'
import { dayName } from '../../ground/days/when.ts'

// Names are cached, because many tiles of a row need the name of the same day.
const NAMES = new Map<string, string>()
const MOST_NAMES = 500

/** Returns a function that names days in the language and the time zone of the page. */
export function useDayName(): (seconds: number) => string {
  const place = usePlace()
  return useCallback(
    (seconds) => {
      const key = `${place.language} ${place.timeZone} ${Math.floor(seconds / 900)}`
      const known = NAMES.get(key)
      if (known !== undefined) return known
      if (NAMES.size > MOST_NAMES) NAMES.clear()
      const name = dayName(seconds, place)
      NAMES.set(key, name)
      return name
    },
    [place],
  )
}
