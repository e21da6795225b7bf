import { listChannels } from '@ondine/contract/channels'
import { packGuide } from '@ondine/contract/guide-grid'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { atNoon, guideView } from './guide-view.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/**
 * Distance from the column of channels to the line for now, in pixels. The line then crosses the title of a tile
 * that began before the view.
 */
const ACROSS = 60
/** Largest difference of a colour component at which two colours look the same. */
const ALIKE = 60

describe('the line for now in the guide', () => {
  const open = testBrowser()
  const { origin } = sharedService()

  /** Answers with one programme over the whole requested time, on every channel. */
  async function showOneProgramme(route: Route): Promise<void> {
    const asked = new URLSearchParams(route.request().postData() ?? '')
    const start = Number(asked.get('start'))
    const rows = (await call(origin, listChannels, {})).map(({ idChannel }) => {
      const programme = {
        id: idChannel,
        id_channel: idChannel,
        title: 'La traversée de la nuit',
        startutc: start,
        endutc: start + 86_400,
        isNeedParentalCode: false,
      }
      return [idChannel, [programme]] as const
    })
    await route.fulfill({ json: { status: true, result: packGuide(rows) } })
  }

  /**
   * Scrolls until the line for now crosses the first words of the tiles. @returns the position of the line in the
   * window, in pixels
   */
  async function putLineAcross(page: Page): Promise<number> {
    const place = async () =>
      await guideView(page).evaluate((view) => {
        const label = view.querySelector('td[aria-hidden=true]')?.getBoundingClientRect()
        const names = view.querySelector('th[scope=row]')?.getBoundingClientRect()
        return { line: (label?.left ?? 0) + (label?.width ?? 0) / 2, names: names?.right ?? 0 }
      })
    const { line, names } = await place()
    await guideView(page).evaluate(
      (view, by) => view.scrollBy({ left: by, behavior: 'instant' }),
      line - names - ACROSS,
    )
    await expect
      .poll(async () => {
        const now = await place()
        return Math.abs(now.line - now.names - ACROSS)
      })
      .toBeLessThan(4)
    return (await place()).line
  }

  const GUIDES: [string, (route: Route) => Promise<void>][] = [
    ['programme', showOneProgramme],
    ['unknown', async (route) => await route.fulfill({ json: { status: true, result: packGuide([]) } })],
    ['failed', async (route) => await route.abort()],
  ]

  it.each(GUIDES)('is dim behind the letters of a tile that is %s', async (kind, handle) => {
    const { page } = await open(atNoon(origin))
    await visit(page, '/legal')
    await page.route('**/proxy/epg/grid', handle)
    await page.locator('a[href="/epg"]:visible').first().click()
    const title = page
      .locator(`[role=grid] [data-kind="${kind}"][data-state="live"] [class*="title"]`)
      .first()
    await title.waitFor()
    const line = await putLineAcross(page)
    const box = await title.boundingBox()
    expect(box?.x ?? Number.POSITIVE_INFINITY).toBeLessThan(line)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(line)
    const colour = await title.evaluate((element) => {
      const row = element.closest('tr') ?? element
      // Makes the letters transparent, so that only the ground behind them counts.
      for (const each of [element, ...element.querySelectorAll<HTMLElement>('*')])
        if (each instanceof HTMLElement) each.style.color = 'transparent'
      return getComputedStyle(row, '::before').backgroundColor
    })
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
    expect(red).toBeGreaterThan(green + ALIKE)
    const { data, info } = await sharp(await title.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const places = Array.from({ length: info.width * info.height }, (_, index) => index * 3)
    const lit = places.filter((at) =>
      [red, green, blue].every((part, offset) => Math.abs((data[at + offset] ?? 0) - part) <= ALIKE),
    )
    expect(lit).toEqual([])
  })
})
