import { listScreens } from '@ondine/contract/casting'
import { addMaterialByPairing } from '@ondine/contract/pairing'
import { readAsset } from '@ondine/contract/playback'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { callAs, inNewProfile } from './people.ts'
import { pressCode } from './press-code.ts'
import { videoState } from './screen.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
const TELEVISION =
  'Mozilla/5.0 (Linux; Tizen 8.0; SmartTV) AppleWebKit/537.36 Chrome/120.0.0.0 TV Safari/537.36'
const TELEVISION_NAME = 'Chrome 120, TV'
/** Code of the back key of a Tizen remote. */
const BACK = 10_009
const PATIENCE = { timeout: 60_000, interval: 100 }

describe('casting to a paired screen', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  /** Opens the receiver page as a signed-in television, which waits for a player. */
  async function television(): Promise<WatchedPage> {
    const watched = await open({ userAgent: TELEVISION })
    await signIn(watched.page, SUBSCRIBER)
    await visit(watched.page, '/receiver')
    await watched.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
    return watched
  }

  async function phone(): Promise<WatchedPage> {
    const watched = await open()
    await signIn(watched.page, SUBSCRIBER)
    return watched
  }

  const isConnected = async (page: Page) =>
    (await callAs(page, listScreens, {})).some(
      ({ name, isConnected }) => name === TELEVISION_NAME && isConnected,
    )

  /** Chooses the television in a player. */
  async function choose(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Lire sur un autre écran' }).click()
    await page.getByRole('button', { name: TELEVISION_NAME, exact: true }).click()
  }

  /** Chooses the television with the keyboard only. */
  async function chooseByKeys(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Lire sur un autre écran' }).press('Enter')
    const here = page.getByRole('button', { name: 'Cet appareil' })
    await expect.poll(async () => await isFocused(here), PATIENCE).toBe(true)
    const screen = page.getByRole('button', { name: TELEVISION_NAME, exact: true })
    for (let moves = 0; moves < 20 && !(await isFocused(screen)); moves++)
      await page.keyboard.press('ArrowDown')
    // The focus on a screen does not select the screen yet.
    expect(await isFocused(screen)).toBe(true)
    expect(await controllerOf(page).count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(async () => await isFocused(controllerOf(page)), PATIENCE).toBe(true)
  }

  const isFocused = async (place: Locator) =>
    await place.evaluate((element) => element === document.activeElement)

  const controllerOf = (page: Page) => page.getByRole('region', { name: 'Lecture sur un autre écran' })

  const pauseOf = (page: Page) => controllerOf(page).getByRole('button', { name: 'Pause' })
  const playOf = (page: Page) => controllerOf(page).getByRole('button', { name: 'Lecture', exact: true })

  it('V4-52 V4-53 a film moves from the phone to the screen and back, at the same second', async () => {
    const tv = await television()
    const { page, complaints } = await phone()
    const film = await findAsset(origin, 'La Houle')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    await inNewProfile(page, async () => {
      await visit(page, `/player?asset=${film.id}&t=2`)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(3)
      await chooseByKeys(page)
      const controller = controllerOf(page)
      await controller.getByText(`Sur ${TELEVISION_NAME}`).waitFor()
      const left = await videoState(page)
      expect(left.paused).toBe(true)
      await tv.page.locator('video').waitFor({ state: 'attached' })
      await expect.poll(async () => (await videoState(tv.page)).frames, PATIENCE).toBeGreaterThan(2)
      expect((await videoState(tv.page)).position).toBeGreaterThan(left.position - 1)

      await pauseOf(page).click()
      await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(true)
      const { position } = await videoState(tv.page)
      await controller.getByRole('button', { name: 'Avancer de 10 secondes' }).click()
      await expect
        .poll(async () => (await videoState(tv.page)).position, PATIENCE)
        .toBeGreaterThan(position + 8)
      await playOf(page).click()
      await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(false)

      const before = await videoState(tv.page)
      await controller.getByRole('button', { name: 'Arrêter la diffusion' }).click()
      await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
      await expect.poll(async () => (await videoState(page)).paused, PATIENCE).toBe(false)
      const after = await videoState(page)
      expect(after.position - before.position).toBeGreaterThan(-1)
      expect(after.position - before.position).toBeLessThan(5)
      expect([complaints, tv.complaints.filter((each) => !each.includes('Tizen'))]).toEqual([[], []])
    })
  })

  it('A8.1-03 V4-52 a channel that the screen plays is not requested by the phone, and comes back to it', async () => {
    const tv = await television()
    const { page, complaints } = await phone()
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    const manifests = (watched: Page) => {
      const asked: string[] = []
      watched.on('request', (request) => {
        if (/\/play\/.*\/manifest/.test(request.url())) asked.push(request.url())
      })
      return asked
    }
    const { idChannel } = await findChannel(origin, 'Rive')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(2)
    await choose(page)
    await expect.poll(async () => (await videoState(tv.page)).frames, PATIENCE).toBeGreaterThan(2)
    const [here, there] = [manifests(page), manifests(tv.page)]
    await expect.poll(() => there.length, PATIENCE).toBeGreaterThan(3)
    expect(here).toEqual([])

    const { frames } = await videoState(page)
    await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(frames + 2)
    expect(Date.now() / 1000 - (await videoState(page)).position).toBeLessThan(40)
    expect(complaints).toEqual([])
  })

  it('V4-51 every page has the controller, two phones show one state, and the last command wins', async () => {
    const tv = await television()
    const first = await phone()
    const second = await phone()
    const film = await findAsset(origin, 'La Houle')
    await expect.poll(async () => await isConnected(first.page), PATIENCE).toBe(true)
    for (const { page } of [first, second]) {
      await visit(page, `/player?asset=${film.id}&t=2`)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(2)
      await choose(page)
      await controllerOf(page).getByText('La Houle').waitFor()
      await pauseOf(page).click()
      await playOf(page).waitFor()
    }
    await visit(first.page, '/')
    await visit(second.page, film.detailRoute)
    await playOf(second.page).waitFor()
    await playOf(first.page).click()
    await pauseOf(second.page).click()
    await playOf(first.page).waitFor()
    await playOf(second.page).waitFor()
    expect((await videoState(tv.page)).paused).toBe(true)
    await controllerOf(second.page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
    await controllerOf(first.page).getByText('Rien en cours').waitFor()
    expect(await controllerOf(second.page).count()).toBe(0)
  })

  it('V4-53 a page of the phone that loads again does not begin the film anew on the screen', async () => {
    const tv = await television()
    const { page } = await phone()
    const film = await findAsset(origin, 'La Houle')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    await visit(page, `/player?asset=${film.id}&t=2`)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(2)
    await choose(page)
    await controllerOf(page).getByRole('button', { name: 'Avancer de 10 secondes' }).click()
    await expect.poll(async () => (await videoState(tv.page)).position, PATIENCE).toBeGreaterThan(10)
    await pauseOf(page).click()
    await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(true)
    const { position } = await videoState(tv.page)
    expect(new URL(page.url()).searchParams.get('t')).toBeNull()
    await page.reload()
    await playOf(page).waitFor()
    expect((await videoState(tv.page)).position).toBe(position)
    await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
  })

  it('V4-37 V4-38 the screen shows the countdown to the next episode, and the phone or the remote dismisses it', async () => {
    await configure({ 'player.bingeTiming': 600 })
    const tv = await television()
    const { page } = await phone()
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    await inNewProfile(page, async () => {
      const cast = async () => {
        await visit(page, `/player?asset=${episode.id}&t=2`)
        await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(2)
        await page.keyboard.press('Space')
        await choose(page)
      }
      await cast()
      const countdown = tv.page.locator('[data-over-picture="next"]', {
        hasText: /^Épisode suivant dans \d+ s/,
      })
      await countdown.waitFor(PATIENCE)
      // A pause stops the countdown.
      await pauseOf(page).click()
      expect(await countdown.getByRole('button').count()).toBe(0)
      await controllerOf(page)
        .getByText(/^À suivre\s: La trame/)
        .waitFor()
      // The narrow controller of every page dismisses the countdown too.
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, '/')
      await controllerOf(page).getByRole('button', { name: 'Pas maintenant' }).click()
      await countdown.waitFor({ state: 'detached' })
      await controllerOf(page).getByText(`Sur ${TELEVISION_NAME}`).waitFor()
      await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
      await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()

      await page.setViewportSize({ width: 1280, height: 720 })
      await cast()
      await countdown.waitFor(PATIENCE)
      await pressCode(tv.page, BACK)
      await countdown.waitFor({ state: 'detached' })
      await pauseOf(page).click()
      await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(true)
      await pressCode(tv.page, BACK)
      await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
    })
  })

  it('V4-52 a screen whose content fails, and whose remote goes back, leaves the film and its position to the phone', async () => {
    const tv = await television()
    const { page } = await phone()
    const film = await findAsset(origin, 'La Houle')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    const refusal = { status: false, error: { code: -440, message: '' } }
    await tv.page.route(`**${readAsset.path}`, async (route) => {
      await route.fulfill({ status: 403, json: refusal })
    })
    await visit(page, `/player?asset=${film.id}&t=20`)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(20)
    await choose(page)
    await controllerOf(page).getByText('Lecture impossible').waitFor()
    await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await expect.poll(async () => (await videoState(page)).paused, PATIENCE).toBe(false)
    expect((await videoState(page)).position).toBeGreaterThan(19)

    // A page that opens the film after a failure casts the film again.
    await choose(page)
    await controllerOf(page).getByText('Lecture impossible').waitFor()
    await tv.page.unroute(`**${readAsset.path}`)
    await page.reload()
    await pauseOf(page).waitFor()
    await expect.poll(async () => (await videoState(tv.page)).frames, PATIENCE).toBeGreaterThan(2)

    await pressCode(tv.page, BACK)
    await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
    await controllerOf(page).getByText('Rien en cours').waitFor()

    // A television that is switched off cannot be reached, so the film plays on the phone.
    await page.reload()
    await pauseOf(page).waitFor()
    await tv.page.context().close()
    await controllerOf(page).getByText('L’écran ne répond plus').waitFor()
    await page.reload()
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(2)
    expect(await controllerOf(page).count()).toBe(0)
  })

  it('V4-51 a screen that lost its connection is found again', async () => {
    const tv = await television()
    const { page } = await phone()
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    await tv.page.context().setOffline(true)
    await tv.page.reload().catch(() => undefined)
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(false)
    await tv.page.context().setOffline(false)
    await visit(tv.page, '/receiver')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
  })

  it('V2.1-17 A4.7-02 a television that is paired from the receiver is a screen, and later on every page', async () => {
    const tv = await open({ userAgent: TELEVISION })
    await visit(tv.page, '/receiver')
    await tv.page.getByRole('link', { name: 'Associer cet écran à un compte' }).click()
    await tv.page.getByRole('img', { name: /scanner ce code/ }).waitFor()
    const code = (await tv.page.getByLabel('Code à saisir').textContent()) ?? ''
    const { page } = await phone()
    expect(await callAs(page, addMaterialByPairing, { code, parentalProof: undefined })).toBeNull()
    await tv.page.waitForURL((url) => url.pathname === '/receiver')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)

    await visit(tv.page, '/')
    await expect.poll(async () => await isConnected(page), PATIENCE).toBe(true)
    const film = await findAsset(origin, 'La Houle')
    await visit(page, `/player?asset=${film.id}&t=2`)
    await choose(page)
    await tv.page.waitForURL((url) => url.pathname === '/receiver')
    await expect.poll(async () => (await videoState(tv.page)).frames, PATIENCE).toBeGreaterThan(2)
    await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
  })
})
