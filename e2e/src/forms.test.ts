import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { sharedService } from './shared-service.ts'

const EMAIL = 'subscriber@ondine.test'

describe('forms', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  /** The sign-in form, in a language. */
  async function signInForm(code: 'fra' | 'eng' = 'fra') {
    const { page, complaints } = await openPage(browser, origin)
    await page.context().addCookies([{ name: 'language', value: code, url: origin }])
    const main = page.getByRole('main')
    return {
      page,
      complaints,
      email: main.getByRole('textbox', { name: code === 'fra' ? 'Adresse e-mail' : 'E-mail address' }),
      password: main.getByLabel(code === 'fra' ? 'Mot de passe' : 'Password', { exact: true }),
      submit: main.getByRole('button', { name: code === 'fra' ? 'Se connecter' : 'Sign in' }),
    }
  }

  it('before a page is alive nothing can be sent, and what was typed is kept', async () => {
    const { page, complaints, email, password, submit } = await signInForm()
    const scripts = await holdScripts(page)
    await page.goto('/auth/login', { waitUntil: 'commit' })
    await email.fill(EMAIL)
    await password.fill('wrong')
    expect(await page.locator('main form').getAttribute('method')).toBe('post')
    expect(await submit.isDisabled()).toBe(true)
    await password.press('Enter')
    expect(page.url()).toBe(`${origin}/auth/login`)

    scripts.release()
    await expect.poll(() => submit.isEnabled()).toBe(true)
    expect(await email.inputValue()).toBe(EMAIL)
    expect(await password.inputValue()).toBe('wrong')
    expect(complaints).toEqual([])
    await submit.click()
    await page.getByText('Informations de connexion invalides').waitFor()
    await page.context().close()
  })

  it.each([
    ['fra', 'Champ obligatoire', 'Email invalide'],
    ['eng', 'Required field', 'Invalid e-mail'],
  ] as const)(
    'A5-01 A5-02 A5-05 in %s a field says what is wrong once it was left',
    async (code, required, invalid) => {
      const { page, email, password } = await signInForm(code)
      await visit(page, '/auth/login')
      await email.focus()
      expect(await page.getByText(required).count()).toBe(0)
      await email.press('Tab')
      await page.getByText(required).waitFor()
      expect(await email.getAttribute('aria-invalid')).toBe('true')
      expect(await password.getAttribute('aria-invalid')).toBeNull()
      await email.fill('nobody')
      await page.getByText(invalid).waitFor()
      await email.fill(EMAIL)
      await expect.poll(() => page.getByText(invalid).count()).toBe(0)
      await page.context().close()
    },
  )

  it('A5-03 submitting makes every field show what is wrong, and leads to the first', async () => {
    const { page, email, submit } = await signInForm()
    await visit(page, '/auth/login')
    await submit.click()
    await expect.poll(() => page.getByText('Champ obligatoire').count()).toBe(2)
    await expect
      .poll(async () => await email.evaluate((field) => field === document.activeElement))
      .toBe(true)
    await page.context().close()
  })

  it('A5-04 what the service finds wrong stands on the field that it is about', async () => {
    const { page, email, password, submit } = await signInForm()
    await page.route('**/oauth/token', (route) =>
      route.fulfill({
        status: 400,
        json: {
          status: false,
          error: {
            code: -400,
            message: 'Certaines informations ne sont pas valables.',
            details: {
              fields: [
                { field: 'password', message: 'must have 3 <b>colours</b>' },
                { field: 'elsewhere', message: 'requiredField' },
              ],
            },
          },
        },
      }),
    )
    await visit(page, '/auth/login')
    await email.fill(EMAIL)
    await password.fill('wrong')
    await submit.click()
    await page.getByText('Valeur incorrecte').waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await email.getAttribute('aria-invalid')).toBeNull()
    expect(await page.getByText('Certaines informations').count()).toBe(0)
    await password.fill('another')
    await expect.poll(() => page.getByText('Valeur incorrecte').count()).toBe(0)
    await page.context().close()
  })

  it('sends a form once, however often it is asked to', async () => {
    const { page, email, password, submit } = await signInForm()
    let sent = 0
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/oauth/token', async (route) => {
      sent++
      await answered
      await route.continue()
    })
    await visit(page, '/auth/login')
    await email.fill(EMAIL)
    await password.fill('wrong')
    await submit.dblclick()
    await password.press('Enter')
    await page.getByRole('button', { name: 'Connexion…' }).waitFor()
    await password.press('Enter')
    answer()
    await page.getByText('Informations de connexion invalides').waitFor()
    expect(sent).toBe(1)
    await page.context().close()
  })

  it('loads what a form is checked by with the form at work, not with the page', async () => {
    const { page, email } = await signInForm()
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await visit(page, '/auth/login', { waitUntil: 'networkidle' })
    const schema = () => scripts.filter((url) => url.includes('.schema'))
    expect(schema()).toEqual([])
    await email.focus()
    await email.press('Tab')
    await expect.poll(schema).not.toEqual([])
    await page.context().close()
  })
})

/** Keeps the scripts of a page back until they are released. */
async function holdScripts(page: Page): Promise<{ release: () => void }> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  return { release }
}
