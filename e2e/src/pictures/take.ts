import type { Browser, BrowserContext } from 'playwright-core'
import { openPage, signIn } from '../browser.ts'
import { goTo, type Screen, type Who } from './screens.ts'
import { settle } from './settle.ts'
import { shiftsOf, watchShifts } from './shifts.ts'

export const WIDTHS = [360, 820, 1280, 1920] as const
export const LANGUAGES = { fra: 'fr-FR', eng: 'en-GB' } as const
const HEIGHTS = { 360: 740, 820: 1100, 1280: 720, 1920: 1080 } as const

/** How a picture is taken. */
export interface Setting {
  who: Who
  language: keyof typeof LANGUAGES
  width: (typeof WIDTHS)[number]
}

/** A picture, and what was wrong on its page. */
export interface Taken {
  /** Name of its file. */
  picture: string
  faults: string[]
}

/** A screen that is not there yet. */
const NOT_YET = 501

/** A shift below this is none: browsers round. */
const STILL = 0.0001

/**
 * Takes a picture of a screen into `folder`.
 *
 * @returns undefined when the screen is not there yet
 */
export async function take(
  browser: Browser,
  origin: string,
  folder: string,
  screen: Screen,
  { who, language, width }: Setting,
): Promise<Taken | undefined> {
  const picture = `${who}-${language}-${width}.png`
  const { page, complaints } = await openPage(browser, origin, {
    viewport: { width, height: HEIGHTS[width] },
    locale: LANGUAGES[language],
    hasTouch: width <= 820,
    reducedMotion: 'reduce',
  })
  const faults: string[] = []
  try {
    await prepare(page.context(), origin, language)
    if (who === 'subscriber') await signIn(page, 'subscriber@ondine.test')
    await watchShifts(page)
    const status = await goTo(page, screen)
    if (status === NOT_YET) return undefined
    await settle(page, screen.reach === undefined)
    const { value, what } = await shiftsOf(page)
    if (value > STILL)
      faults.push(`moved by ${value.toFixed(4)}: ${[...new Set(what)].slice(0, 4).join(' ')}`)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) faults.push(`wider than the window by ${over} px`)
    if (screen.mayComplain !== true) faults.push(...complaints)
    await page.screenshot({
      path: `${folder}/${picture}`,
      fullPage: screen.reach === undefined,
      animations: 'disabled',
    })
  } catch (error) {
    faults.push(`could not be taken: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await page.context().close()
  }
  return { picture, faults }
}

async function prepare(context: BrowserContext, origin: string, language: string): Promise<void> {
  context.setDefaultTimeout(20_000)
  await context.addCookies([{ name: 'language', value: language, url: origin }])
}
