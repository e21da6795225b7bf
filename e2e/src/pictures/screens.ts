import { epg } from '@ondine/contract/channels'
import type { RouteName } from '@ondine/web/routes'
import type { Page, Route } from 'playwright-core'
import { ROUTE_NAMES } from '../addresses.ts'
import { visit } from '../browser.ts'
import { newAddress, PASSWORD } from '../people.ts'
import { call, findAsset, findChannel } from '../service-calls.ts'
import { recordingScreens } from './recording-screens.ts'

/** Kinds of viewer. The renter has no subscription, but rentals, receipts and a card. */
export type Who = 'visitor' | 'subscriber' | 'renter' | 'child'

/** A screen of which a picture is taken. */
export interface Screen {
  name: string
  path: string
  /** The viewers for whom a picture is taken. Several, if they see different screens. */
  who: readonly Who[]
  /**
   * Prepares the page for the picture, which then shows only the window. If omitted, the picture shows the
   * whole page.
   */
  reach?: (page: Page) => Promise<void>
  /** Whether the screen exists at a width in px. By default it exists at all widths. */
  existsAt?: (width: number) => boolean
  /** Whether complaints are expected, such as for the failing call that the screen shows. */
  mayComplain?: boolean
}

/** Screens for signed-in viewers only. */
const OWN = /^(account|library|player|offers-(cart|checkout|confirmation))/
/** Screens of the account that list rentals. */
const OF_RENTALS = /^(account-products|library-(rentals|past))$/
/** Screens that only viewers who are not signed in can open. */
const WAYS_IN = /^(auth-|register|verify-email|landing)/

/**
 * Paths that show real content, for screens whose path in `addresses` has only a placeholder: an article, a discipline,
 * the films of a year, and a page of the operator.
 */
const WRITTEN: Partial<Record<RouteName, string>> = {
  'editorial-type-slug': '/read/articles/lire-la-mer',
  'disciplines-slug': '/disciplines/voile',
  'search-filter': '/search/filter/year-2026',
  slug: '/about',
}

/** Returns every screen of the route table, and every state that appears over a screen or within it. */
export async function allScreens(origin: string, addresses: Record<RouteName, string>): Promise<Screen[]> {
  const film = await findAsset(origin, 'La Houle')
  const strong = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
  const rive = await findChannel(origin, 'Rive')
  const guide = await call(origin, epg, { offset: 0, hours: 24, channelIds: [rive.idChannel] })
  const steps = registering()
  const reached = new Set<string>(['player', ...steps.map(({ name }) => name)])
  const routes = ROUTE_NAMES.filter((name) => !reached.has(name)).map((name) => ({
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
      // Dispatches the event instead of switching the connection off, because all pages of the browser share the
      // connection.
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
    ...steps,
    ...searches(),
    ...menus(),
    ...forms(),
    ...modals(),
    ...failures(film.id),
    ...skeletons(film.id, addresses),
    ...buying(film.detailRoute),
    ...playing(film.id),
    ...recordingScreens(rive, guide[`chan_${rive.idChannel}`] ?? []),
  ]
}

function whoSees(name: RouteName): readonly Who[] {
  if (OF_RENTALS.test(name)) return ['subscriber', 'renter']
  if (OWN.test(name)) return ['subscriber']
  if (name === 'home') return ['visitor', 'subscriber', 'child']
  return WAYS_IN.test(name) || name === 'design' ? ['visitor'] : ['visitor', 'subscriber']
}

/**
 * Returns the steps of a registration after its form. Before the form is filled in, the URLs of these steps
 * redirect to the form.
 */
function registering(): Screen[] {
  const sent = async (page: Page) => {
    const form = page.locator('main form')
    await form.getByLabel(/^(Prénom|First name)$/).fill('Zoé')
    await form.getByLabel(/^(Nom|Last name)$/).fill('Vidal')
    const email = newAddress('zoe')
    for (const field of await form.locator('input[type=email]').all()) await field.fill(email)
    for (const field of await form.locator('input[type=password]').all()) await field.fill(PASSWORD)
    await form.getByRole('checkbox', { name: /^(J’accepte|I accept|I agree)/ }).check({ force: true })
    await form.locator('button[type=submit]').click()
    await page.waitForURL('**/register/offers')
    await page
      .getByRole('button', { name: /^(Choisir|Choose)\s?: / })
      .first()
      .waitFor()
  }
  const chosen = async (page: Page) => {
    await sent(page)
    await page
      .getByRole('button', { name: /^(Choisir|Choose)\s?: / })
      .first()
      .click()
    await page
      .locator('main h1')
      .filter({ hasText: /^(Récapitulatif|Summary)$/ })
      .waitFor()
  }
  const confirmed = async (page: Page) => {
    await chosen(page)
    await page
      .locator('main')
      .getByRole('button', { name: /^(Continuer|Continue)$/ })
      .click()
    await page
      .locator('main h1')
      .filter({ hasText: /^(Consultez vos e-mails|Check your e-mail)/ })
      .waitFor()
  }
  const step = (name: RouteName, reach: (page: Page) => Promise<void>): Screen => ({
    name,
    path: '/register/informations',
    who: ['visitor'],
    reach,
  })
  return [
    step('register-offers', sent),
    step('register-summary', chosen),
    step('register-confirmation', confirmed),
  ]
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
      name: 'modal-share',
      path: '/all-content',
      who: ['visitor'],
      reach: async (page) => {
        await page.locator('main a[href^="/content/"]').first().click()
        await page
          .locator('main')
          .getByRole('button', { name: /^(Partager|Share)/ })
          .click()
        await page.getByRole('dialog').locator('img').waitFor()
      },
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

/** One modal of each family, by the name of the button that opens it at /design. */
const MODALS = [
  'alert',
  'confirm',
  'input',
  'download',
  'chooseDownload',
  'switchProfile',
  'manageDevices',
  'aISummary',
  'recordSeries',
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

/** Returns the error pages, which appear when the data of a screen cannot be loaded. */
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

/** Returns the screens from a title on sale to the page on which it is paid. */
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

/** Returns the skeletons that replace screens while their data loads. */
function skeletons(film: number, addresses: Record<RouteName, string>): Screen[] {
  const holding = (call: string, link: string) => async (page: Page) => {
    // The call is never answered. The page is closed while it waits.
    await page.route(`**/proxy/${call}*`, () => {})
    await page.locator(`${link}:visible`).first().click()
    await page.locator('main [aria-busy="true"]').waitFor()
  }
  return [
    {
      name: 'skeleton-film',
      path: '/all-content',
      who: ['visitor'],
      // The address of the film contains its title, which differs by language.
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

/** Opens a screen. @returns the HTTP status of its document */
export async function goTo(page: Page, { path, reach }: Screen): Promise<number> {
  const response = await visit(page, path)
  const status = response?.status() ?? 0
  if (reach !== undefined && status < 400) await reach(page)
  return status
}
