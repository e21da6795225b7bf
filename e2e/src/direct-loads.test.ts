import { ROUTES, type RouteName, STANDALONE } from '@ondine/web/routes'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES, routeAddresses } from './addresses.ts'
import { alive, signIn, visit } from './browser.ts'
import { classesWithoutRules, differences, follow, type Look, lookOf } from './looks.ts'
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

// `routes.test.ts` checks the styles of every screen in the shell.
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
      [`${ROUTES.player}?asset=${film.id}`, 'Escape'],
      [`${ROUTES.player}?channel=${channel.idChannel}`, 'close'],
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

  /** Returns the looks of screens that are each loaded directly. */
  async function directLooks(page: Page, names: readonly RouteName[]): Promise<Map<RouteName, Look>> {
    const looks = new Map<RouteName, Look>()
    for (const name of names) {
      await visit(page, addresses[name])
      looks.set(name, await lookOf(page))
    }
    return looks
  }

  /**
   * Follows a link from the current page to each screen of `looks`. @returns differences from the look of a direct
   * load
   */
  async function walk(page: Page, from: string, looks: Map<RouteName, Look>): Promise<string[]> {
    const found: string[] = []
    for (const [name, look] of looks) {
      await follow(page, addresses[name])
      // Polls, because the old screen stays until the new screen has its data.
      const differs = async () =>
        differences(look, await lookOf(page)).map((each) => `${from} → ${name}: ${each}`)
      await expect.poll(differs).toEqual([])
      for (const each of await classesWithoutRules(page)) found.push(`${from} → ${name}: no rule for ${each}`)
    }
    return found
  }

  const standalone = ROUTE_NAMES.filter((name) => STANDALONE.includes(name) && name !== 'player')

  it('V2.4-01 V2.4-09 a screen without a shell leads to every layout with all its styles', async () => {
    const { page } = await open()
    const looks = await directLooks(page, LAYOUTS.visitor)
    const found: string[] = []
    for (const address of [...standalone.map((name) => addresses[name]), ...players.slice(0, 1)]) {
      await visit(page, address)
      // Without a sign-in, the player redirects to the sign-in page.
      if (players.includes(address)) await page.waitForURL('**/auth/login?*')
      for (const each of await unknownStyles(page)) found.push(`${address}: not understood: ${each}`)
      found.push(...(await walk(page, address, looks)))
    }
    expect(found).toEqual([])
  })

  it('V4-13 leaving a directly loaded player shows a site with all its styles', async () => {
    const { page } = await open()
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
    const { page } = await open()
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
