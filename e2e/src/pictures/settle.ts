import type { Page } from 'playwright-core'

/** So long a page may take to settle, in milliseconds: a long one on a busy machine needs a good part of it. */
const PATIENCE_MS = 60_000
/** A picture that has not come by then is not wanted yet, and keeps the others waiting no longer. In milliseconds. */
const PICTURES_MS = 20_000

/**
 * Waits until fonts and pictures are there; of a `whole` page also those that come only when one scrolls to them.
 *
 * @param screen its name
 * @throws when the page does not settle within `patienceMs`, such as one that grows while one scrolls
 */
export async function settle(
  page: Page,
  screen: string,
  { whole, patienceMs = PATIENCE_MS }: { whole: boolean; patienceMs?: number },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${screen} did not settle within ${patienceMs / 1000} s`)),
      patienceMs,
    )
  })
  try {
    await Promise.race([settled(page, whole), tooLong])
  } finally {
    clearTimeout(timer)
  }
}

async function settled(page: Page, whole: boolean): Promise<void> {
  if (whole) {
    // Step by step: what is skipped is not loaded.
    await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
        scrollTo({ top: y, behavior: 'instant' })
        await nextFrame()
        await nextFrame()
      }
      scrollTo({ top: 0, behavior: 'instant' })
    })
  }
  await page.evaluate(async (picturesMs) => {
    await document.fonts.ready
    const shown = (image: HTMLImageElement) => {
      const { width, left, right } = image.getBoundingClientRect()
      return width > 0 && right > 0 && left < innerWidth
    }
    const loaded = (image: HTMLImageElement) =>
      new Promise<void>((resolve) => {
        if (image.complete) resolve()
        for (const end of ['load', 'error']) image.addEventListener(end, () => resolve(), { once: true })
      })
    const patience = new Promise<void>((resolve) => setTimeout(resolve, picturesMs))
    await Promise.race([Promise.all([...document.images].filter(shown).map(loaded)), patience])
  }, PICTURES_MS)
}

/**
 * Has a page draw what it draws only when that comes into the window, and what would be missing below it in a picture of the whole
 * page. By a sheet that the page is given: a style that a picture is taken with is an element, which the policy of our pages refuses.
 */
export async function drawAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}
