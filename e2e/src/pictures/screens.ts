import type { RouteName } from '@ondine/web/routes'
import type { Page, Route } from 'playwright-core'
import { ROUTE_NAMES } from '../addresses.ts'
import { visit } from '../browser.ts'
import { findAsset } from '../service-calls.ts'

/** The renter has no subscription: rentals, receipts, and a card. */
export type Who = 'visitor' | 'subscriber' | 'renter' | 'child'

/** Something to take a picture of. */
export interface Screen {
  name: string
  path: string
  /** Who sees it; both where it differs. */
  who: readonly Who[]
  /** What is done on the page before the picture; without it the whole page is taken, with it the window. */
  reach?: (page: Page) => Promise<void>
  /** Widths at which it exists, in px; all when left out. */
  existsAt?: (width: number) => boolean
  /** Complaints that belong to it, such as the failing call that it shows. */
  mayComplain?: boolean
}

/** Screens that a visitor reaches by signing in only, and those that nobody sees who is signed in. */
const OWN = /^(account|library|player|offers-(cart|checkout|confirmation))/
/** Screens of the account where rentals stand. */
const OF_RENTALS = /^(account-products|library-(rentals|past))$/
const WAYS_IN = /^(auth-|register|verify-email|landing)/

/** Screens that show what the demonstration's magazine or its films' facts bring. */
const WRITTEN: Partial<Record<RouteName, string>> = {
  'editorial-type-slug': '/read/articles/lire-la-mer',
  'disciplines-slug': '/disciplines/voile',
  'search-filter': '/search/filter/year-2026',
  slug: '/about',
}

/** Every screen of the table, and every state that lies above or behind one. */
export async function allScreens(origin: string, addresses: Record<RouteName, string>): Promise<Screen[]> {
  const film = await findAsset(origin, 'La Houle')
  const strong = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
  const routes = ROUTE_NAMES.filter((name) => name !== 'player').map((name) => ({
    name,
    path: WRITTEN[name] ?? addresses[name],
    who: whoSees(name),
  }))
  return [
    ...routes,
    {
      name: 'offline',
      path: '/live',
      who: ['visitor'],
      // The event alone: the connection is that of all pages of the browser.
      reach: async (page) => {
        await page.evaluate(() => dispatchEvent(new Event('offline')))
        await page
          .locator('output')
          .filter({ hasText: /hors connexion|offline/ })
          .waitFor()
      },
    },
    { name: 'not-found', path: '/nothing/here', who: ['visitor', 'child'], mayComplain: true },
    { name: 'above-level', path: strong.detailRoute, who: ['child'], mayComplain: true },
    ...searches(),
    ...menus(),
    ...forms(),
    ...modals(),
    ...failures(film.id),
    ...skeletons(film.id, addresses),
    ...buying(film.detailRoute),
    ...playing(film.id),
  ]
}

function whoSees(name: RouteName): readonly Who[] {
  if (OF_RENTALS.test(name)) return ['subscriber', 'renter']
  if (OWN.test(name)) return ['subscriber']
  if (name === 'home') return ['visitor', 'subscriber', 'child']
  return WAYS_IN.test(name) || name === 'design' ? ['visitor'] : ['visitor', 'subscriber']
}

function searches(): Screen[] {
  const typing = async (page: Page) => {
    await page.getByRole('button', { name: /^(Ouvrir la recherche|Open search)$/ }).click()
    const field = page.getByRole('banner').locator('input[type=search]')
    await field.pressSequentially('houl')
    await page.getByRole('option', { name: /La Houle|The Swell/ }).waitFor()
  }
  return [
    { name: 'search-nothing', path: '/search/zzyzx', who: ['visitor'] },
    { name: 'search-misspelt', path: '/search/huole', who: ['visitor'] },
    { name: 'search-series', path: '/search/m%C3%A9tier?type=series', who: ['visitor'] },
    { name: 'search-suggestions', path: '/live', who: ['visitor'], reach: typing },
  ]
}

function menus(): Screen[] {
  return [
    {
      name: 'dropdown',
      path: '/live',
      who: ['visitor'],
      existsAt: (width) => width >= 600,
      reach: async (page) =>
        await page.getByRole('banner').locator('nav button[aria-expanded]').first().click(),
    },
    {
      name: 'profile-menu',
      path: '/live',
      who: ['subscriber'],
      reach: async (page) => await page.getByRole('button', { name: /^Compte\s:|’s account$/ }).click(),
    },
    {
      name: 'card-menu',
      path: '/all-content',
      who: ['visitor', 'subscriber'],
      reach: async (page) => {
        await page.locator('main a[href^="/content/"]').first().press('Shift+F10')
        await page.getByRole('dialog').waitFor()
      },
    },
  ]
}

function forms(): Screen[] {
  return [
    {
      name: 'callback-refused',
      path: '/auth/callback?code=stolen&state=x',
      who: ['visitor'],
      mayComplain: true,
      reach: async (page) =>
        await page
          .locator('main h1')
          .filter({ hasText: /^(La connexion n’a|We couldn’t sign)/ })
          .waitFor(),
    },
    {
      name: 'form-faults',
      path: '/auth/login',
      who: ['visitor'],
      reach: async (page) => {
        await page.locator('main form button[type=submit]').click()
        await page.locator('main [aria-invalid=true]').first().waitFor()
      },
    },
  ]
}

/** One kind of each family, by the name of the button that opens it at /design. */
const MODALS = [
  'alert',
  'confirm',
  'input',
  'download',
  'share',
  'switchProfile',
  'manageDevices',
  'aISummary',
]

function modals(): Screen[] {
  return MODALS.map((kind) => ({
    name: `modal-${kind}`,
    path: '/design',
    who: ['visitor'],
    reach: async (page) => {
      await page.getByRole('button', { name: kind, exact: true }).click()
      await page.locator('[role=dialog], [role=alertdialog]').waitFor()
    },
  }))
}

/** Error pages come up where a screen's own data cannot be had on the way to it. */
function failures(film: number): Screen[] {
  const failing = (handle: (route: Route) => Promise<void>) => async (page: Page) => {
    await page.route('**/proxy/contentData*', handle)
    await page.locator(`main a[href^="/content/"][href$="-${film}"]`).first().click()
    await page
      .locator('main h1')
      .filter({ hasText: /^(Une erreur est survenue|An error has occurred)/ })
      .waitFor()
  }
  const nonsense = { status: true, result: { content: 7 } }
  return [
    {
      name: 'error-500',
      path: '/all-content',
      who: ['visitor'],
      mayComplain: true,
      reach: failing(async (route) => await route.fulfill({ json: nonsense })),
    },
    {
      name: 'error-503',
      path: '/all-content',
      who: ['visitor'],
      mayComplain: true,
      reach: failing(async (route) => await route.abort('connectionrefused')),
    },
  ]
}

/** From a title that is sold to the page that is paid on. */
function buying(film: string): Screen[] {
  const ordered = (link: RegExp) => async (page: Page) => {
    await page.locator('main').getByRole('link', { name: link }).first().click()
    await page.locator('main input[type=checkbox]').first().waitFor()
  }
  const compare = async (page: Page) => {
    await page
      .locator('main')
      .getByRole('button', { name: /^Compare/ })
      .click()
    await page.getByRole('dialog').waitFor()
  }
  return [
    { name: 'title-sold', path: film, who: ['renter'] },
    { name: 'title-compare', path: film, who: ['renter'], reach: compare },
    { name: 'cart-rental', path: film, who: ['renter'], reach: ordered(/^(Louer|Rent) /) },
    { name: 'cart-plan', path: '/offers', who: ['renter'], reach: ordered(/^(S’abonner|Subscribe)/) },
  ]
}

/** What stands in a screen's place while its data is on the way. */
function skeletons(film: number, addresses: Record<RouteName, string>): Screen[] {
  const holding = (call: string, link: string) => async (page: Page) => {
    // The call is never answered: the page is closed before.
    await page.route(`**/proxy/${call}*`, () => {})
    await page.locator(`${link}:visible`).first().click()
    await page.locator('main [aria-busy="true"]').waitFor()
  }
  return [
    {
      name: 'skeleton-film',
      path: '/all-content',
      who: ['visitor'],
      // Its address has another title in each language.
      reach: holding('contentData', `a[href^="/content/"][href$="-${film}"]`),
    },
    { name: 'skeleton-home', path: '/live', who: ['visitor'], reach: holding('homeContent', 'a[href="/"]') },
    {
      name: 'skeleton-channel',
      path: '/live',
      who: ['visitor'],
      reach: holding('epg', `a[href="${addresses['channel-slug']}"]`),
    },
  ]
}

function playing(film: number): Screen[] {
  const played = async (page: Page) => {
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
    await page.mouse.move(200, 200)
    await page.mouse.move(220, 220)
  }
  return [
    {
      name: 'player',
      path: `/player?asset=${film}`,
      who: ['subscriber'],
      reach: async (page) => {
        await played(page)
        await page.locator('[data-name]:visible').first().waitFor()
      },
    },
    {
      name: 'player-options',
      path: `/player?asset=${film}`,
      who: ['subscriber'],
      reach: async (page) => {
        await played(page)
        await page.locator('[data-name][aria-haspopup=dialog]:visible').first().click()
        await page.locator('dialog[open]').first().waitFor()
      },
    },
    {
      name: 'player-nothing',
      path: '/player',
      who: ['subscriber'],
      reach: async (page) => await page.locator('h1').waitFor(),
    },
  ]
}

/** Goes to a screen. @returns the status of its document */
export async function goTo(page: Page, { path, reach }: Screen): Promise<number> {
  const response = await visit(page, path)
  const status = response?.status() ?? 0
  if (reach !== undefined && status < 400) await reach(page)
  return status
}
