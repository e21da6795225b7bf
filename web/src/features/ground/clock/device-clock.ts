/**
 * Returns the device's time in milliseconds since the Unix epoch. Only for code that must work without the service: a
 * page that opened without a connection cannot know the service's time.
 */
export function deviceNow(): number {
  return Date.now()
}
