import { UNANSWERED } from '@ondine/web/modals/modal-kinds'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { routeAddresses } from './addresses.ts'
import { alive, signIn, visit } from './browser.ts'
import { lost } from './lost-focus.ts'
import { keepModalSamples } from './modal-samples.ts'
import { inNewProfile } from './people.ts'
import { pressCode } from './press-code.ts'
import { videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Televisions, with the codes of the keys of their remotes. */
const SETS = {
  Tizen: {
    userAgent:
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 9.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.5 TV Safari/537.36',
    back: 10_009,
    pause: 10_252,
    play: 10_252,
  },
  webOS: {
    userAgent:
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.270 Safari/537.36 WebAppManager',
    back: 461,
    pause: 19,
    play: 415,
  },
} as const

const TIZEN_PAGE: BrowserContextOptions = {
  viewport: { width: 1920, height: 1080 },
  userAgent: SETS.Tizen.userAgent,
}

/** Address of the script that only televisions load. */
const TELEVISION_SCRIPT = /\/assets\/television-[\w-]+\.js/

/** The visible focus: the element and its ring. */
interface SeenFocus {
  href: string | null
  name: string
  /** Whether the element is in a row of cards. */
  isCard: boolean
  /** Whether the element is in the bar. */
  isBar: boolean
  /** Whether the element is a control of the player. */
  isControl: boolean
  /** Width of the ring around the element or its picture, in px. */
  ring: number
  isInWindow: boolean
}

async function seenFocus(page: Page): Promise<SeenFocus> {
  return await page.evaluate(() => {
    const here = document.activeElement ?? document.body
    const ringOf = (element: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
    }
    const label = here.closest('label')
    const { top, left, bottom, right } = here.getBoundingClientRect()
    // A guide tile may begin before the visible hours and end after them, so it counts as visible if any part of
    // it is.
    const isSeenAcross =
      here.closest('[role="grid"]') === null
        ? left >= 0 && right <= innerWidth
        : left < innerWidth && right > 0
    return {
      href: here.getAttribute('href'),
      name: (here.getAttribute('aria-label') ?? here.textContent).trim(),
      isCard: here.closest('[aria-labelledby^="rail-"] li') !== null,
      isBar: here.closest('header') !== null,
      isControl: here.closest('[data-controls]') !== null,
      // Looks for the ring around the element's neighbours too. The ring of a field is around its frame, the ring of
      // the scrubber around its track, and the ring of an option around its label or a part of the label.
      ring: Math.max(
        ...[
          here,
          ...here.children,
          here.nextElementSibling,
          here.parentElement,
          label,
          ...(label?.children ?? []),
        ]
          .filter((element) => element != null)
          .map(ringOf),
      ),
      isInWindow: top >= 0 && bottom <= innerHeight && isSeenAcross,
    }
  })
}

/** Presses an arrow until the focus fulfils `isThere`. @returns the focus */
async function walk(page: Page, arrow: string, isThere: (seen: SeenFocus) => boolean): Promise<SeenFocus> {
  for (let step = 0; step < 40; step += 1) {
    const seen = await seenFocus(page)
    if (isThere(seen)) return seen
    await page.keyboard.press(arrow)
  }
  throw new Error(`${arrow} leads nowhere; the focus is on ${JSON.stringify(await seenFocus(page))}.`)
}

/** Walks down the rows, and along each row, to the first card of a film. */
async function filmCard(page: Page): Promise<SeenFocus> {
  const way: string[] = []
  for (let row = 0; row < 6; row += 1) {
    await walk(page, 'ArrowDown', ({ isCard }) => isCard)
    for (let column = 0; column < 8; column += 1) {
      const seen = await seenFocus(page)
      if (seen.isCard && seen.href?.startsWith('/content/') === true) return seen
      way.push(seen.href ?? seen.name)
      await page.keyboard.press('ArrowRight')
    }
    // Goes back to the row's first card, so that the next row is entered at its first card.
    for (let column = 0; column < 8; column += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`No arrow leads to the card of a film: ${way.join(', ')}`)
}

/** Waits until the focus is visible on the screen. */
async function focusIsSeen(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const { ring, isInWindow } = await seenFocus(page)
      return isInWindow && ring >= 4
    })
    .toBe(true)
}

/** Gives a page the parts of Tizen's device API that it uses. */
function pretendTizen(): void {
  Object.assign(globalThis, {
    exits: 0,
    keys: [],
    tizen: {
      tvinputdevice: {
        getSupportedKeys: () => [{ name: 'MediaPlayPause' }, { name: 'ColorF0Red' }],
        registerKeyBatch: (names: string[]) => Object.assign(globalThis, { keys: names }),
      },
      application: {
        getCurrentApplication: () => ({
          exit: () => Object.assign(globalThis, { exits: Number(Reflect.get(globalThis, 'exits')) + 1 }),
        }),
      },
    },
  })
}

/** Returns how often the page has left the app of {@link pretendTizen}. */
async function exits(page: Page): Promise<number> {
  return await page.evaluate(() => Number(Reflect.get(globalThis, 'exits')))
}

describe('by the remote of a television alone', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  it.each(Object.entries(SETS))(
    'V4-59 %s: from home to a playing film, and back to the same card',
    async (_system, { userAgent, back, pause, play }) => {
      const { page } = await open({ ...TIZEN_PAGE, userAgent })
      await signIn(page, 'subscriber@ondine.test')
      // In a new profile, the film starts at its beginning. Near the credits, their button would appear.
      await inNewProfile(page, async () => {
        await visit(page, '/')
        await focusIsSeen(page)
        await page.keyboard.press('ArrowDown')
        const card = await filmCard(page)
        await focusIsSeen(page)
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => url.pathname === card.href)
        await alive(page)
        await focusIsSeen(page)
        await walk(page, 'ArrowUp', ({ name }) => /^(?:Lecture|Reprendre|Revoir)/.test(name))
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/player/)
        await expect
          .poll(async () => (await videoState(page)).position, { timeout: 60_000 })
          .toBeGreaterThan(0.5)

        // Tries the media keys, and OK while the picture has the focus.
        await pressCode(page, pause)
        await expect.poll(async () => (await videoState(page)).paused).toBe(true)
        await pressCode(page, play)
        await expect.poll(async () => (await videoState(page)).paused).toBe(false)
        await page.keyboard.press('Enter')
        await expect.poll(async () => (await videoState(page)).paused).toBe(true)
        // While the picture has the focus, the arrows seek.
        const { position } = await videoState(page)
        await page.keyboard.press('ArrowRight')
        await expect.poll(async () => (await videoState(page)).position).toBeGreaterThan(position + 5)

        // Arrow down shows the controls. Then the arrows move the focus between the controls.
        await page.keyboard.press('ArrowDown')
        const seen = async () => await seenFocus(page)
        await expect.poll(seen).toMatchObject({ name: 'Lecture', isControl: true })
        await page.keyboard.press('ArrowRight')
        await expect
          .poll(seen)
          .toMatchObject({ isControl: true, name: expect.not.stringMatching(/^Lecture$/) })
        await walk(page, 'ArrowRight', ({ name }) => name === 'Vitesse et qualité')
        await page.keyboard.press('Enter')
        const panel = page.locator('dialog[open]:not([inert])')
        await panel.waitFor()
        await pressCode(page, back)
        await panel.waitFor({ state: 'detached' })

        await pressCode(page, back)
        await page.waitForURL((url) => url.pathname === card.href)
        await focusIsSeen(page)
        await pressCode(page, back)
        await page.waitForURL((url) => url.pathname === '/')
        // Home fetches its rails again, because the viewer has begun the film. The focus must still return to the
        // card.
        await expect.poll(async () => (await seenFocus(page)).href).toBe(card.href)
        await focusIsSeen(page)
      })
    },
  )

  it('V4-59 back restores the focus on a card, and leaves it where the viewer has moved it; a removed card passes it on to the next', async () => {
    const { page } = await open(TIZEN_PAGE)
    await visit(page, '/')
    await focusIsSeen(page)
    await filmCard(page)
    const card = await seenFocus(page)
    expect(card).toMatchObject({ isCard: true, href: expect.stringMatching(/^\//) })
    const isRestored = async () => {
      await expect.poll(async () => (await seenFocus(page)).href).toBe(card.href)
      await focusIsSeen(page)
    }
    const there = async () => {
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === card.href)
      await focusIsSeen(page)
      await pressCode(page, SETS.Tizen.back)
      await page.waitForURL((url) => url.pathname === '/')
    }
    /**
     * Removes the card from the page, as if its rail had not arrived yet. @returns a function that restores the
     * card
     */
    const without = async () => {
      const taken = await page.evaluateHandle(() => {
        const item = document.activeElement?.closest('li')
        const { parentElement, nextSibling } = item ?? {}
        item?.remove()
        return () => parentElement?.insertBefore(item ?? document.body, nextSibling ?? null)
      })
      await expect.poll(async () => (await seenFocus(page)).href).not.toBe(card.href)
      await focusIsSeen(page)
      return async () => await taken.evaluate((bring) => void bring())
    }
    // After the viewer has moved the focus, a card that arrives late does not get the focus.
    await there()
    await isRestored()
    const bringLater = await without()
    await page.keyboard.press('ArrowUp')
    const moved = await seenFocus(page)
    await bringLater()
    await focusIsSeen(page)
    expect(await seenFocus(page)).toMatchObject({ name: moved.name })

    const removed = page.locator('main li:has(a):has(+ li a)').first()
    const next = await removed.evaluate((item) =>
      item.nextElementSibling?.querySelector('a')?.getAttribute('href'),
    )
    await removed.locator('a').first().focus()
    await removed.evaluate((item) => item.remove())
    await expect.poll(async () => (await seenFocus(page)).href).toBe(next)
    await focusIsSeen(page)
  })

  it('V4-59 back restores the focus on a card whose rail arrives after its screen', async () => {
    // The screen of favourites suggests home's first rail of posters with four or more items.
    await configure({ 'home.connected': [{ id: 'channels', source: 'live', layout: 'Poster' }] })
    const { page } = await open(TIZEN_PAGE)
    await page.clock.install()
    await signIn(page, 'subscriber@ondine.test')
    // Without favourites, the screen has a rail of suggestions. The screen appears before this rail arrives.
    await inNewProfile(page, async () => {
      await visit(page, '/account/favorites')
      const card = page.getByRole('region', { name: 'À voir aussi' }).getByRole('link').nth(1)
      await card.focus()
      const href = await card.getAttribute('href')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === href)
      await focusIsSeen(page)
      const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
      await page.route('**/proxy/homeContent*', async (route) => {
        await arrival
        await route.fallback()
      })
      // The page drops data that no screen has used for 5 minutes. Watching a film takes longer.
      await page.clock.fastForward('06:00')
      await pressCode(page, SETS.Tizen.back)
      await page.waitForURL((url) => url.pathname === '/account/favorites')
      const focused = async () => (await seenFocus(page)).href
      // Until the rail arrives, the first element of the screen has the focus.
      await expect.poll(focused).toMatch(/^\//)
      await focusIsSeen(page)
      expect(await focused()).not.toBe(href)
      arrive()
      await expect.poll(focused).toBe(href)
      await focusIsSeen(page)
    })
  })

  it('A2.3-01 every dialog takes the focus visibly, the arrows move in it, and back closes it', async () => {
    const { page } = await open(TIZEN_PAGE)
    await visit(page, '/design')
    await keepModalSamples(page)
    const dialog = page.locator('[role=dialog], [role=alertdialog]')
    const isInside = async () =>
      await page.evaluate(
        () => document.activeElement?.matches('[role=dialog] *, [role=alertdialog] *') === true,
      )
    for (const kind of Object.keys(UNANSWERED)) {
      await page.getByRole('button', { name: kind, exact: true }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await expect.poll(isInside, { message: kind }).toBe(true)
      await focusIsSeen(page)
      const controls = await dialog.locator('a, button:enabled, input').count()
      const begun = await seenFocus(page)
      const seen = new Set([begun.name])
      for (const arrow of ['ArrowDown', 'ArrowRight', 'ArrowUp']) {
        await page.keyboard.press(arrow)
        expect(await isInside(), `${kind} ${arrow}`).toBe(true)
        seen.add((await seenFocus(page)).name)
      }
      if (controls > 1) expect(seen.size, `${kind}: arrows move`).toBeGreaterThan(1)
      await pressCode(page, SETS.Tizen.back)
      if (kind === 'privacyPolicyConsent') await page.getByRole('button', { name: 'Refuser' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(async () => (await seenFocus(page)).name).toBe(kind)
    }
  })

  it('V4-35 V4-59 the panel of speed and quality opens, chooses and closes by five keys', async () => {
    const { page } = await open(TIZEN_PAGE)
    await signIn(page, 'subscriber@ondine.test')
    const film = await findAsset(origin, 'La Houle')
    await inNewProfile(page, async () => {
      await visit(page, `/player?asset=${film.id}`)
      await expect
        .poll(async () => (await videoState(page)).position, { timeout: 60_000 })
        .toBeGreaterThan(0.5)
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await walk(page, 'ArrowRight', ({ name }) => name === 'Vitesse et qualité')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('dialog', { name: 'Vitesse et qualité' })
      const speed = panel.getByRole('group', { name: 'Vitesse' })
      await expect.poll(async () => await speed.locator('label:has(:checked)').textContent()).toBe('Normale')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(async () => await speed.locator('label:has(:checked)').textContent()).toMatch(/^1,25/)
      // The arrows move the focus only within the panel, here to its second list.
      await page.keyboard.press('ArrowRight')
      const isIn = async (name: string) =>
        await page.evaluate(
          (legend) =>
            document.activeElement?.closest('fieldset')?.querySelector('legend')?.textContent === legend,
          name,
        )
      await expect.poll(async () => await isIn('Qualité')).toBe(true)
      for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowDown')
      expect(await panel.locator(':focus').count()).toBe(1)
      await pressCode(page, SETS.Tizen.back)
      await panel.waitFor({ state: 'detached' })
      expect(await seenFocus(page)).toMatchObject({ name: 'Vitesse et qualité' })
    })
  })

  it('an error of the player has its first action in focus, and the arrows reach the others', async () => {
    const { page } = await open(TIZEN_PAGE)
    await signIn(page, 'subscriber@ondine.test')
    const film = await findAsset(origin, 'La Houle')
    await page.route('**/play/**', async (route) => await route.abort())
    await visit(page, `/player?asset=${film.id}`)
    await page.getByRole('alertdialog').waitFor({ timeout: 60_000 })
    await expect.poll(async () => (await seenFocus(page)).name).toBe('Réessayer')
    await focusIsSeen(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await seenFocus(page)).name).toBe('Revenir à la fiche')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/player')
  })

  it('back leaves the app from the sign-in of a private service', async () => {
    await configure({ 'accounts.isPrivateAccessEnabled': true })
    const { page } = await open(TIZEN_PAGE)
    await page.addInitScript(pretendTizen)
    await visit(page, '/')
    await page.waitForURL((url) => url.pathname === '/auth/login')
    await focusIsSeen(page)
    expect(await exits(page)).toBe(0)
    await pressCode(page, SETS.Tizen.back)
    await expect.poll(async () => await exits(page)).toBe(1)
  })

  it('back closes an open menu before it leaves the screen, and leaves the app from home', async () => {
    const { page } = await open(TIZEN_PAGE)
    await page.addInitScript(pretendTizen)
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/live')
    await focusIsSeen(page)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'keys'))).toEqual(['MediaPlayPause'])
    const account = page.getByRole('button', { name: /Compte\s:/ })
    await account.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => await account.getAttribute('aria-expanded')).toBe('true')
    await pressCode(page, SETS.Tizen.back)
    await expect.poll(async () => await account.getAttribute('aria-expanded')).toBe('false')
    expect(new URL(page.url()).pathname).toBe('/live')
    await pressCode(page, SETS.Tizen.back)
    await page.waitForURL((url) => url.pathname === '/')
    expect(await exits(page)).toBe(0)
    await pressCode(page, SETS.Tizen.back)
    await expect.poll(async () => await exits(page)).toBe(1)
  })

  it('a visitor reaches every element of the screens, and leaves it again', async () => {
    const { page } = await open(TIZEN_PAGE)
    const addresses = await routeAddresses(origin)
    const faults: string[] = []
    for (const name of [
      'home',
      'live',
      'assets-slug',
      'category-slug',
      'search',
      'offers',
      'auth-login',
    ] as const) {
      await visit(page, addresses[name], { waitUntil: 'networkidle' })
      faults.push(...(await lost(page)).map((fault) => `${addresses[name]} ${fault}`))
    }
    expect(faults).toEqual([])
  })

  it('the guide opens on a programme and its panel, and the keys lead out of both', async () => {
    const { page } = await open(TIZEN_PAGE)
    await visit(page, '/epg', { waitUntil: 'networkidle' })
    await expect
      .poll(async () => await page.evaluate(() => document.activeElement?.closest('[role="grid"]') != null))
      .toBe(true)
    await focusIsSeen(page)
    // OK opens the panel of a programme, and back closes it.
    const programme = await seenFocus(page)
    await page.keyboard.press('Enter')
    const panel = page.locator('[data-escapable]')
    await panel.waitFor()
    await expect
      .poll(
        async () => await page.evaluate(() => document.activeElement?.closest('[data-escapable]') != null),
      )
      .toBe(true)
    await focusIsSeen(page)
    await pressCode(page, SETS.Tizen.back)
    await panel.waitFor({ state: 'detached' })
    await expect.poll(async () => (await seenFocus(page)).name).toBe(programme.name)
    expect(new URL(page.url()).pathname).toBe('/epg')
    await walk(page, 'ArrowUp', ({ isBar }) => isBar)
  })

  it('loads what a television needs, keeps type large, and everything within the safe area', async () => {
    const { page } = await open(TIZEN_PAGE)
    const loaded = page.waitForRequest(TELEVISION_SCRIPT)
    await visit(page, '/', { waitUntil: 'networkidle' })
    await loaded
    const look = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('header a, header button, main h1, main h2')]
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => element.getBoundingClientRect())
        .filter(({ width, bottom }) => width > 4 && bottom > 0)
      return {
        text: Number.parseFloat(getComputedStyle(document.body).fontSize),
        left: Math.min(...boxes.map(({ left }) => left)),
        right: innerWidth - Math.max(...boxes.map(({ right }) => right)),
        top: Math.min(...boxes.map(({ top }) => top)),
        scroll: document.documentElement.scrollWidth - innerWidth,
      }
    })
    expect(look.text).toBeGreaterThanOrEqual(24)
    // 5 % of 1920 and of 1080 pixels.
    expect(look.left).toBeGreaterThanOrEqual(95)
    expect(look.right).toBeGreaterThanOrEqual(95)
    expect(look.top).toBeGreaterThanOrEqual(53)
    expect(look.scroll).toBe(0)
  })

  it('the address turns the layout of a television on and off, and the browser remembers it; only televisions load what they need', async () => {
    const { page } = await open({ viewport: { width: 1920, height: 1080 } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const isTelevision = async () =>
      await page.evaluate(() => document.documentElement.dataset.television !== undefined)
    await visit(page, '/', { waitUntil: 'networkidle' })
    expect(await isTelevision()).toBe(false)
    expect(asked.filter((url) => /television/.test(url))).toEqual([])
    const loaded = page.waitForRequest(TELEVISION_SCRIPT)
    await visit(page, '/?television=1')
    expect(await isTelevision()).toBe(true)
    await loaded
    await visit(page, '/live')
    expect(await isTelevision()).toBe(true)
    await focusIsSeen(page)
    await visit(page, '/?television=0')
    await visit(page, '/live')
    expect(await isTelevision()).toBe(false)
  })

  it('V3-47 V4-59 the remote on the screen works in the player too, beside the keyboard', async () => {
    await configure({ 'navigation.virtualRemote': true })
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, (await routeAddresses(origin))['assets-slug'])
    await page
      .getByRole('link', { name: /^(?:Lecture|Reprendre|Revoir)/ })
      .or(page.getByRole('button', { name: /^(?:Lecture|Reprendre|Revoir)/ }))
      .first()
      .click()
    await page.waitForURL(/\/player/)
    await expect.poll(async () => (await videoState(page)).position, { timeout: 60_000 }).toBeGreaterThan(0.5)
    const remote = page.getByRole('group', { name: 'Télécommande' })
    await remote.waitFor()
    // The computer's keyboard still sets the volume (V4-59).
    const video = page.locator('video').first()
    const volume = async () => await video.evaluate((element: HTMLVideoElement) => element.volume)
    const before = await volume()
    await page.keyboard.press('ArrowDown')
    await expect.poll(volume).toBeLessThan(before)
    await remote.getByRole('button', { name: 'OK' }).click()
    await expect.poll(async () => (await videoState(page)).paused).toBe(true)
    await remote.getByRole('button', { name: 'Bas' }).click()
    expect(await seenFocus(page)).toMatchObject({ name: 'Lecture', isControl: true })
    await remote.getByRole('button', { name: 'OK' }).click()
    await expect.poll(async () => (await videoState(page)).paused).toBe(false)
    await remote.getByRole('button', { name: 'Retour' }).click()
    await page.waitForURL((url) => url.pathname !== '/player')
  })
})
