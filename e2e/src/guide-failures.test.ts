import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { guideView } from './guide-view.ts'
import { testBrowser } from './test-browser.ts'

/** Number of days to walk beyond the loaded days. */
const FURTHER_DAYS = 4

describe('a guide with a missing part', () => {
  const open = testBrowser()
  const grid = (page: Page) => page.locator('[role=grid]')
  const again = (page: Page) => page.getByRole('button', { name: 'Réessayer' })
  /** Returns the kind and the beginning of the focused tile. */
  const here = async (page: Page) =>
    await page.evaluate(() => {
      const tile = document.activeElement
      if (!(tile instanceof HTMLElement) || tile.dataset.tile === undefined) return null
      return { kind: tile.closest('td')?.dataset.kind, start: Number(tile.dataset.tile) }
    })

  /** Walks by keyboard until the focused tile shows a failed load. */
  async function walkIntoFailure(page: Page): Promise<void> {
    for (let day = 0; day < FURTHER_DAYS && (await here(page))?.kind !== 'failed'; day++) {
      for (const key of ['End', 'ArrowRight']) {
        const from = (await here(page))?.start ?? Infinity
        await page.keyboard.press(key)
        // Waits until the missing part is loaded, or shows that it could not be loaded.
        await expect.poll(async () => await grid(page).locator('[data-kind="waiting"]').count()).toBe(0)
        if (key === 'ArrowRight') expect((await here(page))?.start ?? -1).toBeGreaterThan(from)
      }
    }
    expect((await here(page))?.kind).toBe('failed')
  }

  it.each([360, 1280])(
    'V8-03 reports it in its place at %i, and offers another try there: the focus does not move',
    async (width) => {
      const { page } = await open({ viewport: { width, height: 780 }, timezoneId: 'Europe/Paris' })
      await visit(page, '/epg')
      await guideView(page).waitFor()
      await grid(page).locator('td[data-state="live"] a[data-tile]').first().focus()
      await page.route('**/proxy/epg/grid', async (route) => await route.abort())
      await walkIntoFailure(page)
      const tile = page.locator(':focus')
      expect(await tile.innerText()).toContain('Chargement impossible')
      expect(await tile.innerText()).toContain('Réessayer')
      await again(page).waitFor()
      expect(await axeFaults(page)).toEqual([])

      // The retry fails, so the message is shown again. The focus does not move.
      const at = await here(page)
      await page.keyboard.press('Enter')
      await expect.poll(async () => await here(page)).toEqual(at)
      await again(page).waitFor()
      expect(await page.locator('[role=dialog], [role=alertdialog]').count()).toBe(0)

      await page.unrouteAll({ behavior: 'wait' })
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await here(page))?.kind).toMatch(/^(?:programme|several|unknown)$/)
      await again(page).waitFor({ state: 'detached' })
      // From this tile, the keys work as usual.
      const there = (await here(page))?.start ?? Infinity
      await page.keyboard.press('End')
      await expect.poll(async () => (await here(page))?.start ?? 0).toBeGreaterThanOrEqual(there)
    },
  )

  it('V8-03 can be retried by the button beside it too, which returns the focus', async () => {
    const { page } = await open({ timezoneId: 'Europe/Paris' })
    await visit(page, '/epg')
    await guideView(page).waitFor()
    await grid(page).locator('td[data-state="live"] a[data-tile]').first().focus()
    await page.route('**/proxy/epg/grid', async (route) => await route.abort())
    await walkIntoFailure(page)
    // The focus is visible, although the message covers a part of the grid.
    const [tile, view] = await Promise.all([
      page.locator(':focus').boundingBox(),
      guideView(page).boundingBox(),
    ])
    expect((tile?.y ?? 0) + (tile?.height ?? 0)).toBeLessThanOrEqual((view?.y ?? 0) + (view?.height ?? 0))
    await page.unrouteAll({ behavior: 'wait' })
    await page.keyboard.press('Tab')
    expect(await again(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await here(page))?.kind).toMatch(/^(?:programme|several|unknown)$/)
  })
})
