import { validateAdultCode } from '@ondine/contract/parental-code'
import { activateProfile, createProfile, deleteProfile } from '@ondine/contract/profiles'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { alive, signIn, visit } from './browser.ts'
import { callAs, makePerson } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Pages that the menu links to. The menu of such a page marks the link to this page as current. */
const PATHS = ['/', '/live']

describe('parts of a page that the server renders once for many viewers', () => {
  const open = testBrowser()
  const { origin, dataDir } = sharedService()

  it('equal the browser’s rendering of the same answers for each viewer, in any order of viewers', async () => {
    const visitor = (await open()).page
    const english = (await open()).page
    await english.context().addCookies([{ name: 'language', value: 'eng', url: origin }])
    const newcomer = (await open()).page
    const { email, password } = await makePerson({ origin, dataDir }, 'Nour')
    await signIn(newcomer, email, password)
    const subscriber = (await open()).page
    await signIn(subscriber, 'subscriber@ondine.test')
    const child = (await open()).page
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
      // Visits the pages with each viewer twice, in both orders, so that the server reuses parts that it has
      // cached for another viewer.
      for (const page of [...viewers, ...viewers.toReversed()]) {
        // The current programme may change between the two renderings, so the test retries.
        await expect.poll(async () => await differences(page), { timeout: 60_000 }).toEqual([])
      }
      const texts = await Promise.all(viewers.map(async (page) => await served(page, '/')))
      expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBeGreaterThan(3)
    } finally {
      const parentalProof = await callAs(child, validateAdultCode, { parentalCode: '2580' })
      await callAs(child, deleteProfile, { id, parentalProof })
    }
  })

  it('hydrate without a complaint, also on the second visit', async () => {
    const { page, complaints } = await open()
    for (let turn = 0; turn < 2; turn += 1) {
      // The query differs, so that the server renders a new page for each visit.
      await visit(page, `/?visit=${turn}`)
      expect(await page.locator('[data-part]').count()).toBeGreaterThan(2)
      // The server renders a `data-part` once for many pages, so this part must contain no ids that depend on its
      // position in a page.
      expect(await positionIds(page)).toEqual([])
      await page.getByRole('main').getByRole('region').first().getByRole('link').first().click()
      await page.waitForURL((url) => url.pathname !== '/')
    }
    expect(complaints).toEqual([])
  })
})

/**
 * Returns the differences between pages from the server and the same pages rendered by the browser. The browser
 * renders them when it comes from another page.
 */
async function differences(page: Page): Promise<unknown[]> {
  const found: unknown[] = []
  await visit(page, '/legal')
  for (const path of PATHS) {
    await page.getByRole('banner').locator(`a[href="${path}"]`).first().click()
    await page.waitForURL((url) => url.pathname === path)
    await alive(page)
    const own = await page.evaluate(contents, undefined)
    const theirs = await served(page, path)
    for (let place = 0; place < Math.max(own.length, theirs.length); place += 1)
      if (own[place] !== theirs[place]) found.push({ browser: own[place], server: theirs[place] })
  }
  return found
}

/** Returns the texts and links of the server's page. */
async function served(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text()
  return await page.evaluate(contents, html)
}

/** Returns the texts, links and pictures of a page's menu, sections and footer, in their order. */
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

/**
 * Returns the ids in shared parts of the server's page that React or React Aria derive from the position in the
 * page.
 */
async function positionIds(page: Page): Promise<string[]> {
  const html = await (await page.request.get(page.url())).text()
  return await page.evaluate((text) => {
    const shown = new DOMParser().parseFromString(text, 'text/html')
    return [...shown.querySelectorAll('[data-part] *')]
      .flatMap(({ attributes }) => [...attributes].map(({ value }) => value))
      .filter((value) => /_[Rr]_\w*_/.test(value))
  }, html)
}
