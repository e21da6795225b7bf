import { REDIRECTS, ROUTES, type RouteName, STANDALONE } from '@ondine/web/routes'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { OWN, ROUTE_NAMES, routeAddresses, WAYS_IN } from './addresses.ts'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { axeFaults, expectToFit, smallTexts, touchFaults, WIDTHS } from './checks.ts'
import { chosenUnseen } from './chosen-unseen.ts'
import { classesWithoutRules, differences, follow, type Look, lookOf } from './looks.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'
import { unknownStyles } from './unknown-styles.ts'

const FRENCH = { code: 'fra', tag: 'fr', unknown: 'Page introuvable' }
const ENGLISH = { code: 'eng', tag: 'en', unknown: 'Page not found' }
/** Downloads are off until an operator enables them. */
const CLOSED: RouteName = 'library-downloads'
/**
 * Screens of this test: all that do not redirect. Other tests cover the player, which shows nothing without a
 * title.
 */
const NAMES: readonly RouteName[] = ROUTE_NAMES.filter(
  (name) => name !== 'player' && name !== CLOSED && !(name in REDIRECTS),
)
/** Registration steps that redirect to the first step until the first step is done. */
const LATER_STEPS: readonly RouteName[] = ['register-offers', 'register-summary', 'register-confirmation']
/** Screens whose layout other tests check, with axe and in windows of several widths. */
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
/** Widths for axe besides 360 px. Both have the wide layout, so axe checks each screen at one of them. */
const WIDE = [1280, 1920]
/** Window in which the looks of two screens are compared. */
const USUAL = { width: 1280, height: 720 }
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
    const watched = await open()
    await watched.page.context().addCookies([{ name: 'language', value: language, url: origin }])
    if (user !== undefined) await signIn(watched.page, user)
    return watched
  }

  /**
   * Opens a screen. If the status of its document is an error, the console message about this status is not a
   * complaint.
   */
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

  /**
   * Returns the fault of a screen's answer. A screen must be in the viewer's language, and must have a heading and
   * a title.
   */
  async function faultOf(page: Page, status: number, { tag, unknown }: typeof FRENCH) {
    const language = await page.locator('html').getAttribute('lang')
    if (language !== tag) return `in the language ${language}`
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
  const inParts = <W extends { all: readonly RouteName[] }>(walks: readonly W[]) =>
    walks.flatMap(({ all, ...walk }) =>
      Array.from({ length: Math.ceil(all.length / SCREENS_PER_TEST) }, (_, part) => {
        const names = all.slice(part * SCREENS_PER_TEST, (part + 1) * SCREENS_PER_TEST)
        return { ...walk, names, first: names[0], last: names.at(-1) }
      }),
    )
  type Walk = { names: readonly RouteName[]; user: string | undefined } & typeof FRENCH

  /**
   * Opens screens one after the other, and checks their answers. Then `check` checks the screen, unless the
   * address has redirected to another one. @returns all faults
   */
  async function faultsOf(
    walk: Walk,
    watched: WatchedPage,
    check: (name: RouteName) => Promise<string[]>,
  ): Promise<string[]> {
    const { page } = watched
    const found: string[] = []
    for (const name of walk.names) {
      const address = addresses[name]
      const { status, faults } = await go(watched, address)
      // The server does not know the progress of a registration. So the browser, not the server, redirects from a
      // later step.
      const wanted = LATER_STEPS.includes(name) ? ROUTES['register-informations'] : address
      if (wanted !== address) await page.waitForURL(wanted)
      const path = new URL(page.url()).pathname
      if (path !== wanted) found.push(`${name}: at ${path} instead of ${wanted}`)
      // After a redirect, `seen` is the other screen.
      const seen = NAMES.find((each) => addresses[each] === path) ?? name
      const fault = await faultOf(page, status, walk)
      if (fault !== undefined) found.push(`${name}: ${fault}`)
      for (const complaint of faults()) found.push(`${name}: ${complaint}`)
      if (seen === name) for (const each of await check(name)) found.push(`${name} ${each}`)
    }
    return found
  }

  // This test and the next test open each screen in both languages: without a sign-in in French, and as a subscriber
  // in English. A screen that only one kind of viewer can open is opened only as this kind. `rendered/routes.test.ts`
  // tests the server's redirects.
  it.each(
    inParts([
      { ...visitor, ...FRENCH, all: NAMES.filter((name) => !OWN.includes(name)) },
      { ...subscriber, ...ENGLISH, all: NAMES.filter((name) => OWN.includes(name)) },
    ]),
  )(
    'V2.4-01 answers $who in $code, from $first to $last, with a title, a silent console and all styles, which last to the next screen, and without a fault that axe finds, small texts in a wide window, or small targets',
    async (walk) => {
      const watched = await opened(walk.code, walk.user)
      const { page } = watched
      await visit(page, addresses.home)
      const home = await lookOf(page)
      const found = await faultsOf(walk, watched, async (name) => [
        ...(await styleFaults(page)),
        ...(await layoutFaults(page, name)),
        ...(STANDALONE.includes(name) ? [] : await changesOf(page, home)),
      ])
      expect(found).toEqual([])
    },
  )

  it.each(
    inParts([
      { ...visitor, ...ENGLISH, all: WAYS_IN },
      {
        ...subscriber,
        ...ENGLISH,
        all: NAMES.filter((name) => !WAYS_IN.includes(name) && !OWN.includes(name)),
      },
      { ...subscriber, ...FRENCH, all: NAMES.filter((name) => OWN.includes(name)) },
    ]),
  )(
    'answers $who in $code, from $first to $last, with a title and a silent console, and shows in forced colours what is selected',
    async (walk) => {
      const watched = await opened(walk.code, walk.user)
      const { page } = watched
      const seen = { 360: new Set<string>(), 1280: new Set<string>() }
      const found = await faultsOf(walk, watched, async (name) => {
        if (name !== 'design') for (const width of WIDTHS) await expectToFit(page, width, name)
        const unseen: string[] = []
        await page.emulateMedia({ forcedColors: 'active' })
        for (const width of [360, 1280] as const) {
          await page.setViewportSize({ width, height: 800 })
          for (const each of await chosenUnseen(page, seen[width])) unseen.push(`at ${width}: ${each}`)
        }
        await page.emulateMedia({ forcedColors: 'none' })
        return unseen
      })
      expect(found).toEqual([])
    },
  )

  /**
   * Returns the faults of a screen's layout: small touch targets, content wider than a window, small texts, and
   * faults that axe finds.
   */
  async function layoutFaults(page: Page, name: RouteName): Promise<string[]> {
    const found: string[] = []
    // The gallery is for developers. Its samples may have small touch targets.
    if (name !== 'design') for (const fault of await touchFaults(page, 360)) found.push(`by touch: ${fault}`)
    if (!LOOKED_AT_ELSEWHERE.includes(name))
      for (const width of WIDTHS) {
        await expectToFit(page, width, name)
        if (width !== 360 && width !== WIDE[NAMES.indexOf(name) % WIDE.length]) continue
        for (const fault of await axeFaults(page)) found.push(`at ${width}: ${fault}`)
      }
    for (const small of await smallTexts(page)) found.push(`at 1920: ${small}`)
    return found
  }

  /** Returns the faults of a directly loaded screen's styles. */
  async function styleFaults(page: Page): Promise<string[]> {
    return [
      ...(await classesWithoutRules(page)).map((each) => `has no rule for ${each}`),
      ...(await unknownStyles(page)).map((each) => `has what the browser does not understand: ${each}`),
    ]
  }

  /** Follows a link to home. @returns how home's look differs from its look after a direct load */
  async function changesOf(page: Page, home: Look): Promise<string[]> {
    await page.setViewportSize(USUAL)
    await follow(page, addresses.home)
    // Polls, because the old screen stays until the new screen has its data.
    await expect.poll(async () => differences(home, await lookOf(page))).toEqual([])
    return (await classesWithoutRules(page)).map((each) => `→ home: no rule for ${each}`)
  }
})
