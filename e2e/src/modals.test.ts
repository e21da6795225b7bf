import { MODAL } from '@ondine/contract/constants'
import { KEPT_ON_NAVIGATION, type ModalKind, UNANSWERED } from '@ondine/web/modals/modal-kinds'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { MOVING, signIn, visit, type WatchedPage } from './browser.ts'
import { axeFaults, touchFaults } from './checks.ts'
import { keepModalSamples } from './modal-samples.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Every kind of modal. At /design, a button with the name of the kind opens it. */
const KINDS = Object.keys(UNANSWERED) as ModalKind[]

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }

const MODALS = '[role=dialog], [role=alertdialog]'

describe('modals', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  const configure = testConfiguration()
  let film = ''

  beforeAll(async () => {
    film = (await findAsset(origin, 'La Houle')).detailRoute
  })

  async function openKind(page: Page, kind: string): Promise<void> {
    await page.getByRole('button', { name: kind, exact: true }).click()
    await page.locator(MODALS).waitFor()
  }

  async function gone(page: Page): Promise<void> {
    await page.locator(MODALS).waitFor({ state: 'detached' })
  }

  async function focused(page: Page): Promise<string | null> {
    return await page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
    )
  }

  /** Opens the gallery with only the samples of modals. */
  async function gallery(options?: BrowserContextOptions): Promise<WatchedPage> {
    const watched = await open(options)
    await visit(watched.page, '/design')
    await keepModalSamples(watched.page)
    return watched
  }

  it('V3-43 every kind opens with a name, closes by keyboard or answer, and has no fault that axe finds at 360 and 1280', async () => {
    const { page, complaints } = await gallery({ viewport: WIDE })
    for (const kind of KINDS) {
      await openKind(page, kind)
      const dialog = page.locator(MODALS)
      const name = await dialog.evaluate(
        (element) =>
          document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ?? '',
      )
      expect(name.length, `the name of ${kind}`).toBeGreaterThan(2)
      for (const viewport of [WIDE, NARROW]) {
        const { width } = viewport
        await page.setViewportSize(viewport)
        await page.waitForFunction((wanted) => innerWidth === wanted, width)
        const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)
        expect(overflow, `${kind} is no wider than its sheet at ${width}`).toBeLessThanOrEqual(0)
        expect(await axeFaults(page, MODALS), `${kind} at ${width}`).toEqual([])
      }
      await expect
        .poll(
          async () => {
            const box = await dialog.boundingBox()
            return Math.round((box?.y ?? 0) + (box?.height ?? 0))
          },
          { message: `${kind} stands on the lower edge` },
        )
        .toBe(NARROW.height)
      expect(await touchFaults(page, NARROW.width), kind).toEqual([])
      await page.keyboard.press('Escape')
      if (kind === 'privacyPolicyConsent') await page.getByRole('button', { name: 'Refuser' }).click()
      await gone(page)
      await page.setViewportSize(WIDE)
    }
    expect(complaints).toEqual([])
  })

  it('A2.3-01 one is open at a time, returns its answer, and returns the focus to where it was', async () => {
    const { page } = await gallery()
    const answered = async (text: string) => await page.getByText(text).waitFor()

    await openKind(page, 'confirm')
    expect(await page.locator(MODALS).count()).toBe(1)
    await page.keyboard.press('Enter')
    await gone(page)
    await answered('Réponse : true')
    await expect.poll(async () => await focused(page)).toBe('confirm')

    await openKind(page, 'confirm')
    await page.keyboard.press('Escape')
    await gone(page)
    await answered('Réponse : false')
    await expect.poll(async () => await focused(page)).toBe('confirm')

    await openKind(page, 'manageMedia')
    await page.getByRole('button', { name: /Audio : anglais/ }).click()
    await gone(page)
    await answered('"idMedia":2')
  })

  it('A2.3-01 Escape closes a modal that has not taken the focus yet, unless it must be answered', async () => {
    const { page } = await gallery()
    await page.evaluate(escapeAtSight, MODALS)
    for (const kind of ['confirm', 'manageDevices', 'privacyPolicyConsent']) {
      const opener = page.getByRole('button', { name: kind, exact: true })
      await opener.focus()
      // Simulates a press by a screen reader or a remote control. After such a press, the focus moves into the
      // modal only when the motion on the page has ended.
      await opener.evaluate((element: HTMLElement) => element.click())
      await expect
        .poll(async () => await page.evaluate(() => Reflect.get(window, 'escapedFrom')))
        .toBe('page')
      if (kind === 'privacyPolicyConsent') await page.getByRole('button', { name: 'Refuser' }).click()
      await gone(page)
      await expect.poll(async () => await focused(page)).toBe(kind)
      await page.evaluate(() => Reflect.set(window, 'escapedFrom', undefined))
    }
  })

  it.each([
    ['A2.3-01 Escape', async (page: Page) => await page.keyboard.press('Escape')],
    ['A2.3-03 a navigation', async (page: Page) => void (await page.goBack())],
  ])('%s closes a modal whose code is still loading', async (_what, close) => {
    const { page } = await open()
    let come: () => void = () => {}
    const coming = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route('**/modal-stage-*.js', async (route) => {
      await coming
      await route.continue()
    })
    await visit(page, '/design')
    // Adds an entry to the history, so that going back is a navigation without a new document.
    await page.evaluate(() => history.pushState(null, '', '/design?there'))
    await page.getByRole('button', { name: 'confirm', exact: true }).click()
    await close(page)
    await page.getByText('Réponse : false').waitFor()
    const code = page.waitForResponse('**/modal-stage-*.js')
    come()
    await code
    await openKind(page, 'alert')
    expect(await page.locator(MODALS).count()).toBe(1)
  })

  it('A2.3-01 the focus stays inside, by Tab in both directions and by arrows', async () => {
    const { page } = await gallery()
    await openKind(page, 'subscribe')
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 8; press += 1) {
        await page.keyboard.press(key)
        expect(
          await page.evaluate((inside) => document.activeElement?.closest(inside) !== null, MODALS),
        ).toBe(true)
      }
    }
    const button = page.getByRole('button', { name: /Ondine intégral/ })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => await focused(page)).toMatch(/Ondine essentiel/)
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => await focused(page)).toMatch(/Ondine intégral/)
  })

  it('A2.3-02 enters in 1000 ms and leaves in 900 ms, and the page below neither scrolls nor shifts', async () => {
    const { page } = await open(MOVING)
    await page.addInitScript(noteModals, MODALS)
    await visit(page, '/design')
    await page.getByRole('button', { name: 'confirm', exact: true }).scrollIntoViewIfNeeded()
    const place = async () =>
      await page.evaluate(() => ({ scroll: scrollY, width: document.querySelector('main')?.clientWidth }))
    const before = await place()
    expect(before.scroll).toBeGreaterThan(100)
    await openKind(page, 'confirm')
    await expect.poll(async () => (await noted(page)).durations).toEqual([MODAL.enterMs])
    await page.mouse.move(5, 5)
    await page.mouse.wheel(0, 400)
    await page.keyboard.press('PageDown')
    expect(await place()).toEqual(before)
    await page.evaluate(() => {
      Reflect.get(window, 'noted').focused.length = 0
    })
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await noted(page)).durations).toEqual([MODAL.enterMs, MODAL.leaveMs])
    // The focus returns to the page while the modal is still leaving.
    await expect.poll(async () => (await noted(page)).focused).toContain('confirm')
    await gone(page)
    expect(await place()).toEqual(before)
  })

  it('A2.3-02 has no motion where less motion is preferred', async () => {
    const { page } = await gallery()
    await page.evaluate(noteModals, MODALS)
    await openKind(page, 'confirm')
    await page.keyboard.press('Escape')
    await gone(page)
    expect((await noted(page)).durations).toEqual([])
  })

  it('A2.3-03 closes on a navigation, except the chooser of profiles and the privacy consent', async () => {
    const { page } = await gallery()
    // Tests two of the kinds that close. A unit test covers the others, which the modal manager treats alike.
    for (const kind of ['confirm', 'profile', ...KEPT_ON_NAVIGATION] as const) {
      // Adds an entry to the history, so that going back is a navigation without a new document.
      await page.evaluate(() => history.pushState(null, '', '/design?there'))
      await openKind(page, kind)
      await page.goBack()
      if (KEPT_ON_NAVIGATION.has(kind)) {
        await page.waitForURL((url) => url.search === '')
        expect(await page.locator(MODALS).count(), kind).toBe(1)
        await page.keyboard.press('Escape')
        if (kind === 'privacyPolicyConsent') await page.getByRole('button', { name: 'Refuser' }).click()
      }
      await gone(page)
    }
  })

  it('A2.3-04 A5-18 the parental code is four masked digits; a wrong code is reported inline', async () => {
    const { page } = await gallery()
    await openKind(page, 'input')
    const field = page.locator('input[name=parentalCode]')
    expect(await field.getAttribute('type')).toBe('password')
    expect(await field.getAttribute('inputmode')).toBe('numeric')
    expect(await focused(page)).not.toBe('input')

    await page.keyboard.press('Enter')
    await page.locator(MODALS).getByText('Champ obligatoire').waitFor()
    await page.keyboard.type('1a2')
    expect(await field.inputValue()).toBe('12')
    await page.keyboard.press('Enter')
    await page.locator(MODALS).getByText('Le code doit comporter quatre chiffres.').waitFor()

    await page.keyboard.type('3456')
    expect(await field.inputValue()).toBe('1234')
    await page.keyboard.press('Enter')
    await page.locator(MODALS).getByText('Le code parental saisi est incorrect.').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await page.locator(MODALS).count()).toBe(1)

    await page.keyboard.type('2580')
    await page.keyboard.press('Enter')
    await gone(page)
    await page.getByText('Réponse : "2580"', { exact: true }).waitFor()
  })

  it('A2.3-04 A4.8-10 payment asks for one of the payment methods, and the popup of an exhausted quota whether to see the offers', async () => {
    const { page } = await gallery()
    await openKind(page, 'payment')
    await page.getByRole('button', { name: 'Prélèvement' }).click()
    await gone(page)
    await page.getByText('Réponse : 2', { exact: true }).waitFor()
    await openKind(page, 'quotaLimit')
    expect(await page.getByRole('alertdialog').textContent()).toContain('espace d’enregistrement est plein')
    await page.getByRole('button', { name: 'Voir les offres' }).click()
    await gone(page)
    await page.getByText('Réponse : true', { exact: true }).waitFor()
  })

  it('V3-46 a film, a series and a channel are shared by link and by e-mail, from a button that keeps the focus', async () => {
    const { page, complaints } = await open({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const channel = await findChannel(origin, 'Rive')
    for (const [path, title] of [
      [film, 'La Houle'],
      [channel.detailRoute, 'Rive'],
    ] as const) {
      await visit(page, path)
      await page.getByRole('button', { name: `Partager : ${title}` }).click()
      const dialog = page.getByRole('dialog', { name: 'Partager' })
      const address = `${origin}${path}`
      expect(await dialog.getByLabel('Lien', { exact: true }).inputValue()).toBe(address)
      await dialog.getByRole('button', { name: 'Copier le lien' }).click()
      await dialog.getByRole('button', { name: 'Lien copié' }).waitFor()
      expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(address)
      const mail = await dialog.getByRole('link', { name: 'Envoyer par e-mail' }).getAttribute('href')
      expect(mail).toContain(`mailto:?subject=${encodeURIComponent(title)}&body=`)
      expect(decodeURIComponent(mail ?? '')).toContain(address)
      await page.keyboard.press('Escape')
      await gone(page)
      await expect.poll(async () => await focused(page)).toBe(`Partager\u00A0: ${title}`)
    }
    expect(complaints).toEqual([])
  })

  it('V4-13 A8.1-07 a suspended account that plays is told to contact its provider', async () => {
    const { page } = await open()
    await signIn(page, 'suspended@ondine.test')
    await visit(page, film)
    await page.getByRole('main').getByRole('button', { name: 'Lecture' }).click()
    const alert = page.getByRole('alertdialog', { name: 'Compte suspendu' })
    expect(await alert.textContent()).toContain('Contactez votre fournisseur de services.')
    await page.keyboard.press('Enter')
    await gone(page)
    expect(new URL(page.url()).pathname).toBe(film)
  })

  it('V4-15 an asset with several media asks which one to play, unless mediaSelectionEnabled is off', async () => {
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await page.route('**/proxy/contentData*', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      answer.result.content.payload.medias = [
        { idMedia: 1, audioLanguages: ['fra'], subtitleLanguages: ['fra'] },
        { idMedia: 2, audioLanguages: ['eng'], subtitleLanguages: ['fra'] },
      ]
      await route.fulfill({ response, json: answer })
    })
    await visit(page, '/all-content')
    await page.locator(`main a[href="${film}"]`).first().click()
    const play = page.getByRole('main').getByRole('button', { name: /^(Lecture|Reprendre)/ })
    await play.waitFor()
    await configure({ 'player.mediaSelectionEnabled': false })
    // Without media selection, a link that opens no modal replaces the play button.
    await play.waitFor({ state: 'detached' })
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(Lecture|Reprendre)/ })
      .waitFor()
    await configure({ 'player.mediaSelectionEnabled': true })
    await play.click()
    await page.getByRole('dialog', { name: 'Choisissez une version' }).waitFor()
    await page.getByRole('button', { name: /Audio : anglais/ }).click()
    await page.waitForURL((url) => url.pathname === '/player' && url.searchParams.get('audio') === 'eng')
    expect(new URL(page.url()).searchParams.get('sub')).toBeNull()
  })

  it('loads no code before the first modal opens', async () => {
    const { page } = await open()
    const scripts: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.url())
    })
    await visit(page, film)
    await page.waitForLoadState('networkidle')
    expect(scripts.filter((url) => url.includes('modal-stage'))).toEqual([])
    await page.getByRole('button', { name: 'Partager : La Houle' }).click()
    await page.locator(MODALS).waitFor()
    expect(scripts.filter((url) => url.includes('modal-stage'))).toHaveLength(1)
  })
})

/**
 * Presses Escape as soon as `dialog` appears, and records in `escapedFrom` whether the focus was in the dialog or
 * on the page. Runs in the page.
 */
function escapeAtSight(dialog: string): void {
  let wasThere = false
  new MutationObserver(() => {
    const isThere = document.querySelector(dialog) !== null
    if (isThere && !wasThere) {
      const { activeElement } = document
      Reflect.set(window, 'escapedFrom', activeElement?.closest(dialog) == null ? 'page' : 'dialog')
      activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }
    wasThere = isThere
  }).observe(document, { childList: true, subtree: true })
}

/** Record of a page's modals, see {@link noteModals}. */
interface Noted {
  /** Durations of the motions of modals, in milliseconds, without duplicates. */
  durations: unknown[]
  /** Texts of the elements that had the focus while a modal was open, in order. */
  focused: (string | null)[]
}

async function noted(page: Page): Promise<Noted> {
  return await page.evaluate(() => Reflect.get(window, 'noted') as Noted)
}

/**
 * Records the motions of the modal that contains `inside`, and the focus during each motion. Polling could miss a
 * motion. Runs in the page.
 */
function noteModals(inside: string): void {
  const known: Noted = { durations: [], focused: [] }
  Reflect.set(window, 'noted', known)
  // Reads the motions when a modal enters or begins to leave. On a busy machine, a motion may end before the next
  // frame.
  const look = () => {
    for (const { effect } of document.getAnimations()) {
      if (!(effect instanceof KeyframeEffect) || effect.target?.querySelector(inside) == null) continue
      const { duration } = effect.getTiming()
      if (!known.durations.includes(duration)) known.durations.push(duration)
    }
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-exiting'],
  })
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && document.querySelector(inside) !== null)
      known.focused.push(target.textContent)
  })
}
