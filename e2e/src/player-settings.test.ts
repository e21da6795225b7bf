import { accountDetails } from '@ondine/contract/accounts'
import { player as words } from '@ondine/web/words/fra/player'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { callAs, inNewProfile } from './people.ts'
import { burnedIn, videoState } from './screen.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
/** Time limit for a watermark that takes its new position at once. A watermark that moves there would take longer. */
const AT_ONCE = { timeout: 4000 }
/** Time for which a watermark keeps its place, in milliseconds. */
const WATERMARK_STAY_MS = 30_000
/** Time limit for the start of a film on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }

describe('the settings of the player', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  /**
   * Opens the player as a subscriber, in a profile without history and preferences. Runs `prove` once playback has
   * begun.
   */
  async function play(address: string, prove: (page: Page) => Promise<void>): Promise<void> {
    const { page, complaints } = await open()
    await signIn(page, SUBSCRIBER)
    await inNewProfile(page, async () => {
      await visit(page, address)
      await playing(page)
      await prove(page)
      expect(complaints).toEqual([])
    })
  }

  async function playing(page: Page, seconds = 0.5): Promise<void> {
    const { position } = await videoState(page)
    await expect
      .poll(async () => (await videoState(page)).position, PATIENCE)
      .toBeGreaterThan(position + seconds)
  }

  it('V1-09 V4-46 bingeEnabled: without it no next episode is offered, and the end leads to the series', async () => {
    await configure({ 'player.bingeEnabled': false })
    const first = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    // Starts at a second at which the next episode would be offered.
    await play(`/player?asset=${first.id}&t=16`, async (page) => {
      // The offer would last only seconds, so an observer records whether it appears.
      await page.evaluate(() => {
        new MutationObserver(() => {
          if (document.querySelector('section[aria-label^="Épisode suivant"]') !== null)
            document.documentElement.setAttribute('data-offered', '')
        }).observe(document.body, { childList: true, subtree: true })
      })
      await page.waitForURL(/\/series\//, { timeout: 120_000 })
      expect(await page.locator('[data-offered]').count()).toBe(0)
    })
  })

  it('V4-40 V4-05 the picture of the next episode opens its page, which closes the player', async () => {
    await configure({ 'player.bingeTiming': 600 })
    const [first, second] = await Promise.all(
      [1, 2].map(async (episode) => await findAsset(origin, 'Le Métier', { season: 1, episode })),
    )
    await play(`/player?asset=${first?.id}`, async (page) => {
      await page
        .getByRole('region', { name: /^Épisode suivant/ })
        .getByRole('link', { name: /^Voir la fiche/ })
        .click()
      await page.waitForURL((url) => url.pathname === second?.detailRoute)
      await expect.poll(async () => await page.locator('video').count()).toBe(0)
    })
  })

  it('V4-34 controlHideDelay: controls hide after that many seconds without a movement, also in an open player', async () => {
    await configure({ 'player.controlHideDelay': 60 })
    // Plays a channel, because a film of the tests ends too soon.
    const channel = await findChannel(origin, 'Rive')
    await play(`/player?channel=${channel.idChannel}`, async (page) => {
      const opacity = async () =>
        await page
          .getByRole('region', { name: 'Commandes du lecteur' })
          .evaluate((bar) => getComputedStyle(bar).opacity)
      await playing(page, 4)
      expect(await opacity()).toBe('1')
      await configure({ 'player.controlHideDelay': 0.5 })
      // The page requests a changed configuration every few seconds. The movement of the pointer restarts the
      // delay after which the controls hide.
      await expect
        .poll(
          async () => {
            await page.mouse.move(300 + Math.random() * 300, 200)
            await playing(page, 1)
            return await opacity()
          },
          { timeout: 30_000 },
        )
        .toBe('0')
    })
  })

  it('V4-19 defaultAudio and defaultSubtitle: a channel begins with them; spec 21: the profile’s choice wins', async () => {
    await configure({ 'player.defaultAudio': 'eng', 'player.defaultSubtitle': 'fra' })
    const channel = await findChannel(origin, 'Rive')
    const address = `/player?channel=${channel.idChannel}`
    await play(address, async (page) => {
      const chosen = async () => {
        await page.mouse.move(400, 300)
        await page.getByRole('button', { name: 'Audio et sous-titres' }).click()
        const panel = page.getByRole('dialog', { name: 'Audio et sous-titres' })
        const of = async (legend: string) =>
          await panel.getByRole('group', { name: legend }).locator('label:has(:checked)').textContent()
        return { panel, audio: await of('Audio'), subtitles: await of('Sous-titres') }
      }
      const begun = await chosen()
      expect(begun.audio).toMatch(/^Anglais/)
      expect(begun.subtitles).toMatch(/^Français/)
      await begun.panel
        .getByRole('group', { name: 'Audio' })
        .getByLabel(/^Français/)
        .check()
      await begun.panel.getByRole('group', { name: 'Sous-titres' }).getByLabel('Sans sous-titres').check()
      await visit(page, address)
      await playing(page)
      const again = await chosen()
      expect(again.audio).toMatch(/^Français/)
      expect(again.subtitles).toBe('Sans sous-titres')
    })
  })

  const SIZES = [
    { width: 1280, height: 720 },
    { width: 844, height: 390 },
    { width: 390, height: 780 },
  ]

  const subtitles = (page: Page) =>
    page.locator('.shaka-text-container span').filter({ hasText: /\S/ }).first()

  /** Pauses while a subtitle is visible. Retries if the subtitle has disappeared before playback stops. */
  async function pauseOnSubtitles(page: Page): Promise<void> {
    const said = async () => (await page.locator('.shaka-text-container').allTextContents()).join('').trim()
    await expect
      .poll(async () => {
        if ((await videoState(page)).paused) await page.keyboard.press('Space')
        const earlier = await said()
        await expect.poll(said, PATIENCE).not.toBe(earlier)
        await subtitles(page).waitFor(PATIENCE)
        await page.keyboard.press('Space')
        return await subtitles(page).isVisible()
      }, PATIENCE)
      .toBe(true)
  }

  /** Checks that subtitles move above an element, within the window. */
  async function expectSubtitlesAbove(page: Page, below: Locator): Promise<void> {
    await expect
      .poll(async () => {
        const [said, thing] = await Promise.all([subtitles(page).boundingBox(), below.boundingBox()])
        if (said === null || thing === null) return 'not both are there'
        if (said.y < 0) return 'above the window'
        return said.y + said.height < thing.y ? 'above' : 'covered'
      })
      .toBe('above')
  }

  it('subtitles are clear of the controls and of every panel, on a wide window and a phone held either way', async () => {
    await configure({ 'player.defaultSubtitle': 'fra' })
    // Plays a channel, because the films of the tests are too short. On a channel, subtitles appear again and
    // again.
    const channel = await findChannel(origin, 'Rive')
    await play(`/player?channel=${channel.idChannel}`, async (page) => {
      await pauseOnSubtitles(page)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await expectSubtitlesAbove(page, page.getByRole('region', { name: 'Commandes du lecteur' }))
        for (const name of ['Vitesse et qualité', 'Audio et sous-titres', 'Chaînes']) {
          await page.getByRole('button', { name, exact: true }).click()
          const panel = page.getByRole('dialog', { name, exact: true })
          await expectSubtitlesAbove(page, panel)
          await page.keyboard.press('Escape')
          await panel.waitFor({ state: 'detached' })
        }
      }
    })
  })

  it('V4-59 ? shows the list of keys, and closes it', async () => {
    const film = await findAsset(origin, 'La Houle')
    await play(`/player?asset=${film.id}`, async (page) => {
      const list = page.getByRole('dialog', { name: words.shortcuts })
      await page.keyboard.press('?')
      await list.waitFor()
      const keys = await list.locator('kbd').allTextContents()
      const marks = [`${words.keyShift} ←`, `${words.keyShift} →`]
      expect(keys).toEqual([words.keySpace, '←', '→', ...marks, '↑', '↓', 'M', 'F', '?', words.keyEscape])
      expect(await axeFaults(page, 'dialog[open]:not([inert])')).toEqual([])
      await page.keyboard.press('?')
      await list.waitFor({ state: 'detached' })
      await page.keyboard.press('?')
      await list.waitFor()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
      expect(await page.locator('video').count()).toBe(1)
    })
  })

  it('V4-59 ? shows the list of keys of a channel, some of which go from film to film and from channel to channel', async () => {
    const channel = await findChannel(origin, 'Rive')
    await play(`/player?channel=${channel.idChannel}`, async (page) => {
      const list = page.getByRole('dialog', { name: words.shortcuts })
      await page.keyboard.press('?')
      await list.waitFor()
      const keysOf = async (text: string) =>
        await list
          .locator('div', { has: page.getByText(text, { exact: true }) })
          .locator('kbd')
          .allTextContents()
      expect(await keysOf(words.zap)).toEqual(['Page ↑', 'Page ↓'])
      // The films of a block load a moment after the block.
      await expect
        .poll(async () => await keysOf(words.marks))
        .toEqual([`${words.keyShift} ←`, `${words.keyShift} →`])
    })
  })

  it('V3-41 watermark: the viewer’s names and account id are over the picture as configured, and block nothing', async () => {
    const film = await findAsset(origin, 'La Houle')
    await play(`/player?asset=${film.id}`, async (page) => {
      await page.keyboard.press('Space')
      const { id, firstName, lastName } = await callAs(page, accountDetails, {})
      const mark = page.locator('main p', { hasText: `${firstName} ${lastName} ${id}` })
      expect(await mark.count()).toBe(0)
      await configure({
        'player.watermark': {
          enabled: true,
          fontSize: 31,
          baseColor: '#ff0000',
          highlightColor: '#00ff00',
        },
      })
      await mark.waitFor()
      expect(
        await mark.evaluate((name) => [
          getComputedStyle(name).fontSize,
          getComputedStyle(name).color,
          getComputedStyle(name.querySelector('span') ?? name).color,
        ]),
      ).toEqual(['31px', 'rgb(255, 0, 0)', 'rgb(0, 255, 0)'])
      expect(await page.getByRole('main').ariaSnapshot()).not.toContain(lastName)
      // The watermark is within the picture, and a press on it acts as a press on the picture.
      await page.setViewportSize({ width: 500, height: 900 })
      await expect
        .poll(async () => {
          const box = await mark.boundingBox()
          return (
            box !== null && box.y > 300 && box.y + box.height < 600 && box.x >= 0 && box.x + box.width <= 500
          )
        }, AT_ONCE)
        .toBe(true)
      await page.setViewportSize({ width: 1280, height: 720 })
      const box = await mark.boundingBox()
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2)
      await expect.poll(async () => (await videoState(page)).paused).toBe(false)
      await expect.poll(async () => (await burnedIn(page))?.film).toBe(film.number)
    })
  })

  it('V3-41 watermark: it moves; with reduced motion it changes its place without an animation', async () => {
    await configure({ 'player.watermark.enabled': true })
    const { page } = await open()
    // Time by which the answers of `/time` run ahead. The page requests the time again when it becomes visible, so
    // a larger value moves the watermark at once.
    let ahead = 0
    await page.route('**/time', async (route) => {
      const response = await route.fetch()
      const time = Date.parse(await response.text()) + ahead
      await route.fulfill({ response, body: new Date(time).toISOString() })
    })
    await signIn(page, SUBSCRIBER)
    const { id, lastName } = await callAs(page, accountDetails, {})
    const film = await findAsset(origin, 'La Houle')
    await visit(page, `/player?asset=${film.id}`)
    const mark = page.locator('main p', { hasText: `${lastName} ${id}` })
    await mark.waitFor()
    await playing(page)
    // Pauses the film. At the end of the film, the player would close.
    await page.keyboard.press('Space')
    const place = async () => {
      const box = await mark.boundingBox()
      return box === null ? '' : `${Math.round(box.x)} ${Math.round(box.y)}`
    }
    const seen = [await place()]
    while (seen.length < 3) {
      ahead += WATERMARK_STAY_MS
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await expect.poll(async () => seen.includes(await place())).toBe(false)
      seen.push(await place())
    }
    expect(await mark.evaluate((name) => getComputedStyle(name).transitionDuration)).toBe('0s')
  })

  it('V3-41 a visitor’s trailer has no watermark', async () => {
    await configure({ 'player.watermark.enabled': true })
    const { page } = await open()
    const film = await findAsset(origin, 'La Houle')
    await visit(page, film.detailRoute)
    await page
      .getByRole('link', { name: /Bande-annonce/ })
      .first()
      .click()
    await playing(page)
    expect(await page.locator('main p[class*="name"]').count()).toBe(0)
  })

  it('V1-07 isAirPlayEnabled: the element has the attribute, and an available screen brings a button', async () => {
    const film = await findAsset(origin, 'La Houle')
    await play(`/player?asset=${film.id}`, async (page) => {
      await page.keyboard.press('Space')
      const video = page.locator('main video')
      const allowed = async () =>
        await video.evaluate((element: HTMLVideoElement) => [
          element.getAttribute('x-webkit-airplay'),
          element.disableRemotePlayback,
        ])
      const button = page.getByRole('button', { name: 'Diffuser par AirPlay' })
      expect(await allowed()).toEqual(['allow', false])
      expect(await button.count()).toBe(0)
      // Simulates the event with which WebKit reports an available screen. No other engine has this event.
      await video.evaluate((element) => {
        Object.assign(element, {
          webkitShowPlaybackTargetPicker: () => element.setAttribute('data-asked', ''),
        })
        const event = new Event('webkitplaybacktargetavailabilitychanged')
        element.dispatchEvent(Object.assign(event, { availability: 'available' }))
      })
      await button.click()
      expect(await page.locator('video[data-asked]').count()).toBe(1)
      await configure({ 'player.isAirPlayEnabled': false })
      await button.waitFor({ state: 'detached' })
      expect(await allowed()).toEqual(['deny', true])
    })
  })
})
