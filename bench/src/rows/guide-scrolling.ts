import { chromium, type Page } from 'playwright-core'
import { withInstallation } from '../installation.ts'
import { fillLargeGuide } from '../large-guide.ts'
import { CHROMIUM_FLAGS } from '../playing-page.ts'
import type { Figure, Row } from '../row.ts'
import { startService } from '../service.ts'
import { percentile } from '../statistics.ts'

const CHANNELS = 500
const DAY_MS = 86_400_000
const FRAMES = 90

/** Movements of the grid with their names: pixels per frame along the hours, and across the channels. */
const MOVES = [
  ['along the hours', 40, 0],
  ['down the channels', 0, 60],
  ['across', 40, 60],
] as const

/** Measures frame times in a browser that scrolls through a guide with 500 channels. */
export const guideScrolling: Row = {
  name: 'guide-scrolling',
  measure: async ({ rounds }) => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
    return await withInstallation(
      'embedded',
      async (context) => {
        await fillLargeGuide(context, { channels: CHANNELS, pastDays: 0, futureDays: 2, midnight })
      },
      async ({ environment }) => {
        const service = await startService(environment)
        const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_FLAGS })
        try {
          const context = await browser.newContext({ viewport: { width: 1280, height: 720 } })
          const page = await context.newPage()
          await page.goto(`${service.origin}/epg`)
          await page.locator('[data-global-loader][data-busy="false"]').waitFor({ state: 'attached' })
          await page.locator('td[data-state="live"]').first().waitFor()
          const figures: Figure[] = []
          for (const [how, dx, dy] of MOVES) {
            // This unmeasured scrolling loads the programmes, so that the page already has them during the
            // measurements.
            await walk(page, dx, dy)
            const worst: number[] = []
            const usual: number[] = []
            const empty: number[] = []
            for (let round = 0; round < rounds; round++) {
              empty.push(Math.max(...(await walk(page, 0, 0))))
              const frames = await walk(page, dx, dy)
              worst.push(Math.max(...frames))
              usual.push(percentile(frames, 95))
            }
            figures.push(
              {
                what: `guide scrolling, ${how}: the longest frame`,
                unit: 'ms',
                values: worst,
                target: { better: 'lower', mustReach: 34, aimsAt: 17 },
                reference: { what: 'the same page standing still', values: empty },
              },
              {
                what: `guide scrolling, ${how}: 95 of 100 frames`,
                unit: 'ms',
                values: usual,
                target: { better: 'lower', mustReach: null, aimsAt: 17 },
                reference: null,
              },
            )
          }
          return figures
        } finally {
          await browser.close()
          await service.stop()
        }
      },
    )
  },
}

/** Scrolls the grid by `dx` and `dy` pixels in each frame. @returns times between frames, in milliseconds */
async function walk(page: Page, dx: number, dy: number): Promise<number[]> {
  return await page.evaluate(
    async ({ dx, dy, count }) => {
      const grid = document.querySelector('[role="grid"]')?.parentElement?.parentElement
      if (!grid) throw new Error('There is no grid.')
      const left = grid.scrollLeft
      grid.scrollTop = 0
      const frames: number[] = []
      let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      for (let frame = 0; frame < count; frame++) {
        grid.scrollBy(dx, dy)
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
        frames.push(now - before)
        before = now
      }
      grid.scrollTo(left, 0)
      await new Promise((resolve) => requestAnimationFrame(resolve))
      return frames
    },
    { dx, dy, count: FRAMES },
  )
}
