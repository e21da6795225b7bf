import type { BrowserContextOptions, Locator, Page } from 'playwright-core'

/** Locates the scroll container of the guide's grid. Finds nothing until the grid is hydrated and has scrolled to its first position. */
export function guideView(page: Page): Locator {
  return page.locator('[data-scroll-restoration-id="guide"]')
}

/** Returns how far the guide is scrolled along the hours, in pixels. */
export async function guideScroll(page: Page): Promise<number> {
  return await guideView(page).evaluate((view) => Math.round(view.scrollLeft))
}

/** Returns a time zone in which the current hour of the day is `hour`. */
export function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // The names of these zones have the inverse sign: `Etc/GMT-2` is two hours ahead of UTC.
  return `Etc/GMT${ahead >= 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/**
 * Returns options for a time zone where it is noon, so that no midnight interferes with the test. The cookie of
 * an earlier visit tells the service the zone.
 */
export function atNoon(origin: string): BrowserContextOptions {
  const timezoneId = zoneAt(12)
  const zone = { name: 'timezone', value: timezoneId, domain: new URL(origin).hostname, path: '/' }
  return {
    timezoneId,
    storageState: {
      cookies: [{ ...zone, expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' }],
      origins: [],
    },
  }
}
