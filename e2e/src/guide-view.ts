import type { BrowserContextOptions, Locator, Page } from 'playwright-core'

/** The guide's grid where it scrolls, once it is alive and stands where it is asked to. */
export function guideView(page: Page): Locator {
  return page.locator('[data-scroll-restoration-id="guide"]')
}

/** How far it is scrolled along the hours, in pixels. */
export async function guideScroll(page: Page): Promise<number> {
  return await guideView(page).evaluate((view) => Math.round(view.scrollLeft))
}

/** A zone in which that hour of the day runs. */
export function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // Their names count the other way round.
  return `Etc/GMT${ahead >= 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Where it is noon, as the service knows from a visit before: no midnight moves what a test compares. */
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
