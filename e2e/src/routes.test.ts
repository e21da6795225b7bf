import { REDIRECTS, ROUTES, type RouteName } from '@ondine/web/routes'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { OWN, ROUTE_NAMES, routeAddresses, WAYS_IN } from './addresses.ts'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { axeFaults, expectToFit, smallTexts, touchFaults } from './checks.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const FRENCH = { code: 'fra', unknown: 'Page introuvable' }
const ENGLISH = { code: 'eng', unknown: 'Page not found' }
/** Downloads are off until an operator enables them. */
const CLOSED: RouteName = 'library-downloads'
/** Screens that have an address of their own. Other tests cover the player, which shows nothing without a title. */
const NAMES: readonly RouteName[] = ROUTE_NAMES.filter(
  (name) => name !== 'player' && name !== CLOSED && !(name in REDIRECTS),
)
/** Registration steps that redirect to the first step until it is done. */
const LATER_STEPS: readonly RouteName[] = ['register-offers', 'register-summary', 'register-confirmation']
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
/** Number of screens in one test. Even a slow machine visits them in a small part of the test's time limit. */
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

  /** Opens a screen. The document's own status, 404, is no complaint. */
  async function go({ page, complaints }: WatchedPage, address: string) {
    complaints.length = 0
    const response = await visit(page, address)
    const status = response?.status() ?? 0
    const own = (complaint: string) =>
      complaint === `${status} ${response?.url()}` || complaint.includes(`status of ${status} `)
    return {
      status,
      faults: () => complaints.filter((complaint) => status < 400 || !own(complaint)),
    }
  }

  /** Returns the fault of a screen's answer. A screen must exist and have a title. */
  async function faultOf(page: Page, status: number, { unknown }: typeof FRENCH | typeof ENGLISH) {
    // A title may be an image with a text alternative.
    const [heading = ''] = await page
      .locator('h1')
      .evaluateAll((all) =>
        all.map((each) => (each.textContent.trim() || each.querySelector('img')?.alt) ?? ''),
      )
    if (heading === '') return `status ${status} without a heading`
    const title = await page.title()
    if (title.length < 4 || title.length > 74) return `the title “${title}”`
    if (status === 200 && heading !== unknown) return undefined
    if (status === 404 && heading === unknown) return undefined
    return `status ${status} with the heading “${heading}”`
  }

  const visitor = { who: 'a visitor', user: undefined }
  const subscriber = { who: 'a subscriber', user: 'subscriber@ondine.test' }
  // Each screen is visited in both languages, as a visitor and as a subscriber. A screen for visitors only, or for
  // subscribers only, is visited only as such a viewer: `rendered/routes.test.ts` tests the redirects of the server.
  const walks = [
    { ...visitor, ...FRENCH, all: NAMES.filter((name) => !OWN.includes(name)) },
    { ...visitor, ...ENGLISH, all: WAYS_IN },
    { ...subscriber, ...ENGLISH, all: NAMES.filter((name) => !WAYS_IN.includes(name)) },
    { ...subscriber, ...FRENCH, all: NAMES.filter((name) => OWN.includes(name)) },
  ]
    .flatMap(({ all, ...walk }) =>
      Array.from({ length: Math.ceil(all.length / SCREENS_PER_TEST) }, (_, part) => ({
        ...walk,
        names: all.slice(part * SCREENS_PER_TEST, (part + 1) * SCREENS_PER_TEST),
      })),
    )
    .map((walk) => ({ ...walk, first: walk.names[0], last: walk.names.at(-1) }))

  /**
   * Touch targets and axe are checked once per screen: shared screens in French as a visitor, and a subscriber's own
   * screens in English as a subscriber.
   */
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
        // Only the browser knows the progress of a registration, so the browser redirects from a later step.
        const wanted = LATER_STEPS.includes(name) ? ROUTES['register-informations'] : address
        if (wanted !== address) await watched.page.waitForURL(wanted)
        const path = new URL(watched.page.url()).pathname
        if (path !== wanted) found.push(`${name}: at ${path} instead of ${wanted}`)
        // The address may have led to another screen, which is then the one to check.
        const seen = NAMES.find((each) => addresses[each] === path) ?? name
        const fault = await faultOf(watched.page, status, walk)
        if (fault !== undefined) found.push(`${name}: ${fault}`)
        for (const complaint of faults()) found.push(`${name}: ${complaint}`)
        // After a redirect, the checks below would check the other screen.
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
})
