import type { Page } from 'playwright-core'

declare global {
  interface Window {
    shifts: { value: number; what: string[] }
  }
}

/** Makes a page sum up its layout shifts. Shifts right after an input do not count. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    window.shifts = { value: 0, what: [] }
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue
        window.shifts.value += shift.value
        const place = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
        for (const { node, previousRect, currentRect } of shift.sources) {
          const element = node instanceof Element ? node : node?.parentElement
          const what = element?.outerHTML.slice(0, 60) ?? 'something that has gone'
          window.shifts.what.push(`${what} (${place(previousRect)} to ${place(currentRect)})`)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Returns the layout shifts of a page so far: their sum, and what moved. */
export async function shiftsOf(page: Page): Promise<{ value: number; what: string[] }> {
  return await page.evaluate(() => window.shifts)
}
