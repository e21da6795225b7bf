import { validateAdultCode } from '@ondine/contract/parental-code'
import { activateProfile, createProfile, deleteProfile } from '@ondine/contract/profiles'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { alive, signIn, visit } from './browser.ts'
import { callAs, makePerson } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** In the menu: a link of it says that it leads here. */
const PATHS = ['/', '/live']

describe('parts of a page that the server draws once for many', () => {
  const open = testBrowser()
  const { origin, dataDir } = sharedService()

  it('are for each viewer what the browser draws of the same answers, whoever came before', async () => {
    const visitor = (await open({ reducedMotion: 'reduce' })).page
    const english = (await open({ reducedMotion: 'reduce' })).page
    await english.context().addCookies([{ name: 'language', value: 'eng', url: origin }])
    const newcomer = (await open({ reducedMotion: 'reduce' })).page
    const { email, password } = await makePerson({ origin, dataDir }, 'Nour')
    await signIn(newcomer, email, password)
    const subscriber = (await open({ reducedMotion: 'reduce' })).page
    await signIn(subscriber, 'subscriber@ondine.test')
    const child = (await open({ reducedMotion: 'reduce' })).page
    await signIn(child, 'subscriber@ondine.test')
    const { id } = await callAs(child, createProfile, {
      name: `Petite ${Date.now()}`,
      language: 'fra',
      kidProfile: true,
      parentalControl: false,
      maximumMoralityLevel: 1,
    })
    try {
      await callAs(child, activateProfile, { idProfile: id })
      const viewers = [subscriber, child, visitor, newcomer, english]
      // Those who come second find what the first ones left, in either order.
      for (const page of [...viewers, ...viewers.toReversed()]) {
        for (const path of PATHS) {
          // What is on the air moves on between the two.
          await expect.poll(async () => await differences(page, path), { timeout: 60_000 }).toEqual([])
        }
      }
      const texts = await Promise.all(viewers.map(async (page) => await served(page, '/')))
      expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBeGreaterThan(3)
    } finally {
      const parentalProof = await callAs(child, validateAdultCode, { parentalCode: '2580' })
      await callAs(child, deleteProfile, { id, parentalProof })
    }
  })

  it('come alive without a complaint, also for who comes second', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { page, complaints } = await open()
      // Each address of its own is a page of its own.
      await visit(page, `/?visit=${turn}`)
      expect(await page.locator('[data-part]').count()).toBeGreaterThan(2)
      await page.getByRole('main').getByRole('region').first().getByRole('link').first().click()
      await page.waitForURL((url) => url.pathname !== '/')
      expect(complaints).toEqual([])
    }
  })
})

/** What the server's page says otherwise than the one that the browser draws. */
async function differences(page: Page, path: string): Promise<unknown[]> {
  const own = await drawn(page, path)
  const theirs = await served(page, path)
  const places = Array.from({ length: Math.max(own.length, theirs.length) }, (_, place) => place)
  return places.flatMap((place) =>
    own[place] === theirs[place] ? [] : [{ browser: own[place], server: theirs[place] }],
  )
}

/** What the server's page says and where it leads. */
async function served(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text()
  return await page.evaluate(contents, html)
}

/** The same of the page that the browser draws itself, coming from another. */
async function drawn(page: Page, path: string): Promise<string[]> {
  await visit(page, '/legal')
  await page.getByRole('banner').locator(`a[href="${path}"]`).first().click()
  await page.waitForURL((url) => url.pathname === path)
  await alive(page)
  return await page.evaluate(contents, undefined)
}

/** The texts, links and pictures of a page's menu, sections and foot, in their order. */
function contents(html: string | undefined): string[] {
  const shown = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html')
  return [...shown.querySelectorAll('nav, main section, main h2, footer')].map((part) =>
    [
      part.tagName,
      part.textContent,
      ...[...part.querySelectorAll('a')].flatMap((link) =>
        ['href', 'aria-label', 'aria-current'].map((name) => link.getAttribute(name)),
      ),
      ...[...part.querySelectorAll('img')].map((image) => image.getAttribute('src')),
    ].join(' | '),
  )
}
