import { ROUTES, type RouteName, STANDALONE } from '@ondine/web/routes'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES, routeAddresses } from './addresses.ts'
import { alive, signIn, visit } from './browser.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'
import { unknownStyles } from './unknown-styles.ts'

/** One screen for each layout: each bar, the account's menu, and the screens without a shell. */
const LAYOUTS: Record<'visitor' | 'subscriber', RouteName[]> = {
  visitor: ['home', 'auth-login', 'register-informations', 'landing', 'pair', 'receiver'],
  subscriber: ['account-devices', 'assets-slug', 'home'],
}

const SUBSCRIBER = 'subscriber@ondine.test'

/** Number of screens in one test. Even a slow machine visits them in a small part of the test's time limit. */
const SCREENS_PER_TEST = 12

/** Computed styles of the parts on every screen of a layout, by name. */
type Look = Record<string, Record<string, string>>

describe('screens that are loaded directly', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let addresses: Record<RouteName, string>
  let players: string[]
  let waysOut: (readonly [address: string, way: keyof typeof leave])[]

  beforeAll(async () => {
    addresses = await routeAddresses(origin)
    const [film, channel] = await Promise.all([findAsset(origin, 'La Houle'), findChannel(origin, 'Rive')])
    players = [`${ROUTES.player}?asset=${film.id}`, `${ROUTES.player}?channel=${channel.idChannel}`]
    waysOut = [
      ...players.flatMap((address) => [[address, 'Escape'] as const, [address, 'close'] as const]),
      [`${ROUTES.player}?asset=${film.id}`, 'the end'],
    ]
  })

  /** Ways to leave a player. */
  const leave = {
    Escape: async (page: Page) => await page.keyboard.press('Escape'),
    close: async (page: Page) => {
      const button = page.getByRole('button', { name: 'Fermer le lecteur' })
      // The controls appear with the pointer.
      await page.mouse.move(300, 300)
      await button.click()
    },
    'the end': async (page: Page) => {
      await page.waitForFunction(() => (document.querySelector('video')?.duration ?? 0) > 0)
      await page.locator('video').evaluate((video: HTMLVideoElement) => {
        video.currentTime = video.duration - 0.5
      })
    },
  }

  /** Follows an address inside the application, as a link does. No new document is loaded. */
  async function follow(page: Page, address: string): Promise<void> {
    await page.evaluate((to) => history.pushState({}, '', to), address)
    await page.waitForFunction((to) => location.pathname === to, address)
    await alive(page)
  }

  /** Returns the looks of all layouts, each loaded directly. */
  async function directLooks(page: Page, names: readonly RouteName[]): Promise<Map<RouteName, Look>> {
    const looks = new Map<RouteName, Look>()
    for (const name of names) {
      await visit(page, addresses[name])
      looks.set(name, await lookOf(page))
    }
    return looks
  }

  /** Visits the layouts from the current page. @returns differences from a direct load */
  async function walk(page: Page, from: string, looks: Map<RouteName, Look>): Promise<string[]> {
    const found: string[] = []
    for (const [name, look] of looks) {
      await follow(page, addresses[name])
      // The old screen stays until the new screen has its data.
      const differs = async () =>
        differences(look, await lookOf(page)).map((each) => `${from} → ${name}: ${each}`)
      await expect.poll(differs).toEqual([])
      for (const each of await classesWithoutRules(page)) found.push(`${from} → ${name}: no rule for ${each}`)
    }
    return found
  }

  const standalone = ROUTE_NAMES.filter((name) => STANDALONE.includes(name) && name !== 'player')
  const inShell = ROUTE_NAMES.filter((name) => !STANDALONE.includes(name))
  const parts = Array.from({ length: Math.ceil(inShell.length / SCREENS_PER_TEST) }, (_, part) =>
    inShell.slice(part * SCREENS_PER_TEST, (part + 1) * SCREENS_PER_TEST),
  ).map((names) => ({ names, first: names[0], last: names.at(-1) }))

  it('V2.4-01 V2.4-09 a screen without a shell leads to every layout with all its styles', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    const looks = await directLooks(page, LAYOUTS.visitor)
    const found: string[] = []
    for (const address of [...standalone.map((name) => addresses[name]), ...players]) {
      await page.goto(address)
      // The player redirects a visitor to the sign-in page.
      await alive(page)
      for (const each of await unknownStyles(page)) found.push(`${address}: not understood: ${each}`)
      found.push(...(await walk(page, address, looks)))
    }
    expect(found).toEqual([])
  })

  it.each(parts)(
    'V2.4-01 every screen from $first to $last leads to the others with all styles',
    async ({ names }) => {
      const { page } = await open({ reducedMotion: 'reduce' })
      const looks = await directLooks(page, ['home'])
      const found: string[] = []
      for (const name of names) {
        await visit(page, addresses[name])
        for (const each of await classesWithoutRules(page)) found.push(`${name}: no rule for ${each}`)
        for (const each of await unknownStyles(page)) found.push(`${name}: not understood: ${each}`)
        found.push(...(await walk(page, name, looks)))
      }
      expect(found).toEqual([])
    },
  )

  it('V4-13 leaving a directly loaded player shows a site with all its styles', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    await signIn(page, SUBSCRIBER)
    const looks = await directLooks(page, LAYOUTS.subscriber)
    const found: string[] = []
    for (const [address, way] of waysOut) {
      await page.goto(address)
      await page.locator('video').waitFor()
      for (const each of await classesWithoutRules(page)) found.push(`${address}: no rule for ${each}`)
      await leave[way](page)
      await page.getByRole('banner').waitFor()
      await alive(page)
      for (const each of await classesWithoutRules(page))
        found.push(`${way}, ${address}: no rule for ${each}`)
      found.push(...(await walk(page, `${way}, ${address}`, looks)))
    }
    expect(found).toEqual([])
  })

  it('V4-13 a visitor with a link to the player gets a complete sign-in page', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    for (const address of players) {
      await page.goto(address)
      await page.waitForURL((url) => url.pathname === ROUTES['auth-login'])
      await alive(page)
      const main = page.getByRole('main')
      await main.getByRole('textbox').first().waitFor()
      await main.locator('button[type=submit]').waitFor()
      expect(await classesWithoutRules(page)).toEqual([])
    }
  })
})

/**
 * Returns the classes on a page that none of its style sheets defines. The build names a class only when a
 * style sheet has a rule for it, so each returned class means that a style sheet is missing.
 */
async function classesWithoutRules(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const selectors: string[] = []
    const collect = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) selectors.push(rule.selectorText)
        if ('cssRules' in rule) collect(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of document.styleSheets) collect(sheet.cssRules)
    const known = new Set(selectors.join(' ').match(/\.[\w-]+/g))
    const borne = new Set(
      [...document.body.querySelectorAll('[class]')].flatMap((each) => [...each.classList]),
    )
    return [...borne].filter((name) => /_[\w-]{5}$/.test(name) && !known.has(`.${name}`)).sort()
  })
}

/** Returns the look of the parts around a screen, and of its heading and buttons. */
async function lookOf(page: Page): Promise<Look> {
  return await page.evaluate(() => {
    const properties = [
      'display',
      'position',
      'background-color',
      'color',
      'border-radius',
      'font-family',
      'font-size',
      'font-weight',
      'list-style-type',
      'padding-left',
      'padding-top',
    ]
    const parts = {
      bar: 'header',
      logo: 'header a svg, header a img',
      links: 'header ul',
      screen: 'main',
      heading: 'main h1',
      submit: 'main button[type=submit]',
      field: 'main input[type=email], main input[type=text]',
      foot: 'footer',
      list: 'footer ul',
    }
    const look: Record<string, Record<string, string>> = {}
    for (const [name, selector] of Object.entries(parts)) {
      const element = document.querySelector(selector)
      if (element === null) continue
      const style = getComputedStyle(element)
      look[name] = Object.fromEntries(properties.map((each) => [each, style.getPropertyValue(each)]))
      // The width of content may vary, except for elements of a fixed size.
      if (name === 'logo') look[name].width = `${Math.round(element.getBoundingClientRect().width)}`
    }
    return look
  })
}

function differences(wanted: Look, shown: Look): string[] {
  return Object.entries(wanted).flatMap(([part, style]) => {
    const there = shown[part]
    if (there === undefined) return [`no ${part}`]
    return Object.entries(style)
      .filter(([property, value]) => there[property] !== value)
      .map(([property, value]) => `${part} has ${property} ${there[property]} instead of ${value}`)
  })
}
