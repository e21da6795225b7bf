import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alive, launchBrowser, openPage, visit } from './browser.ts'
import { shiftsOf, watchShifts } from './pictures/shifts.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

const EMAIL = 'subscriber@ondine.test'

describe('forms', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  /** Opens the sign-in form, in a language. */
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

  /** Opens the form of the gallery, which has a field of every kind. */
  async function galleryForm(code: 'fra' | 'eng' = 'fra', name = 'Formulaire') {
    const { page } = await openPage(browser, origin)
    await page.context().addCookies([{ name: 'language', value: code, url: origin }])
    await visit(page, '/design')
    return { page, form: page.getByRole('form', { name }) }
  }

  it('the panel of a form does not move while its page arrives piece by piece', async () => {
    const rest = Promise.withResolvers<void>()
    // A proxy that simulates a slow network. It holds back the part of each page that begins with the form.
    const slow = createServer((request, response) => {
      void (async () => {
        const answer = await fetch(origin + request.url)
        const type = answer.headers.get('content-type') ?? ''
        response.writeHead(answer.status, { 'content-type': type })
        if (!type.startsWith('text/html')) return response.end(Buffer.from(await answer.arrayBuffer()))
        const whole = await answer.text()
        const form = whole.lastIndexOf('<form')
        response.write(whole.slice(0, form))
        await rest.promise
        return response.end(whole.slice(form))
      })()
    })
    await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening))
    const { page } = await openPage(browser, `http://localhost:${(slow.address() as AddressInfo).port}`)
    try {
      await watchShifts(page)
      await page.goto('/auth/password', { waitUntil: 'commit' })
      await expect
        .poll(async () => await page.evaluate(() => performance.getEntriesByType('paint').length))
        .toBe(2)
      // Waits for the fonts. A late font may move text, and this test does not check such a move.
      await page.evaluate(async () => void (await document.fonts.ready))
      const before = (await shiftsOf(page)).what.length
      rest.resolve()
      await page.getByRole('main').getByRole('textbox', { name: 'Adresse e-mail' }).waitFor()
      await alive(page)
      // The heading, with which the panel begins, must not move.
      const since = (await shiftsOf(page)).what.slice(before)
      expect(since.filter((each) => each.includes('<h1'))).toEqual([])
    } finally {
      rest.resolve()
      await closeContext(page.context())
      slow.close()
    }
  })

  it('the sign-in form grows with a wide window, like all text, and has a frame except on a phone', async () => {
    const { page, email, submit } = await signInForm()
    await visit(page, '/auth/login')
    const resize = async (width: number) => {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForFunction((wanted) => innerWidth === wanted, width)
    }
    const sizes = async (width: number) => {
      await resize(width)
      return await Promise.all([email, submit].map(async (part) => (await part.boundingBox())?.height ?? 0))
    }
    const usual = await sizes(1280)
    const wide = await sizes(1920)
    expect(wide.map((size, at) => size / (usual[at] ?? 1))).toEqual([
      expect.closeTo(1.2, 1),
      expect.closeTo(1.2, 1),
    ])

    const frames = async (width: number) => {
      await resize(width)
      return await page.locator('main form').evaluate((form) => {
        let count = 0
        for (
          let each = form.parentElement;
          each !== null && each.tagName !== 'MAIN';
          each = each.parentElement
        ) {
          const { backgroundColor, boxShadow, borderStyle } = getComputedStyle(each)
          if (backgroundColor !== 'rgba(0, 0, 0, 0)' || boxShadow !== 'none' || borderStyle !== 'none')
            count += 1
        }
        return count
      })
    }
    expect([await frames(360), await frames(820)]).toEqual([0, 1])
    await closeContext(page.context())
  })

  it('A5-07 the rules of a password are below each other at every width', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/register')
    const rules = page.getByRole('list', { name: 'Règles du mot de passe' }).getByRole('listitem')
    for (const width of [360, 820, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForFunction((wanted) => innerWidth === wanted, width)
      const places = await rules.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
      expect(places.length, `at ${width}`).toBeGreaterThan(1)
      expect(new Set(places).size, `at ${width}`).toBe(1)
    }
    await closeContext(page.context())
  })

  it('before a page is alive nothing can be sent, and typed text is kept', async () => {
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
    await closeContext(page.context())
  })

  it('a box that is ticked before the page is alive counts', async () => {
    const { page } = await openPage(browser, origin)
    const scripts = await holdScripts(page)
    await page.goto('/register', { waitUntil: 'commit' })
    const form = page.getByRole('form', { name: 'Créer un compte' })
    const terms = form.getByRole('checkbox', { name: /^J’accepte/ })
    await terms.check({ force: true })
    scripts.release()
    const submit = form.getByRole('button', { name: 'Continuer' })
    await expect.poll(() => submit.isEnabled()).toBe(true)
    await submit.click()
    await form.getByText('Champ obligatoire').first().waitFor()
    expect([await terms.isChecked(), await terms.getAttribute('aria-invalid')]).toEqual([true, null])
    await closeContext(page.context())
  })

  it.each([
    ['fra', 'Champ obligatoire', 'Email invalide'],
    ['eng', 'Required field', 'Invalid e-mail address'],
  ] as const)(
    'A5-01 A5-02 A5-05 in %s a field shows its fault once it was left',
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
      await closeContext(page.context())
    },
  )

  it('A5-04 faults that the service finds are shown on their fields; a form is sent once, whatever the number of submits', async () => {
    const { page, email, password, submit } = await signInForm()
    const refusal = {
      status: 400,
      json: {
        status: false,
        error: {
          code: -400,
          message: 'Certaines informations ne sont pas valides.',
          details: {
            fields: [
              { field: 'password', message: 'must have 3 <b>colours</b>' },
              { field: 'elsewhere', message: 'requiredField' },
            ],
          },
        },
      },
    }
    await page.route('**/oauth/token', async (route) => await route.fulfill(refusal))
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

    await page.unroute('**/oauth/token')
    let sent = 0
    const answered = Promise.withResolvers<void>()
    await page.route('**/oauth/token', async (route) => {
      sent++
      await answered.promise
      await route.continue()
    })
    await submit.dblclick()
    await password.press('Enter')
    await page.getByRole('button', { name: 'Connexion…' }).waitFor()
    await password.press('Enter')
    answered.resolve()
    await page.getByText('Informations de connexion invalides').waitFor()
    expect(sent).toBe(1)
    await closeContext(page.context())
  })

  it.each([
    {
      code: 'fra',
      name: 'Formulaire',
      empty: 'Langue',
      required: 'Champ obligatoire',
      option: 'Français',
      first: 'Adresse e-mail',
      second: 'Confirmer l’adresse e-mail',
      differs: 'Les e-mails ne correspondent pas',
    },
    {
      code: 'eng',
      name: 'Form',
      empty: 'Language',
      required: 'Required field',
      option: 'French',
      first: 'E-mail address',
      second: 'Confirm e-mail address',
      differs: 'Emails do not match.',
    },
  ] as const)(
    'V5-03 A5-06 in $code a required select without a choice says so once it was left, until a choice is made; the second address must equal the first',
    async ({ code, name, empty, required, option, first, second, differs }) => {
      const { page, form } = await galleryForm(code, name)
      const choice = form.getByRole('button', { name: empty })
      await choice.focus()
      expect(await form.getByText(required).count()).toBe(0)
      await page.keyboard.press('Tab')
      await form.getByText(required).waitFor()
      await choice.click()
      await page.getByRole('option', { name: option }).click()
      await expect.poll(() => form.getByText(required).count()).toBe(0)

      await form.getByRole('textbox', { name: first, exact: true }).fill('a@example.org')
      const again = form.getByRole('textbox', { name: second })
      await again.fill('b@example.org')
      await again.press('Tab')
      await form.getByText(differs).waitFor()
      await again.fill('a@example.org')
      await expect.poll(() => form.getByText(differs).count()).toBe(0)
      await closeContext(page.context())
    },
  )

  it('A5-16 typed text follows the mask of its field, also in the middle; the rules of a password are ticked while it is typed, and describe its field', async () => {
    const { page, form } = await galleryForm()
    const phone = form.getByRole('textbox', { name: 'Téléphone' })
    await phone.pressSequentially('06a12-3456789')
    expect(await phone.inputValue()).toBe('06 12 34 56 78')
    for (let step = 0; step < 9; step++) await phone.press('ArrowLeft')
    await phone.press('Backspace')
    await phone.pressSequentially('9')
    expect(await phone.inputValue()).toBe('06 19 34 56 78')
    // A character that the mask rejects does not move the cursor.
    await phone.press('x')
    await phone.press('Backspace')
    await phone.pressSequentially('5')
    expect(await phone.inputValue()).toBe('06 15 34 56 78')
    const zip = form.getByRole('textbox', { name: 'Code postal' })
    await zip.pressSequentially('7x5 0-01')
    expect(await zip.inputValue()).toBe('75001')
    const parental = form.getByLabel('Code parental')
    await parental.pressSequentially('25a8012')
    expect(await parental.inputValue()).toBe('2580')
    expect(await parental.getAttribute('type')).toBe('password')

    const password = form.getByLabel('Nouveau mot de passe', { exact: true })
    const rules = form.getByRole('list', { name: 'Règles du mot de passe' })
    const kept = async () => await rules.getByText('respectée', { exact: true }).count()
    expect(await rules.getByRole('listitem').count()).toBe(5)
    expect(await kept()).toBe(0)
    expect(await password.getAttribute('aria-describedby')).toContain((await rules.getAttribute('id')) ?? '-')
    for (const [typed, count] of [
      ['a', 1],
      ['aB', 2],
      ['aB3', 3],
      ['aB3!', 4],
      ['aB3!aB3!', 5],
      ['B3!', 4],
    ] as const) {
      await password.fill(typed)
      await expect.poll(kept, { message: typed }).toBe(count)
    }
    await password.press('Tab')
    await form.getByText('Ce mot de passe ne respecte pas toutes les règles').waitFor()
    await closeContext(page.context())
  })

  it('A5-03 submitting shows the fault of every field, and focuses the first; the checks load then, not with the page', async () => {
    const { page, email, submit } = await signInForm()
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await visit(page, '/auth/login', { waitUntil: 'networkidle' })
    const schema = () => scripts.filter((url) => url.includes('.schema'))
    expect(schema()).toEqual([])
    await submit.click()
    await expect.poll(() => page.getByText('Champ obligatoire').count()).toBe(2)
    expect(schema()).not.toEqual([])
    await expect
      .poll(async () => await email.evaluate((field) => field === document.activeElement))
      .toBe(true)
    await closeContext(page.context())
  })
})

/** Delays the scripts of a page until the test releases them. */
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
