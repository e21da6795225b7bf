import type { Locator, Page } from 'playwright-core'

/** The guide's grid where it scrolls, once it is alive and stands where it is asked to. */
export function guideView(page: Page): Locator {
  return page.locator('[data-scroll-restoration-id="guide"]')
}

/** How far it is scrolled along the hours, in pixels. */
export async function guideScroll(page: Page): Promise<number> {
  return await guideView(page).evaluate((view) => Math.round(view.scrollLeft))
}
