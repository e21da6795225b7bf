import { routeAt } from '@ondine/web/features/ground/links/route-at'
import type { RouteName } from '@ondine/web/routes'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES } from './addresses.ts'
import { alive, launchBrowser, openPage, signIn, visit } from './browser.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'
import { PHONE } from './shell-pages.ts'

/** A kind of input for navigation. */
interface Means {
  options?: BrowserContextOptions
  /**
   * Follows one of the links to `addresses`. @returns the address of the link, or undefined if no link can be
   * reached
   */
  take(page: Page, addresses: readonly string[]): Promise<string | undefined>
  press(button: Locator): Promise<void>
}

/** More tab stops than any page has. */
const MOST_STOPS = 400

const linkTo = (page: Page, address: string) => page.locator(`a[href="${address}"]:visible`).first()

const MEANS: Readonly<Record<'mouse' | 'touch' | 'keys', Means>> = {
  mouse: {
    take: async (page, [address = '']) => {
      await linkTo(page, address).click()
      return address
    },
    press: async (button) => await button.click(),
  },
  touch: {
    options: PHONE,
    take: async (page, [address = '']) => {
      await linkTo(page, address).tap()
      return address
    },
    press: async (button) => await button.tap(),
  },
  keys: {
    take: async (page, addresses) => {
      for (let stop = 0; stop < MOST_STOPS; stop += 1) {
        await page.keyboard.press('Tab')
        const address = await page.evaluate(() => document.activeElement?.getAttribute('href'))
        if (typeof address !== 'string' || !addresses.includes(address)) continue
        await page.keyboard.press('Enter')
        return address
      }
      return undefined
    },
    press: async (button) => await button.press('Enter'),
  },
}

/**
 * Screens that a walk may miss. No link leads to the first screens: they only redirect, are steps of a flow, are
 * linked from e-mails, or are for other devices.
 */
const NO_LINK = new Set<RouteName>([
  'account',
  'library',
  'series-id',
  'landing',
  'pair',
  'receiver',
  'design',
  'player',
  'auth-callback',
  'auth-password-reset',
  'verify-email',
  'register-offers',
  'register-summary',
  'register-confirmation',
  // Links to this screen exist only in the native app.
  'others',
  // Linked only by menus and texts of an operator.
  'account-lives',
  'live-zoom',
  'slug',
  // The live screen links to groups of channels only if the channels have several genres.
  'live-events-guide-slug',
  // No page links to this screen, because the facts of a film link to `search`.
  'search-filter',
  // Screens of a purchase. This account owns everything already, so the walk buys nothing.
  'offers-checkout',
  'offers-cart',
  'offers-confirmation',
  // Downloads are off until an operator enables them, so no menu links to this screen.
  'library-downloads',
])
/** Screens that only viewers who are not signed in can open. */
const WAYS_IN = /^(auth|register)-?/
const OWN = /^(account|library)-/

describe('from link to link', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  const screenAt = (address: string) => routeAt(new URL(address, origin).pathname)?.name

  /** Returns the visible links of a page to this site. */
  async function linksOf(page: Page): Promise<string[]> {
    return await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]:not([target=_blank])')]
        .filter((link) => link.checkVisibility({ visibilityProperty: true }) && !link.closest('[inert]'))
        .map((link) => link.getAttribute('href') ?? ''),
    )
  }

  /** Follows links from home on, to each screen once. @returns the screens that it reached */
  async function walk(page: Page, means: Means): Promise<Set<RouteName>> {
    const been = new Set<RouteName>(['home'])
    const seen = new Map<string, string[]>()
    const isNew = (address: string) => {
      const screen = screenAt(address)
      // Other tests cover the player.
      return screen !== undefined && screen !== 'player' && !been.has(screen)
    }
    /** @returns whether a link was followed */
    const take = async (from: string, links: string[]): Promise<boolean> => {
      const before = page.url()
      const address = await means.take(page, links)
      if (address === undefined) {
        seen.set(from, [])
        return false
      }
      await page.waitForURL((url) => url.href !== before)
      await alive(page)
      for (const each of [address, page.url()]) been.add(screenAt(each) ?? 'home')
      const { pathname, search } = new URL(page.url())
      seen.set(pathname + search, await linksOf(page))
      return true
    }

    const takeLinksOfPages = async () => {
      for (;;) {
        // Begins with the links of the current page, which needs no new load.
        const { pathname, search } = new URL(page.url())
        const [next] = [...seen.entries()]
          .filter(([, links]) => links.some(isNew))
          .toSorted(
            ([one], [other]) => Number(other === pathname + search) - Number(one === pathname + search),
          )
        if (next === undefined) break
        const [from, links] = next
        if (page.url() !== origin + from) await visit(page, from)
        await take(from, links.filter(isNew))
      }
    }

    await visit(page, '/')
    seen.set('/', await linksOf(page))
    await takeLinksOfPages()
    // Then follows the menus of the bar. The bar is the same on every page, and this page is short.
    await visit(page, '/legal')
    const openers = page.getByRole('banner').locator('button[aria-expanded=false]:visible')
    for (let number = 0; number < (await openers.count()); number += 1) {
      for (;;) {
        const opened = `[id="${await openers.nth(number).getAttribute('aria-controls')}"]`
        await means.press(openers.nth(number))
        // The content of the menu may have to load.
        await page.locator(`input${opened}, ${opened} :is(a, button, input)`).first().waitFor()
        const links = (await linksOf(page)).filter(isNew)
        if (links.length > 0 && !(await take('menu', links)))
          throw new Error(`No menu entry leads to any of these: ${links.join(', ')}`)
        await visit(page, '/legal')
        if (links.length === 0) break
      }
    }
    // The screens that the menus have led to may link to further screens.
    await takeLinksOfPages()
    return been
  }

  it.each([
    { means: 'mouse', who: 'a visitor', user: undefined, language: 'eng' },
    { means: 'touch', who: 'a subscriber', user: 'subscriber@ondine.test', language: 'fra' },
    { means: 'keys', who: 'a subscriber', user: 'subscriber@ondine.test', language: 'eng' },
  ] as const)('$who comes to every screen that has a link, by $means, in $language', async (way) => {
    const means = MEANS[way.means]
    const { page, complaints } = await openPage(browser, origin, means.options)
    await page.context().addCookies([{ name: 'language', value: way.language, url: origin }])
    if (way.user !== undefined) await signIn(page, way.user)
    const been = await walk(page, means)
    const others = way.user === undefined ? OWN : WAYS_IN
    expect(ROUTE_NAMES.filter((name) => !been.has(name) && !NO_LINK.has(name) && !others.test(name))).toEqual(
      [],
    )
    // A screen that does not exist yet answers with 501.
    expect(complaints.filter((complaint) => !/\b501\b/.test(complaint))).toEqual([])
    await closeContext(page.context())
  })
})
