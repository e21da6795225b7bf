import { languageTag } from '@ondine/contract/languages'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { localParts } from './days.ts'

// Making a formatter costs a hundred times more than using one.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()

/** A day by its name, for ears: `samedi 21 novembre`. Seconds since the Unix epoch. */
export function dayName(
  seconds: number,
  { language, timeZone }: Pick<Place, 'language' | 'timeZone'>,
): string {
  const key = `${language} ${timeZone}`
  const made =
    FORMATTERS.get(key) ??
    new Intl.DateTimeFormat(languageTag(language), {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone,
    })
  FORMATTERS.set(key, made)
  return made.format(seconds * 1000)
}

// A row of tiles asks for the same day many times.
const NAMES = new Map<string, string>()
const LARGEST_CACHE = 500

/** Gives the names of days in the language and the zone of the page. */
export function useDayName(): (seconds: number) => string {
  const place = usePlace()
  return useCallback(
    (seconds) => {
      const key = `${place.language} ${place.timeZone} ${Math.floor(seconds / 900)}`
      const known = NAMES.get(key)
      if (known !== undefined) return known
      if (NAMES.size > LARGEST_CACHE) NAMES.clear()
      const name = dayName(seconds, place)
      NAMES.set(key, name)
      return name
    },
    [place],
  )
}

/** The words on the tab of a day: `Aujourd’hui`, else its weekday and its number. */
export function useDayTab(today: string): (seconds: number) => { name: string; label: string } {
  const { t } = useTranslation()
  const place = usePlace()
  return (seconds) => {
    const { language, timeZone } = place
    const { date } = localParts(seconds, timeZone)
    const label = dayName(seconds, place)
    const short = new Intl.DateTimeFormat(languageTag(language), {
      weekday: 'short',
      day: 'numeric',
      timeZone,
    })
    return { name: date === today ? t('guide.today') : short.format(seconds * 1000), label }
  }
}
