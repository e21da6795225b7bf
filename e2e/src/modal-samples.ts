import type { Page } from 'playwright-core'

/**
 * Removes all samples from the gallery at `/design` but those of modals. The browser and axe would spend most of the time
 * on the other samples.
 */
export async function keepModalSamples(page: Page): Promise<void> {
  await page
    .locator('main > section')
    .filter({ hasNot: page.getByRole('button', { name: 'confirm', exact: true }) })
    .evaluateAll((others) => {
      for (const other of others) other.remove()
    })
}
