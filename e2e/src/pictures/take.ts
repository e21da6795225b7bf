import type { Browser, BrowserContext } from 'playwright-core'
import { signIn, watch } from '../browser.ts'
import { signInAsChild } from '../people.ts'
import { goTo, type Screen, type Who } from './screens.ts'
import { drawAll, settle } from './settle.ts'
import { shiftsOf, watchShifts } from './shifts.ts'

const WIDTHS = [360, 820, 1280, 1920] as const
const HEIGHTS = { 360: 740, 820: 1100, 1280: 720, 1920: 1080 } as const
const LOCALES = { fra: 'fr-FR', eng: 'en-GB' } as const

/**
 * Operating system of the device for each width, as in `User-Agent`, so that lists of devices show different
 * devices.
 */
const SYSTEMS = {
  360: 'Linux; Android 16; Pixel 9',
  820: 'Linux; Android 15; SM-X710',
  1280: 'Windows NT 10.0; Win64; x64',
  1920: 'Macintosh; Intel Mac OS X 10_15_7',
} as const

/** Viewer, language and window width of a picture. */
export interface Setting {
  who: Who
  language: keyof typeof LOCALES
  width: (typeof WIDTHS)[number]
}

export const SETTINGS: readonly Setting[] = (['visitor', 'subscriber', 'renter', 'child'] as const).flatMap(
  (who) => (['fra', 'eng'] as const).flatMap((language) => WIDTHS.map((width) => ({ who, language, width }))),
)

/** A picture, and the faults of its page. */
export interface Taken {
  /** Name of the picture's file. */
  picture: string
  faults: string[]
}

/** HTTP status of a screen that does not exist yet. */
const NOT_YET = 501

/**
 * Smallest layout shift that counts. Smaller shifts occur when a font loads whose letters have slightly
 * different widths.
 */
const STILL = 0.001

/** Returns whether a screen of this width is a phone or a tablet. */
export function isTouched(width: number): boolean {
  return width <= 820
}

/** Opens a browser context in which a viewer looks at all screens. */
export async function openBrowserOf(
  browser: Browser,
  origin: string,
  { who, language, width }: Setting,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height: HEIGHTS[width] },
    locale: LOCALES[language],
    // Uses the demonstration's time zone. In another zone, the layout of pages would change.
    timezoneId: 'Europe/Paris',
    hasTouch: isTouched(width),
    userAgent: `Mozilla/5.0 (${SYSTEMS[width]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version().split('.')[0]}.0.0.0 ${width === 360 ? 'Mobile ' : ''}Safari/537.36`,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(30_000)
  await context.addCookies([
    { name: 'language', value: language, url: origin },
    // Names the device in a cookie. Otherwise each run would add a device to the account.
    { name: 'device', value: `pictures-${who}-${width}`, url: origin },
  ])
  if (who !== 'visitor') {
    const page = await context.newPage()
    await (who === 'child' ? signInAsChild(page) : signIn(page, `${who}@ondine.test`))
    await page.close()
  }
  return context
}

/**
 * Takes a picture of a screen into `folder`. Shows the whole page, or only the window if something covers the
 * page.
 *
 * @returns undefined when the screen does not exist yet
 */
export async function take(
  context: BrowserContext,
  folder: string,
  screen: Screen,
  { who, language, width }: Setting,
): Promise<Taken | undefined> {
  const picture = `${who}-${language}-${width}.png`
  const faults: string[] = []
  const page = await context.newPage()
  const complaints = watch(page)
  const whole = screen.reach === undefined
  try {
    await watchShifts(page)
    if ((await goTo(page, screen)) === NOT_YET) return undefined
    await settle(page, screen.name, { whole })
    const { value, what } = await shiftsOf(page)
    if (value >= STILL)
      faults.push(`moved by ${value.toFixed(4)}: ${[...new Set(what)].slice(0, 6).join(' ')}`)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) faults.push(`wider than the window by ${over} px`)
    if (screen.mayComplain !== true) faults.push(...complaints)
    if (whole) await drawAll(page)
    await page.screenshot({ path: `${folder}/${picture}`, fullPage: whole, animations: 'disabled' })
  } catch (error) {
    faults.push(`could not be taken: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await page.close()
  }
  return { picture, faults }
}
