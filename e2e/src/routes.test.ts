import { ALIASES, REDIRECTS, ROUTES, type RouteName } from '@ondine/web/routes'
import { notAvailable as english } from '@ondine/web/words/eng/not-available'
import { notAvailable as french } from '@ondine/web/words/fra/not-available'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES, routeAddresses } from './addresses.ts'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { axeFaults, expectToFit, smallTexts, touchFaults } from './checks.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const FRENCH = { code: 'fra', closed: french, unknown: 'Page introuvable' }
const ENGLISH = { code: 'eng', closed: english, unknown: 'Page not found' }
// Other tests cover the player: without a title it shows nothing.
const NAMES: readonly RouteName[] = ROUTE_NAMES.filter((name) => name !== 'player')

/** Screens that require a sign-in. */
const OWN = NAMES.filter((name) => /^(account|library|offers-(cart|checkout|confirmation))/.test(name))
/** Screens that are closed to signed-in viewers. */
const WAYS_IN = NAMES.filter((name) => name.startsWith('auth-'))
/** Registration steps that redirect to the first step until it is done. */
const LATER_STEPS: readonly RouteName[] = ['register-offers', 'register-summary', 'register-confirmation']
/** Downloads are off until an operator enables them. */
const CLOSED: Partial<Record<RouteName, RouteName>> = { 'library-downloads': 'library-rentals' }
/** Screens that their own tests check with axe at these widths. */
const LOOKED_AT_ELSEWHERE: readonly RouteName[] = [
  'design',
  'disciplines-slug',
  'editorial-type',
  'editorial-type-slug',
  'epg',
  'epg-slug',
  'legal',
  'page-slug',
  'search',
  'search-filter',
]
/** Number of screens in one test: a slow machine visits them in a small part of its time limit. */
const SCREENS_PER_TEST = 12

describe('every route of the table', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let addresses: Record<RouteName, string>

  beforeAll(async () => {
    addresses = await routeAddresses(origin)
  })

  async function opened(language: string, user?: string): Promise<WatchedPage> {
    const watched = await open({ reducedMotion: 'reduce' })
    await watched.page.context().addCookies([{ name: 'language', value: language, url: origin }])
    if (user !== undefined) await signIn(watched.page, user)
    return watched
  }

  /** Opens a screen. The document's own status, 404 or 501, is no complaint. */
  async function go({ page, complaints }: WatchedPage, address: string) {
    complaints.length = 0
    const response = await visit(page, address)
    const status = response?.status() ?? 0
    const own = (complaint: string) =>
      complaint === `${status} ${response?.url()}` || complaint.includes(`status of ${status} `)
    return {
      status,
      path: new URL(page.url()).pathname,
      faults: () => complaints.filter((complaint) => status < 400 || !own(complaint)),
    }
  }

  /**
   * Returns the fault of a screen's answer. A screen must exist, or must have its title and say that it is
   * not open yet.
   */
  async function faultOf(
    page: Page,
    status: number,
    { closed, unknown }: typeof FRENCH | typeof ENGLISH,
    name: RouteName,
  ) {
    // A title may be an image with a text alternative.
    const [heading = ''] = await page
      .locator('h1')
      .evaluateAll((all) =>
        all.map((each) => (each.textContent.trim() || each.querySelector('img')?.alt) ?? ''),
      )
    if (heading === '') return `status ${status} without a heading`
    const title = await page.title()
    if (title.length < 4 || title.length > 74) return `the title “${title}”`
    const own = name in closed ? closed[name as keyof typeof closed] : undefined
    const isClosed = own !== undefined && heading === own && title.startsWith(own)
    if (isClosed) {
      const said = await page.getByRole('main').getByText(closed.text).count()
      const indexed = await page.locator('meta[name=robots][content=noindex]').count()
      if (status === 501 && said === 1 && indexed === 1) return undefined
      return `status ${status}, saying ${said} times that it is not open`
    }
    if (status === 200 && heading !== unknown) return undefined
    if (status === 404 && heading === unknown) return undefined
    return `status ${status} with the heading “${heading}”`
  }

  const visitor = { who: 'a visitor', user: undefined }
  const subscriber = { who: 'a subscriber', user: 'subscriber@ondine.test' }
  // Each screen is visited in both languages, as a visitor and as a subscriber. A screen for only one of the
  // two is visited only as that one.
  const walks = [
    { ...visitor, ...FRENCH, all: NAMES },
    { ...visitor, ...ENGLISH, all: WAYS_IN },
    { ...subscriber, ...ENGLISH, all: NAMES },
    { ...subscriber, ...FRENCH, all: OWN },
  ]
    .flatMap(({ all, ...walk }) =>
      Array.from({ length: Math.ceil(all.length / SCREENS_PER_TEST) }, (_, part) => ({
        ...walk,
        names: all.slice(part * SCREENS_PER_TEST, (part + 1) * SCREENS_PER_TEST),
      })),
    )
    .map((walk) => ({ ...walk, first: walk.names[0], last: walk.names.at(-1) }))

  /** Touch targets and axe are checked once per screen: shared screens in French as a visitor, a subscriber's own in English. */
  function isSeenBest(name: RouteName, { user, code }: (typeof walks)[number]): boolean {
    return OWN.includes(name) ? user !== undefined && code === 'eng' : user === undefined && code === 'fra'
  }

  it.each(walks)(
    'answers $who in $code, from $first to $last, with a title and a silent console, without small texts in a wide window, and without a fault that axe finds',
    async (walk) => {
      const watched = await opened(walk.code, walk.user)
      const found: string[] = []
      for (const name of walk.names) {
        const address = addresses[name]
        const { status, faults } = await go(watched, address)
        const redirected = name in REDIRECTS ? ROUTES[REDIRECTS[name as keyof typeof REDIRECTS]] : address
        const closed = CLOSED[name]
        const wanted =
          walk.user === undefined ? visitors(name, redirected) : subscribers(name, closed, redirected)
        // Only the browser knows the progress of a registration, so the browser redirects from a later step.
        if (LATER_STEPS.includes(name)) await watched.page.waitForURL(wanted)
        const path = new URL(watched.page.url()).pathname
        if (path !== wanted) found.push(`${name}: at ${path} instead of ${wanted}`)
        // The address may have led to another screen. Check that one.
        const seen = NAMES.find((each) => addresses[each] === path) ?? name
        const fault = await faultOf(watched.page, status, walk, seen)
        if (fault !== undefined) found.push(`${name}: ${fault}`)
        for (const complaint of faults()) found.push(`${name}: ${complaint}`)
        // After a redirect, the other screen would be checked.
        if (seen !== name || !isSeenBest(name, walk)) continue
        // The gallery is for developers. Its samples may have small touch targets.
        if (name !== 'design') {
          for (const fault of await touchFaults(watched.page, 360)) found.push(`${name} by touch: ${fault}`)
        }
        for (const small of await smallTexts(watched.page)) found.push(`${name} at 1920: ${small}`)
        if (LOOKED_AT_ELSEWHERE.includes(name)) continue
        for (const width of [360, 1280]) {
          await expectToFit(watched.page, width, name)
          for (const axeFault of await axeFaults(watched.page)) found.push(`${name} at ${width}: ${axeFault}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  function visitors(name: RouteName, redirected: string): string {
    if (LATER_STEPS.includes(name)) return ROUTES['register-informations']
    return OWN.includes(name) ? ROUTES['auth-login'] : redirected
  }

  function subscribers(name: RouteName, closed: RouteName | undefined, redirected: string): string {
    if (WAYS_IN.includes(name)) return '/'
    if (LATER_STEPS.includes(name)) return ROUTES['register-informations']
    return closed === undefined ? redirected : ROUTES[closed]
  }

  it('V2.1-12 shows current programmes at /live-zoom', async () => {
    const { page } = await opened('fra')
    await visit(page, ROUTES['live-zoom'])
    const live = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Rive' })
    await live.getByRole('link').first().waitFor()
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(origin + ROUTES.live)
  })

  it('V2.2-10 A2.1-11 A2.1-26 answers at alternative paths', async () => {
    const watched = await opened('fra', 'subscriber@ondine.test')
    expect((await go(watched, ALIASES['home-alias'])).path).toBe('/')
    expect((await go(watched, '/account')).path).toBe('/account/devices')
    expect((await go(watched, '/library')).path).toBe('/library/rentals')
    const visitor = await opened('fra')
    expect((await go(visitor, ALIASES['auth-callback-alias'])).path).toBe(ALIASES['auth-callback-alias'])
  })

  it('A2.1-13 A2.1-15 A2.1-17 A2.1-19 shows the part of an account that each address names', async () => {
    const watched = await opened('fra', 'subscriber@ondine.test')
    const main = watched.page.getByRole('main')
    const heading = (name: string) => main.getByRole('heading', { level: 1, name })
    const button = (name: string) => main.getByRole('button', { name, exact: true })
    const shown: [RouteName, Locator[]][] = [
      ['account-devices', [heading('Appareils'), button('Ajouter un téléviseur')]],
      ['account-informations', [heading('Informations personnelles'), main.getByLabel('Prénom')]],
      ['account-parental-code', [heading('Code parental'), main.getByLabel('Nouveau code', { exact: true })]],
      ['account-security', [button('Modifier le mot de passe'), button('Supprimer mon compte')]],
    ]
    for (const [name, parts] of shown) {
      expect((await go(watched, ROUTES[name])).status, name).toBe(200)
      for (const part of parts) await part.waitFor()
    }
  })
})
