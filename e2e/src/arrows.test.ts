import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { lost } from './lost-focus.ts'
import { testBrowser } from './test-browser.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('on a phone, by arrows alone', () => {
  const open = testBrowser()

  it.each(['/', '/category', '/all-content', '/search/houle', '/auth/login'])(
    'a visitor reaches every element on %s, and leaves it again',
    async (path) => {
      const { page } = await open(PHONE)
      await visit(page, path, { waitUntil: 'networkidle' })
      expect(await lost(page)).toEqual([])
    },
  )

  it.each([
    '/account',
    '/account/informations',
    '/account/devices',
    '/account/security',
    '/account/parental-code',
  ])('a subscriber reaches every element on %s, and leaves it again', async (path) => {
    const { page } = await open(PHONE)
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, path, { waitUntil: 'networkidle' })
    expect(await lost(page)).toEqual([])
  })
})
