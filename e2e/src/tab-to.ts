import type { Page } from 'playwright-core'

/** More tab stops than any page has. */
const MOST_STOPS = 120

/** Presses Tab until the focus is on an element with this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const names: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    const focused = await page.evaluate(() => {
      const at = document.activeElement
      const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : []
      const named = (at?.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id))
      const words = [
        at?.getAttribute('aria-label'),
        ...[...labels, ...named, at].map((each) => each?.textContent),
      ]
      return words.find((text) => text != null && text !== '') ?? ''
    })
    // Replaces no-break spaces by ordinary spaces, so that a test can write ordinary spaces.
    const words = focused.replaceAll(/\s+/g, ' ')
    if (name.test(words)) return
    names.push(words)
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to ${name}, but to: ${names.join(' | ')}`)
}
