import type { Page } from 'playwright-core'

/** Time that a page may take to settle, in milliseconds. A long page on a busy machine needs much of this time. */
const PATIENCE_MS = 60_000
/** Longest wait for images, in milliseconds. The picture is then taken without the missing images. */
const PICTURES_MS = 20_000

/**
 * Waits until fonts and images are loaded. For a `whole` page, this includes images that load only when the viewer
 * scrolls to them.
 *
 * @param screen name of the screen, for the error
 * @throws Error when the page does not settle within `patienceMs`, for example when it grows during the scrolling
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
    // Scrolls in steps, because the browser does not load images that a longer step skips.
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
 * Makes a page draw the parts that it otherwise draws only inside the window. Without this, a picture of the whole
 * page would be empty below the window. Uses an adopted style sheet. The `style` option of a screenshot would add
 * an element, which the page's content security policy blocks.
 */
export async function drawAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}
