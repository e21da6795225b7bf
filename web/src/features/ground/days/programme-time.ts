/**
 * Returns the last midnight at or before `now` in a time zone, in seconds since the Unix epoch. Handles days on
 * which the clocks change.
 */
export function startOfDay(now: number, timeZone: string): number {
  const clock = clockOf(timeZone)
  const sinceMidnight = (seconds: number) => {
    const part = Object.fromEntries(
      clock.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]),
    )
    return (part.hour ?? 0) * HOUR_SECONDS + (part.minute ?? 0) * 60 + (part.second ?? 0)
  }
  const whole = Math.floor(now)
  const guess = whole - sinceMidnight(whole)
  const late = sinceMidnight(guess)
  // If the clocks change on this day, the guess is before or after midnight by the size of the change.
  const midnight = late > DAY_SECONDS / 2 ? guess + DAY_SECONDS - late : guess - late
  // In places such as Havana, clocks go back at one o'clock, so midnight occurs twice. The day begins at the first
  // midnight.
  return sinceMidnight(midnight - HOUR_SECONDS) === 0 ? midnight - HOUR_SECONDS : midnight
}

/**
 * Returns the length in hours of the day that begins at `midnight`. The length is 23 or 25 if the clocks change.
 */
export function hoursOfDay(midnight: number, timeZone: string): number {
  // 36 hours after midnight is always within the next day, even if the current day has 23 or 25 hours.
  const next = startOfDay(midnight + 1.5 * DAY_SECONDS, timeZone)
  return Math.ceil((next - midnight) / HOUR_SECONDS)
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

// Creating a formatter costs a hundred times more than using it.
const CLOCKS = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = CLOCKS.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  CLOCKS.set(timeZone, made)
  return made
}
