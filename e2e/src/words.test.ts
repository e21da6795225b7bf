import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { expectToFit } from './checks.ts'
import { runCommand } from './operator.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

const SIGN_IN = '/auth/login'
const HEADING = 'Se connecter'

describe('words', () => {
  let browser: Browser
  const { origin, dataDir } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it.each(['fra', 'eng'] as const)(
    'V1-15 in %s the built-in words are shown when their own cannot be fetched',
    async (code) => {
      const { page, complaints } = await openPage(browser, origin)
      await page.context().addCookies([{ name: 'language', value: code, url: origin }])
      await page.route('**/translations/**', (route) => route.fulfill({ status: 503, body: '<html>' }))
      await visit(page, SIGN_IN)
      const email = page.getByRole('textbox').first()
      await email.focus()
      await email.press('Tab')
      await page.getByText(code === 'fra' ? 'Champ obligatoire' : 'Required field').waitFor()
      expect(complaints.filter((each) => !each.includes('translations') && !each.includes('503'))).toEqual([])
      await closeContext(page.context())
    },
  )

  it('V1-15 only the shown language is loaded, once', async () => {
    const { page, complaints } = await openPage(browser, origin)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visit(page, SIGN_IN, { waitUntil: 'networkidle' })
    expect(asked.filter((path) => path.startsWith('/translations/'))).toEqual([
      expect.stringMatching(/\/fra\.[\da-f]{20}\.json$/),
    ])
    expect(asked.filter((path) => /\/(?:fra|eng)-[\w-]+\.js$/.test(path))).toEqual([])
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  // `follow-changes.test.ts` tests how soon a page follows, because that test can set the clock.
  it('a text that an operator changes reaches open pages, and is shown as text', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, SIGN_IN)
    await page.getByRole('heading', { level: 1, name: HEADING }).waitFor()
    const markup = 'Entrez <b onclick="alert(1)">ici</b>'
    try {
      await run('words set', 'fra', 'signIn.title', markup)
      await page.getByRole('heading', { level: 1, name: markup }).waitFor()
      await expect.poll(() => page.title()).toContain(markup)
    } finally {
      await run('words unset', 'fra', 'signIn.title')
    }
    await page.getByRole('heading', { level: 1, name: HEADING }).waitFor()
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('an operator adds Arabic: the page is mirrored, with Arabic words first and those of the default language for the rest', async () => {
    const { page, complaints } = await openPage(browser, origin)
    try {
      await run('config set', 'languages.languages', '["fra","eng","ara"]')
      await run('words set', 'ara', 'signIn.title', 'تسجيل الدخول')
      await page.context().addCookies([{ name: 'language', value: 'ara', url: origin }])
      await visit(page, SIGN_IN)
      await page.getByRole('heading', { level: 1, name: 'تسجيل الدخول' }).waitFor()
      await page.getByLabel('Adresse e-mail').waitFor()
      const html = page.locator('html')
      expect(await html.getAttribute('lang')).toBe('ar')
      expect(await html.getAttribute('dir')).toBe('rtl')
      for (const width of [360, 1280]) {
        await expectToFit(page, width, 'the sign-in in Arabic')
        // A label begins at the beginning of the line: at the right.
        const [label, field] = await Promise.all([
          page.getByText('Adresse e-mail', { exact: true }).boundingBox(),
          page.getByLabel('Adresse e-mail').boundingBox(),
        ])
        expect(Math.abs(right(label) - right(field))).toBeLessThanOrEqual(24)
      }
      // The text of a button is centred in every language.
      const button = page.getByRole('main').getByRole('button', { name: 'Se connecter' })
      expect(await button.evaluate((element) => getComputedStyle(element).textAlign)).toBe('center')

      // Typed text has its own direction. The arrows move the caret along the text. Past the beginning of the
      // text, they move the focus to the button in the field.
      const password = page.getByLabel('Mot de passe', { exact: true })
      const show = page.getByRole('button', { name: /le mot de passe$/ })
      const isFocused = async (what: Locator) => await what.evaluate((at) => at === document.activeElement)
      const caret = async () => await password.evaluate((field: HTMLInputElement) => field.selectionStart)
      await show.click()
      await password.fill('Houle')
      await page.keyboard.press('ArrowLeft')
      expect([await isFocused(password), await caret()]).toEqual([true, 4])
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      expect(await isFocused(show)).toBe(true)
      await password.fill('موجة')
      await page.keyboard.press('ArrowLeft')
      expect(await isFocused(show)).toBe(true)
      // The dots of a masked password have no direction, so they follow the page's direction.
      await show.click()
      await password.fill('Houle')
      await page.keyboard.press('ArrowLeft')
      expect(await isFocused(show)).toBe(true)

      // Text in another language keeps its direction: the full stop of this French text is at its right end.
      await visit(page, '/live')
      const places = await page.getByText(/Tous droits réservés\.$/).evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
        const at = (offset: number) => {
          const range = document.createRange()
          range.setStart(text, offset)
          range.setEnd(text, offset + 1)
          return range.getBoundingClientRect().x
        }
        return [at(0), at(text.data.length - 1)]
      })
      expect(places[1]).toBeGreaterThan(places[0] ?? Number.NaN)
      expect(complaints).toEqual([])
    } finally {
      await closeContext(page.context())
      await run('words unset', 'ara', 'signIn.title')
      await run('config unset', 'languages.languages')
    }
  })

  /** Runs a command on the shared service. */
  async function run(name: string, ...args: string[]): Promise<void> {
    await runCommand(dataDir, name, args)
  }
})

function right(box: { x: number; width: number } | null): number {
  return box === null ? Number.NaN : box.x + box.width
}
