import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { lost } from './lost-focus.ts'
import { testBrowser } from './test-browser.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('on a phone, by arrows alone', () => {
  const open = testBrowser()

  /** Visits the screens with one page, because a sign-in and a new page take longer than the check. */
  async function lostOn(page: Page, paths: readonly string[]): Promise<string[]> {
    const faults: string[] = []
    for (const path of paths) {
      await visit(page, path, { waitUntil: 'networkidle' })
      faults.push(...(await lost(page)).map((fault) => `${path} ${fault}`))
    }
    return faults
  }

  it('a visitor reaches every element, and leaves it again', async () => {
    const { page } = await open(PHONE)
    const paths = ['/', '/category', '/all-content', '/search/houle', '/auth/login']
    expect(await lostOn(page, paths)).toEqual([])
  })

  it('a subscriber reaches every element, and leaves it again', async () => {
    const { page } = await open(PHONE)
    await signIn(page, 'subscriber@ondine.test')
    const names = ['', '/informations', '/devices', '/security', '/parental-code']
    expect(
      await lostOn(
        page,
        names.map((name) => `/account${name}`),
      ),
    ).toEqual([])
  })
})
