import { ALIASES, REDIRECTS, ROUTES, type RouteName } from '@ondine/web/routes'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES, routeAddresses } from './addresses.ts'
import { launchBrowser, openPage, signIn, visit, type WatchedPage } from './browser.ts'
import { axeFaults, expectToFit } from './checks.ts'
import { sharedService } from './shared-service.ts'

const LANGUAGES = [
  { code: 'fra', notYet: 'Pas encore disponible', unknown: 'Page introuvable' },
  { code: 'eng', notYet: 'Not available yet', unknown: 'Page not found' },
]
// The player is another test's: without something to play there is nothing to see.
const NAMES: readonly RouteName[] = ROUTE_NAMES.filter((name) => name !== 'player')

/** Screens that a visitor reaches by signing in only. */
const OWN = NAMES.filter((name) => /^(account|library|offers-(cart|checkout|confirmation))/.test(name))
/** Screens that nobody sees who is signed in. */
const WAYS_IN = NAMES.filter((name) => name.startsWith('auth-'))
/** Downloads are off until an operator allows them. */
const CLOSED: Partial<Record<RouteName, RouteName>> = { 'library-downloads': 'library-rentals' }

describe('every route of the table', () => {
  let browser: Browser
  const { origin } = sharedService()
  let addresses: Record<RouteName, string>
  const pages: WatchedPage[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    addresses = await routeAddresses(origin)
  })
  afterAll(async () => await browser.close())

  async function opened(language: string, user?: string): Promise<WatchedPage> {
    const watched = await openPage(browser, origin)
    pages.push(watched)
    await watched.page.context().addCookies([{ name: 'language', value: language, url: origin }])
    if (user !== undefined) await signIn(watched.page, user)
    return watched
  }

  /** Goes to a screen. What is said of the document's own status, 404 or 501, is no complaint. */
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

  /** What is wrong with what a screen answers: nothing, when it is there or says that it is still to come. */
  async function faultOf(page: Page, status: number, { notYet, unknown }: (typeof LANGUAGES)[number]) {
    // A title may be drawn: then the picture says it.
    const [heading = ''] = await page
      .locator('h1')
      .evaluateAll((all) =>
        all.map((each) => (each.textContent.trim() || each.querySelector('img')?.alt) ?? ''),
      )
    if (heading === '') return `status ${status} without a heading`
    const title = await page.title()
    if (title.length < 4 || title.length > 74) return `the title “${title}”`
    if (status === 200 && heading !== notYet && heading !== unknown) return undefined
    if (status === 501 && heading === notYet) return undefined
    if (status === 404 && heading === unknown) return undefined
    return `status ${status} with the heading “${heading}”`
  }

  const walks = LANGUAGES.flatMap((language) => [
    { who: 'a visitor', user: undefined, ...language },
    { who: 'a subscriber', user: 'subscriber@ondine.test', ...language },
  ])
  /** Axe sees each screen once: those for everybody in French, as a visitor, and a subscriber's own in English. */
  function isLookedAt(name: RouteName, { user, code }: (typeof walks)[number]): boolean {
    if (name in REDIRECTS || name in CLOSED) return false
    return OWN.includes(name) ? user !== undefined && code === 'eng' : user === undefined && code === 'fra'
  }

  it.each(walks)(
    'answers $who in $code with a title, without a word on the console, and without a fault that axe finds',
    async (walk) => {
      const watched = await opened(walk.code, walk.user)
      const found: string[] = []
      for (const name of NAMES) {
        const address = addresses[name]
        const { status, path, faults } = await go(watched, address)
        const redirected = name in REDIRECTS ? ROUTES[REDIRECTS[name as keyof typeof REDIRECTS]] : address
        const closed = CLOSED[name]
        const wanted =
          walk.user === undefined ? visitors(name, redirected) : subscribers(name, closed, redirected)
        if (path !== wanted) found.push(`${name}: at ${path} instead of ${wanted}`)
        const fault = await faultOf(watched.page, status, walk)
        if (fault !== undefined) found.push(`${name}: ${fault}`)
        for (const complaint of faults()) found.push(`${name}: ${complaint}`)
        if (!isLookedAt(name, walk)) continue
        for (const width of [360, 1280]) {
          await expectToFit(watched.page, width, name)
          for (const axeFault of await axeFaults(watched.page)) found.push(`${name} at ${width}: ${axeFault}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  function visitors(name: RouteName, redirected: string): string {
    return OWN.includes(name) ? ROUTES['auth-login'] : redirected
  }

  function subscribers(name: RouteName, closed: RouteName | undefined, redirected: string): string {
    if (WAYS_IN.includes(name)) return '/'
    return closed === undefined ? redirected : ROUTES[closed]
  }

  it('V2.2-10 A2.1-11 A2.1-26 answers at further paths', async () => {
    const watched = await opened('fra', 'subscriber@ondine.test')
    expect((await go(watched, ALIASES['home-alias'])).path).toBe('/')
    expect((await go(watched, '/account')).path).toBe('/account/devices')
    expect((await go(watched, '/library')).path).toBe('/library/rentals')
    const visitor = await opened('fra')
    expect((await go(visitor, ALIASES['auth-callback-alias'])).path).toBe(ALIASES['auth-callback-alias'])
  })
})
