import type { Page } from 'playwright-core'

declare global {
  interface Window {
    shifts: { value: number; what: string[] }
  }
}

/** Makes a page add up how far what it shows moves by itself, as browsers count it (layout shift). */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    window.shifts = { value: 0, what: [] }
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue
        window.shifts.value += shift.value
        for (const { node } of shift.sources) {
          const element = node instanceof Element ? node : node?.parentElement
          window.shifts.what.push(element?.outerHTML.slice(0, 80) ?? 'something that has gone')
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** What moved on a page so far. */
export async function shiftsOf(page: Page): Promise<{ value: number; what: string[] }> {
  return await page.evaluate(() => window.shifts)
}
