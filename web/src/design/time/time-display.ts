import { PLAYER } from '@ondine/contract/constants'

const MINUTE = 60
const HOUR = 3600

/**
 * Formats a position in seconds as `2:36`. If the duration exceeds an hour, the format always has hours, so that
 * it does not change during playback (V9-03).
 */
export function playerTime(seconds: number, durationSeconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const rest = String(whole % MINUTE).padStart(2, '0')
  const minutes = Math.floor(whole / MINUTE)
  if (durationSeconds * 1000 <= PLAYER.hourlyDisplayMs && whole < HOUR) return `${minutes}:${rest}`
  return `${Math.floor(whole / HOUR)}:${String(minutes % MINUTE).padStart(2, '0')}:${rest}`
}

/** Formats a position in seconds as words for screen readers, such as `22 minutes 36 secondes`. */
export function spokenTime(seconds: number, languageTag: string): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / HOUR), 'hour'],
    [Math.floor(whole / MINUTE) % MINUTE, 'minute'],
    [whole % MINUTE, 'second'],
  ] as const
  const said = parts.filter(([amount, unit]) => amount > 0 || (unit === 'second' && whole === 0))
  return said.map(([amount, unit]) => unitFormat(languageTag, unit).format(amount)).join(' ')
}

// Cached, because creating a formatter costs far more than using it, and the seek bar formats a time several times
// a second.
const FORMATS = new Map<string, Intl.NumberFormat>()

function unitFormat(languageTag: string, unit: 'hour' | 'minute' | 'second'): Intl.NumberFormat {
  const key = `${languageTag} ${unit}`
  const known = FORMATS.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(languageTag, { style: 'unit', unit, unitDisplay: 'long' })
  FORMATS.set(key, made)
  return made
}
