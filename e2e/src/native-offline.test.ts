import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accountIn, nativeApp, type OpenApp, signInToApp } from './native-app.ts'
import { burnedIn, videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
const PATIENCE = { timeout: 60_000, interval: 250 }
const FILM = 'La Houle'
/** Files of the film: six video segments, six audio segments, and an init segment for each. */
const FILES = 14

/** Each test uses a new device of the same account, so the number of devices is unlimited. */
const OFFERED = { 'downloads.downloadEnabled': true, 'downloads.maximumDevices': 0 }

describe('the native app without a connection', () => {
  const open = nativeApp()
  const configure = testConfiguration()
  const { origin } = sharedService()

  const main = (page: Page) => page.getByRole('main')
  const offer = (page: Page) => main(page).getByRole('button', { name: `Télécharger « ${FILM} »` })
  const downloaded = (page: Page) => main(page).getByRole('link', { name: 'Téléchargé' })

  /** Opens the page of the film as a subscriber. */
  async function onFilm(): Promise<OpenApp & { film: Awaited<ReturnType<typeof findAsset>> }> {
    await configure(OFFERED)
    const app = await open()
    await signInToApp(app, SUBSCRIBER)
    const film = await findAsset(origin, FILM)
    await app.start(film.detailRoute)
    return { ...app, film }
  }

  /** Presses the button of the film, and chooses a quality. */
  async function download(page: Page, quality: RegExp): Promise<void> {
    await offer(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: quality }).check({ force: true })
    await dialog.getByRole('button', { name: 'Télécharger', exact: true }).click()
  }

  /** Names of the files on the device in the folder of downloads. */
  const filesOf = ({ device }: OpenApp) =>
    [...device.storage.files.keys()].filter((name) => name.startsWith('LIBRARY_NO_CLOUD/downloads/'))

  it('V4-06 V4-07 V1-13 starts as the signed-in viewer, and shows what it has shown before', async () => {
    await configure({ 'downloads.downloadEnabled': false })
    const app = await open()
    const { page, device, start } = app
    // Signs in while online. The first restart after this is offline.
    await signInToApp(app, SUBSCRIBER)
    await main(page).getByRole('link', { name: FILM }).first().waitFor()
    await expect
      .poll(() => [...device.storage.files.keys()])
      .toEqual(
        expect.arrayContaining([
          'LIBRARY_NO_CLOUD/answers/_proxy_session.json',
          'LIBRARY_NO_CLOUD/answers/_proxy_homeContent.json',
        ]),
      )
    const stored = JSON.stringify([...device.storage.files.values()])
    for (const token of Object.values(device.tokens)) expect(stored).not.toContain(token)

    await page.context().setOffline(true)
    await start()
    await accountIn(page).waitFor()
    await main(page).getByRole('link', { name: FILM }).first().waitFor()

    // The cache has no answer for a page that was never opened.
    await start('/search/marees')
    const away = page.getByRole('heading', { level: 1, name: 'Vous êtes hors connexion' })
    await away.waitFor()
    await page.context().setOffline(false)
    await away.waitFor({ state: 'detached' })

    await accountIn(page).click()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
    const left = JSON.stringify([...device.storage.files.values()])
    expect(left).not.toContain(SUBSCRIBER)
  })

  it('V1-05 V1-13 A4.2-05 A8.3-14 V2.1-16 a film finds no room on a full device, then is downloaded file by file, also after the app was ended, and plays', async () => {
    const app = await onFilm()
    const { page, start, film, device } = app
    await offer(page).waitFor()
    device.storage.isFull = true
    await download(page, /360p/)
    const noRoom = page.getByText(`Il n’y a pas assez de place sur cet appareil pour « ${FILM} ».`)
    await noRoom.waitFor()
    expect(filesOf(app)).toEqual([])
    device.storage.isFull = false
    await page.keyboard.press('Escape')
    await noRoom.waitFor({ state: 'detached' })

    const fetched: string[] = []
    page.context().on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/media/')) fetched.push(pathname)
    })
    let isOpen = true
    let isCut = false
    await page.context().route(`${origin}/media/**`, async (route) => {
      if (!isOpen) {
        isCut = true
        await route.abort('internetdisconnected')
        return
      }
      isOpen = false
      await route.continue()
    })
    await download(page, /360p/)
    for (let file = 1; file < FILES; file += 1) {
      await expect.poll(() => isCut, PATIENCE).toBe(true)
      isOpen = true
      isCut = false
      if (file % 5 === 0) await start(film.detailRoute)
      else {
        await page.context().setOffline(true)
        await page.context().setOffline(false)
      }
    }
    await downloaded(page).waitFor(PATIENCE)
    expect(fetched).toHaveLength(FILES)
    expect(new Set(fetched).size).toBe(FILES)
    // The device stores the media files, the manifest and the picture.
    expect(filesOf(app)).toHaveLength(FILES + 2)

    await page.context().setOffline(true)
    await page.setViewportSize({ width: 1280, height: 720 })
    await start()
    await page.waitForURL((url) => url.pathname === '/library/downloads')
    const list = page.getByRole('list', { name: 'Téléchargements' })
    await list.getByText(/^Disponible jusqu’au/).waitFor()
    await list
      .locator('img')
      .first()
      .evaluate(async (picture: HTMLImageElement) => await picture.decode())
    await page.getByRole('link', { name: `Lire « ${FILM} » hors connexion` }).click()
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
    const { duration } = await videoState(page)
    // Seeks near the end. The count above has shown that all segments up to there are on the device.
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 4
    })
    // One reading of both, because the player leaves at the end.
    const hasPlayed = async () => {
      const { position, audioBytes } = await videoState(page)
      return position > duration - 1 && audioBytes > 0
    }
    await expect.poll(hasPlayed, PATIENCE).toBe(true)
    // After the end, the player leads back to the list.
    await page.waitForURL((url) => url.pathname === '/library/downloads')
    await list.getByText(/^Disponible jusqu’au/).waitFor()

    await page.context().setOffline(false)
    await start('/library/downloads')
    const released = page.waitForResponse(`${origin}/proxy/releaseDownload`)
    await page.getByRole('button', { name: `Supprimer le téléchargement : ${FILM}` }).click()
    expect((await released).status()).toBe(200)
    await page.getByText('Aucun téléchargement.').waitFor()
    await expect.poll(() => filesOf(app)).toEqual([])
    expect(device.storage.files.size).toBeGreaterThan(0)

    // In the app, `downloadEnabled` switches downloads off, and `downloadWebEnabled` has no effect.
    await configure({ ...OFFERED, 'downloads.downloadEnabled': false, 'downloads.downloadWebEnabled': true })
    await start(film.detailRoute)
    await main(page).getByRole('heading', { level: 1, name: FILM }).waitFor()
    await accountIn(page).waitFor()
    expect(await offer(page).count()).toBe(0)
  })
})
