import { controlScreen, listScreens } from '@ondine/contract/casting'
import { addMaterialByPairing } from '@ondine/contract/pairing'
import { readAsset } from '@ondine/contract/playback'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { callAs, inNewProfile, signInAsChild } from './people.ts'
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
    await receive(watched.page)
    return watched
  }

  async function receive(page: Page): Promise<void> {
    await signIn(page, SUBSCRIBER)
    await visit(page, '/receiver')
    await page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
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

  /** The bar on the pages of a device that is not connected to the screen. */
  const runningOn = (page: Page) => page.getByRole('region', { name: 'En cours sur un autre écran' })

  const volumeOf = (page: Page) => controllerOf(page).getByRole('slider', { name: 'Volume' })

  /** Moves the slider for the volume, and releases it. Waits until the service has accepted the command. */
  async function setVolume(page: Page, percent: number): Promise<void> {
    const accepted = page.waitForResponse(`**${controlScreen.path}`)
    await volumeOf(page).fill(String(percent))
    await volumeOf(page).blur()
    await accepted
  }

  const pauseOf = (page: Page) => controllerOf(page).getByRole('button', { name: 'Pause' })
  const playOf = (page: Page) => controllerOf(page).getByRole('button', { name: 'Lecture', exact: true })

  it('V4-52 V4-53 a film moves from the phone to the screen and back, at the same second', async () => {
    const tv = await television()
    const { page, complaints } = await phone()
    const [here, there] = [await recordPositions(page), await recordPositions(tv.page)]
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
      await expect.poll(there.begun, PATIENCE).not.toBeNaN()
      expect(Math.abs((await there.begun()) - left.position)).toBeLessThan(1)

      await pauseOf(page).click()
      await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(true)
      const { position } = await videoState(tv.page)
      await controller.getByRole('button', { name: 'Avancer de 10 secondes' }).click()
      await expect
        .poll(async () => (await videoState(tv.page)).position, PATIENCE)
        .toBeGreaterThan(position + 8)
      // The values are those that the screen reports.
      for (const [name, label] of [
        ['Audio', 'Anglais'],
        ['Sous-titres', 'Français'],
        ['Sous-titres', 'Sans sous-titres'],
      ] as const) {
        const list = controller.getByRole('combobox', { name })
        await list.selectOption({ label })
        await expect
          .poll(async () => await list.locator('option:checked').textContent(), PATIENCE)
          .toBe(label)
      }
      await playOf(page).click()
      await expect.poll(async () => (await videoState(tv.page)).paused, PATIENCE).toBe(false)

      await controller.getByRole('button', { name: 'Arrêter la diffusion' }).click()
      await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
      await expect.poll(async () => (await videoState(page)).paused, PATIENCE).toBe(false)
      expect(Math.abs((await here.begun()) - (await there.last()))).toBeLessThan(1)
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

    // The screen shows the programme with its progress, and the next programme.
    const onScreen = tv.page.getByRole('main')
    await onScreen.getByText('Rive', { exact: true }).waitFor()
    await onScreen.getByText(/^À suivre à \d\d:\d\d\s: ./).waitFor()
    const progress = onScreen.getByRole('progressbar', { name: 'Position' })
    const { value, max } = await progress.evaluate(({ value, max }: HTMLProgressElement) => ({ value, max }))
    expect(value).toBeGreaterThan(0)
    expect(max).toBeGreaterThan(value)
    const controller = controllerOf(page)
    await controller.getByText(/ · À suivre\s: ./).waitFor()
    expect(await controller.getByRole('progressbar', { name: 'Position' }).count()).toBe(1)

    const behind = async () => Date.now() / 1000 - (await videoState(tv.page)).position
    await controller.getByRole('button', { name: 'Voir depuis le début' }).click()
    const toLive = controller.getByRole('button', { name: 'Revenir au direct' })
    await toLive.waitFor()
    await expect.poll(behind, PATIENCE).toBeGreaterThan(30)
    await toLive.click()
    await expect.poll(behind, PATIENCE).toBeLessThan(30)
    await toLive.waitFor({ state: 'detached' })

    const { frames } = await videoState(page)
    await controllerOf(page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(frames + 2)
    expect(Date.now() / 1000 - (await videoState(page)).position).toBeLessThan(40)
    expect(complaints).toEqual([])
  })

  it('V4-51 every page has the controller, two phones show one state after a lost connection, and the last command wins', async () => {
    const tv = await open({ userAgent: TELEVISION })
    const connection = await losable(tv.page)
    await receive(tv.page)
    const first = await phone()
    const second = await phone()
    const film = await findAsset(origin, 'La Houle')
    await expect.poll(async () => await isConnected(first.page), PATIENCE).toBe(true)
    await visit(second.page, '/')
    expect(await runningOn(second.page).count()).toBe(0)
    await visit(first.page, `/player?asset=${film.id}&t=2`)
    await expect.poll(async () => (await videoState(first.page)).position, PATIENCE).toBeGreaterThan(2)
    await choose(first.page)
    await pauseOf(first.page).click()
    await playOf(first.page).waitFor()
    await visit(first.page, '/')

    // The second phone sees what plays, controls it, and joins without replacing it.
    const running = runningOn(second.page)
    await running.getByText('La Houle').waitFor()
    await running.getByText(`Sur ${TELEVISION_NAME}`).waitFor()
    await running.getByRole('button', { name: 'Lecture', exact: true }).click()
    await pauseOf(first.page).waitFor()
    await running.getByRole('button', { name: 'Pause' }).click()
    await playOf(first.page).waitFor()
    // A child sees only what it has cast itself.
    const child = await open()
    await signInAsChild(child.page)
    const listed = child.page.waitForResponse(`**${listScreens.path}*`)
    await visit(child.page, '/')
    await listed
    const screens = await callAs(child.page, listScreens, {})
    expect(screens.filter((each) => each.isConnected)).toMatchObject([{ name: TELEVISION_NAME, state: null }])
    expect(await runningOn(child.page).count()).toBe(0)
    const { position } = await videoState(tv.page)
    await running.getByRole('button', { name: /Contrôler$/ }).click()
    await playOf(second.page).waitFor()

    const volume = async () => await tv.page.evaluate(() => document.querySelector('video')?.volume)
    connection.lose()
    await setVolume(first.page, 20)
    await setVolume(second.page, 60)
    await setVolume(first.page, 35)
    const accepted = second.page.waitForResponse(`**${controlScreen.path}`)
    await controllerOf(second.page).getByRole('button', { name: 'Reculer de 10 secondes' }).click()
    await accepted
    expect([await volume(), (await videoState(tv.page)).position]).toEqual([1, position])
    await connection.find()
    await expect.poll(volume, PATIENCE).toBe(0.35)
    await expect.poll(async () => (await videoState(tv.page)).position, PATIENCE).toBeLessThan(position)
    for (const { page } of [first, second]) {
      await playOf(page).waitFor()
      await expect.poll(async () => await volumeOf(page).inputValue(), PATIENCE).toBe('35')
    }

    // A phone leaves without stopping the screen, and joins again in the player.
    await controllerOf(second.page).getByRole('button', { name: 'Ne plus contrôler cet écran' }).click()
    await running.getByRole('button', { name: 'Lecture', exact: true }).waitFor()
    const other = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    await visit(second.page, `/player?asset=${other.id}&t=2`)
    await expect.poll(async () => (await videoState(second.page)).position, PATIENCE).toBeGreaterThan(2)
    await second.page.keyboard.press('Space')
    await second.page.getByRole('button', { name: 'Lire sur un autre écran' }).click()
    await second.page.getByRole('button', { name: /^Contrôler «\sLa Houle\s» sur / }).click()
    await controllerOf(second.page).getByText('La Houle').waitFor()
    expect(new URL(second.page.url()).searchParams.get('asset')).toBe(String(film.id))
    expect((await videoState(tv.page)).position).toBeLessThan(position)

    await controllerOf(first.page).getByRole('button', { name: 'Arrêter la diffusion' }).click()
    await tv.page.getByRole('heading', { name: 'Prêt à diffuser' }).waitFor()
    expect(await controllerOf(first.page).count()).toBe(0)
    await controllerOf(second.page).getByText('Rien en cours').waitFor()
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
      // The phone goes to the next episode, on the screen and in its own address.
      await controllerOf(page)
        .getByRole('button', { name: /^Épisode suivant\s: La trame$/ })
        .click()
      await expect
        .poll(async () => new URL(page.url()).searchParams.get('asset'), PATIENCE)
        .not.toBe(String(episode.id))
      await controllerOf(page).getByText('La trame', { exact: true }).waitFor()
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

/**
 * Records the positions at which the pages of a device begin to play.
 *
 * @returns functions that return the position at the last beginning, and the last position of all, in seconds
 */
async function recordPositions(page: Page) {
  const install = () => {
    const begin = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) document.documentElement.dataset.begun = `${target.currentTime}`
    }
    addEventListener('playing', begin, { capture: true })
    const follow = () => {
      const video = document.querySelector('video')
      if (video !== null && !video.paused) document.documentElement.dataset.last = `${video.currentTime}`
      requestAnimationFrame(follow)
    }
    follow()
  }
  await page.addInitScript(install)
  await page.evaluate(install)
  const read = async (name: 'begun' | 'last') =>
    Number(await page.evaluate((each) => document.documentElement.dataset[each], name))
  return { begun: async () => await read('begun'), last: async () => await read('last') }
}

/**
 * Lets a test lose the connection of a screen from its next visit on. While it is lost, the service still
 * sends commands, because a lost connection is noticed late.
 */
async function losable(page: Page) {
  let isLost = false
  let close = async () => {}
  await page.routeWebSocket(/\/proxy\/screens/, (socket) => {
    const service = socket.connectToServer()
    service.onMessage((message) => {
      if (!isLost) socket.send(message)
    })
    close = async () => {
      await service.close()
      await socket.close({ code: 1001 })
    }
  })
  return {
    lose: () => {
      isLost = true
    },
    find: async () => {
      isLost = false
      await close()
    },
  }
}
