import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routeAddresses } from './addresses.ts'
import { signIn, visit } from './browser.ts'
import { type LocalPlayer, NOTHING_WANTED, startLocalPlayer } from './local-player.ts'
import { burnedIn, videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
const PATIENCE = { timeout: 60_000, interval: 250 }
const FILM = 'La Houle'

/** Each test is a new device of the same account. */
const OFFERED = { 'downloads.downloadWebEnabled': true, 'downloads.maximumDevices': 0 }

/** Files of the film: six segments of video and of sound, and what begins each. */
const FILES = 14

/** Segments of 4 s in 90 minutes. */
const SEGMENTS = 1350
const INTERRUPTIONS = 100
/** Every so many interruptions, the tab is closed. The others lose the connection. */
const CLOSING = 5

describe('downloads', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  /** Opens the page of the film as a subscriber, and waits until the page works without a connection. */
  async function onFilm(): Promise<{ page: Page; film: Awaited<ReturnType<typeof findAsset>> }> {
    await configure(OFFERED)
    const { page } = await open()
    await signIn(page, SUBSCRIBER)
    const film = await findAsset(origin, FILM)
    await visit(page, film.detailRoute)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    return { page, film }
  }

  /** Records the paths of the media files that all tabs receive completely. */
  function filesOf(context: BrowserContext): string[] {
    const files: string[] = []
    context.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/media/')) files.push(pathname)
    })
    return files
  }

  /** Presses the button of the film, and chooses a quality. */
  async function download(page: Page, quality: RegExp): Promise<void> {
    await page
      .getByRole('main')
      .getByRole('button', { name: `Télécharger « ${FILM} »` })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: quality }).click()
  }

  const downloaded = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Téléchargé' })

  it('A2.1-29 A2.4-02 V2.1-16 a film is downloaded, and plays to its end without a connection', async () => {
    const { page, film } = await onFilm()
    const files = filesOf(page.context())
    await download(page, /720p/)
    await downloaded(page).click(PATIENCE)
    await page
      .getByRole('list', { name: 'Téléchargements' })
      .getByText(/^Disponible jusqu’au/)
      .waitFor()
    expect(new Set(files).size).toBe(files.length)

    await page.context().setOffline(true)
    await page.goto('/live')
    await page.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    expect(new URL(page.url()).search).toBe('?offline=true')
    await page.getByRole('link', { name: `Lire « ${FILM} » hors connexion` }).click()
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
    const { duration, dropped } = await videoState(page)
    expect(dropped).toBeLessThan(duration)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(duration - 1)
    expect((await videoState(page)).audioBytes).toBeGreaterThan(0)
  })

  it('A4.2-05 a film that is interrupted after every file fetches each file once, and plays without a connection', async () => {
    const { page, film } = await onFilm()
    const context = page.context()
    const address = page.url()
    const files = filesOf(context)
    let isOpen = true
    let isCut = false
    await context.route('**/media/**', async (route) => {
      if (isOpen) {
        isOpen = false
        await route.continue()
      } else {
        isCut = true
        await route.abort('internetdisconnected')
      }
    })
    const letOneThrough = () => {
      isOpen = true
      isCut = false
    }
    await download(page, /360p/)
    let tab = page
    for (let file = 1; file < FILES; file += 1) {
      await expect.poll(() => isCut, PATIENCE).toBe(true)
      if (file === 1) {
        await tab
          .getByRole('main')
          .getByRole('button', { name: `Mettre en pause le téléchargement de « ${FILM} »` })
          .click()
        await tab.getByRole('main').getByText('Reprendre').click()
      }
      if (file % CLOSING === 0) {
        const next = await context.newPage()
        await tab.close()
        letOneThrough()
        await visit(next, address)
        tab = next
      } else {
        letOneThrough()
        await context.setOffline(true)
        await context.setOffline(false)
      }
    }
    await downloaded(tab).waitFor(PATIENCE)
    expect(files).toHaveLength(FILES)
    expect(new Set(files).size).toBe(FILES)

    await context.setOffline(true)
    await tab.goto('/')
    await tab.getByRole('link', { name: `Lire « ${FILM} » hors connexion` }).click()
    await expect.poll(async () => (await burnedIn(tab))?.film, PATIENCE).toBe(film.number)
  })

  it('removes a download with its files, and gives up its place', async () => {
    const { page } = await onFilm()
    await download(page, /360p/)
    await downloaded(page).click(PATIENCE)
    const released = page.waitForResponse('**/proxy/releaseDownload')
    await page.getByRole('button', { name: `Supprimer le téléchargement de « ${FILM} »` }).click()
    expect((await released).status()).toBe(200)
    await page.getByText('Aucun téléchargement.').waitFor()
    const left = async () =>
      await page.evaluate(async () => (await (await caches.open('ondine-downloads')).keys()).length)
    await expect.poll(left).toBe(0)
  })

  it('removes a download without a connection, and gives up its place later', async () => {
    const { page } = await onFilm()
    await download(page, /360p/)
    await downloaded(page).waitFor(PATIENCE)
    await page.context().setOffline(true)
    await page.goto('/search/houle')
    await page.getByRole('button', { name: `Supprimer le téléchargement de « ${FILM} »` }).click()
    await page.getByText('Aucun téléchargement terminé sur cet appareil.').waitFor()
    await page.context().setOffline(false)
    const released = page.waitForResponse('**/proxy/releaseDownload')
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.waitForURL((url) => url.pathname === '/search/houle')
    await page.goto('/library/downloads')
    expect((await released).status()).toBe(200)
    await page.getByText('Aucun téléchargement.').waitFor()
  })

  it('spec 21 asks for the operator’s languages of downloads', async () => {
    const { page } = await onFilm()
    await configure({
      ...OFFERED,
      'downloads.defaultAudio': 'eng',
      'downloads.defaultSubtitle': 'fra',
    })
    await visit(page, page.url())
    const files = filesOf(page.context())
    const asked = page.waitForRequest('**/proxy/downloadAsset')
    await download(page, /360p/)
    const fields = new URLSearchParams((await asked).postData() ?? '')
    expect([fields.get('idAudioLang'), fields.get('idSubtitleLang')]).toEqual(['eng', 'fra'])
    await downloaded(page).waitFor(PATIENCE)
    expect(files.filter((file) => file.includes('/t-fra'))).not.toEqual([])
  })

  it('a page that opens without a connection does not reload the pages of other tabs', async () => {
    const { page } = await onFilm()
    const address = page.url()
    const other = await page.context().newPage()
    await visit(other, address)
    await page.context().setOffline(true)
    await other.goto('/live')
    await other.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    // A second page without a connection: by now, the message of the first one has arrived everywhere.
    await other.goto('/')
    await other.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    expect(page.url()).toBe(address)
  })

  it('A8.3-14 says that a download is impossible where there is no room', async () => {
    const { page } = await onFilm()
    await page.evaluate(() => {
      navigator.storage.estimate = async () => ({ quota: 1000, usage: 900 })
    })
    await download(page, /720p/)
    await page.getByText(`Il n’y a pas assez de place sur cet appareil pour « ${FILM} ».`).waitFor()
  })

  it('A8.3-14 begins no rental where the disk is full, and needs no estimate of the room', async () => {
    const { page } = await onFilm()
    await page.evaluate(() => {
      navigator.storage.estimate = async () => {
        throw new TypeError('not implemented')
      }
      Cache.prototype.put = async () => {
        throw new DOMException('', 'QuotaExceededError')
      }
    })
    let licences = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/proxy/downloadLicence') licences += 1
    })
    await download(page, /720p/)
    await page.getByText(`Il n’y a pas assez de place sur cet appareil pour « ${FILM} ».`).waitFor()
    expect(licences).toBe(0)
  })

  it('A8.3-14 says that the account has downloads on as many devices as it may', async () => {
    const { page, film } = await onFilm()
    await download(page, /360p/)
    await downloaded(page).waitFor(PATIENCE)
    await configure({ ...OFFERED, 'downloads.maximumDevices': 1 })
    const { page: other } = await open()
    await signIn(other, SUBSCRIBER)
    await visit(other, film.detailRoute)
    await download(other, /360p/)
    await other.getByText(/^Vos téléchargements occupent déjà le nombre d’appareils permis\./).waitFor()
  })

  it('A4.9-01 A4.9-02 offers no downloads in a narrow window, to a visitor, of locked titles, nor where the operator has none', async () => {
    const { page } = await onFilm()
    const button = page.getByRole('main').getByRole('button', { name: `Télécharger « ${FILM} »` })
    await button.waitFor()
    await page.setViewportSize({ width: 768, height: 800 })
    await expect.poll(async () => await button.count()).toBe(0)
    await page.setViewportSize({ width: 769, height: 800 })
    await button.waitFor()
    const address = page.url()
    for (const viewer of [undefined, 'renter@ondine.test']) {
      const other = (await open()).page
      if (viewer !== undefined) await signIn(other, viewer)
      await visit(other, address)
      expect(
        await other
          .getByRole('main')
          .getByRole('button', { name: /^Télécharger/ })
          .count(),
      ).toBe(0)
    }
    await configure({ 'downloads.downloadWebEnabled': false })
    await visit(page, address)
    expect(await button.count()).toBe(0)
    const workers = async () =>
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(workers).toBe(0)
  })

  describe('the local player', () => {
    let player: LocalPlayer
    beforeEach(async () => {
      player = await startLocalPlayer()
    })
    afterEach(async () => await player.close())

    /** Opens the page of the film where the operator names a local player. */
    async function onFilmWithPlayer(): Promise<Page> {
      await configure({
        ...OFFERED,
        'downloads.helperUrl': player.address,
        'downloads.helperInstallUrl': '/page/legal',
      })
      const { page } = await open()
      await signIn(page, SUBSCRIBER)
      const { detailRoute } = await findAsset(origin, FILM)
      await visit(page, detailRoute)
      return page
    }
    const buttonOf = (page: Page) =>
      page.getByRole('main').getByRole('button', { name: `Télécharger « ${FILM} »` })

    it('A4.9-04 gets the user token and the id of the asset, and downloads with them', async () => {
      const page = await onFilmWithPlayer()
      await buttonOf(page).click()
      await page.getByText(`Le lecteur télécharge « ${FILM} ».`).waitFor()
      const [{ service, identityKey, token, profileToken, idAsset } = NOTHING_WANTED] = player.wanted
      const answer = await fetch(`${service}/proxy/downloadAsset`, {
        method: 'POST',
        headers: {
          'x-identity-key': identityKey,
          'x-auth-token': token,
          'x-profile-token': profileToken,
        },
        body: new URLSearchParams({ idAsset: String(idAsset), idAudioLang: 'fra', idSubtitleLang: 'non' }),
      })
      expect((await answer.json()).result.folders.length).toBeGreaterThan(0)
      expect(await page.evaluate(async () => (await caches.keys()).includes('ondine-downloads'))).toBe(false)
    })

    it.each([
      ['answers', async () => await player.close()],
      ['accepts the download', async () => player.refuse()],
    ])('A4.9-04 the page offers to install it when none %s', async (_what, fail) => {
      const page = await onFilmWithPlayer()
      await fail()
      await buttonOf(page).click()
      const dialog = page.getByRole('dialog', { name: 'Regarder hors connexion' })
      const install = page.waitForEvent('popup')
      await dialog.getByRole('button', { name: 'Télécharger le lecteur' }).click()
      expect(new URL((await install).url()).pathname).toBe('/page/legal')
    })

    it('A4.9-03 is not offered for a series, and nothing is while new downloads are off', async () => {
      const page = await onFilmWithPlayer()
      await buttonOf(page).waitFor()
      const address = page.url()
      const { 'categories-slug-details': slug } = await routeAddresses(origin)
      await visit(page, slug)
      const season = page.getByRole('main').getByRole('button', { name: /^Télécharger/ })
      expect(await season.count()).toBe(0)
      for (const helperUrl of ['', player.address]) {
        await configure({
          ...OFFERED,
          'downloads.helperUrl': helperUrl,
          'downloads.helperInstallUrl': '/page/legal',
          'downloads.newDownloadsEnabled': false,
        })
        await visit(page, address)
        expect(await buttonOf(page).count()).toBe(0)
      }
    })
  })

  it('V2.1-16 the offline player is open to visitors of a private service, and no other player is', async () => {
    await configure({ 'accounts.isPrivateAccessEnabled': true })
    const statusOf = async (path: string) => (await fetch(origin + path, { redirect: 'manual' })).status
    expect(await statusOf('/player?offline=true')).toBe(200)
    const english = await (await fetch(`${origin}/player?offline=true&language=eng`)).text()
    expect(english).toMatch(/<html[^>]* lang="en"/)
    expect(await statusOf('/player?asset=1')).toBeGreaterThan(300)
    expect(await statusOf('/live?offline=true')).toBeGreaterThan(300)
  })

  it('downloads the episodes of a season in one quality', async () => {
    await configure(OFFERED)
    const { page } = await open()
    await signIn(page, SUBSCRIBER)
    const { 'categories-slug-details': slug } = await routeAddresses(origin)
    await visit(page, slug)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const press = page.getByRole('main').getByRole('button', { name: /^Télécharger \d+ épisodes?$/ })
    const count = Number(/\d+/.exec(await press.innerText())?.[0])
    await press.click()
    await page.getByRole('dialog').getByRole('button', { name: /360p/ }).click()
    await expect.poll(async () => await press.count(), PATIENCE).toBe(0)
    await visit(page, '/library/downloads')
    const rows = page.getByRole('list', { name: 'Téléchargements' }).getByRole('listitem')
    expect(await rows.count()).toBe(count)
    await expect.poll(async () => await rows.getByText(/^Disponible jusqu’au/).count(), PATIENCE).toBe(count)
  })

  it('90 minutes are interrupted 100 times, and each of 2,702 files is fetched once', async () => {
    const { page } = await onFilm()
    const context = page.context()
    const address = page.url()
    const fetched = new Map<string, number>()
    let done = 0
    let nextCut = 20
    // The film is lengthened: its last segment stands for all that follow.
    await context.route('**/proxy/downloadAsset', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const folder of body.result.folders) folder.segments = SEGMENTS
      await route.fulfill({ response, json: body })
    })
    let cut: (() => void) | undefined
    await context.route('**/media/**', async (route) => {
      if (done >= nextCut && cut !== undefined) {
        cut()
        await route.abort('internetdisconnected')
        return
      }
      const { pathname } = new URL(route.request().url())
      fetched.set(pathname, (fetched.get(pathname) ?? 0) + 1)
      done += 1
      await route.fulfill({ status: 200, body: 'segment' })
    })
    await download(page, /360p/)
    let tab = page
    for (let interruption = 1; interruption <= INTERRUPTIONS; interruption += 1) {
      await new Promise<void>((resolve) => {
        cut = resolve
      })
      cut = undefined
      nextCut = done + 20
      if (interruption % CLOSING === 0) {
        const next = await context.newPage()
        await tab.close()
        await visit(next, address)
        tab = next
      } else {
        await context.setOffline(true)
        await context.setOffline(false)
      }
    }
    await downloaded(tab).waitFor({ timeout: 120_000 })
    expect([...fetched.values()].filter((count) => count > 1)).toEqual([])
    expect(fetched.size).toBe(2 * (SEGMENTS + 1))
  }, 300_000)
})
