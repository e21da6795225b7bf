import { accountDetails } from '@ondine/contract/accounts'
import type { exchangePositions } from '@ondine/contract/downloads'
import type { Envelope, OutputOf } from '@ondine/contract/operation'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routeAddresses } from './addresses.ts'
import { signIn, visit } from './browser.ts'
import { type LocalPlayer, NOTHING_WANTED, startLocalPlayer } from './local-player.ts'
import { callAs, inNewProfile } from './people.ts'
import { burnedIn, videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
const PATIENCE = { timeout: 60_000, interval: 250 }
const FILM = 'La Houle'

/** Each test uses a new device of the same account, so the number of devices is unlimited. */
const OFFERED = { 'downloads.downloadWebEnabled': true, 'downloads.maximumDevices': 0 }

/** Files of the film: six video segments, six audio segments, and an init segment for each. */
const FILES = 14

/**
 * Number of interruptions. The default is small, because the test runs on every change. `ONDINE_KILLS=100` makes
 * the film about 90 minutes long, and spreads the interruptions over it.
 */
const INTERRUPTIONS = Number(process.env.ONDINE_KILLS ?? 5)
/** Number of 4 s segments of the film that the test interrupts. */
const SEGMENTS = Math.round(INTERRUPTIONS * 13.5)
/** Each fifth interruption ends the tab: it is closed, or its process is killed. All others cut the connection. */
const CLOSING = 5

describe('downloads', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  /** Opens the page of the film as a subscriber, and waits until the page works without a connection. */
  async function onFilm(
    settings: Record<string, unknown> = {},
  ): Promise<{ page: Page; film: Awaited<ReturnType<typeof findAsset>> }> {
    await configure({ ...OFFERED, ...settings })
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
    await choose(page, quality)
  }

  async function choose(page: Page, quality: RegExp): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: quality }).press(' ')
    await dialog.getByRole('button', { name: 'Télécharger', exact: true }).click()
  }

  /** Kills the process of a page, as a system does that needs its memory. */
  async function killProcess(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const killed = page.waitForEvent('crash')
    // The command gets no answer, because the process that would answer is gone.
    session.send('Page.crash').catch(() => undefined)
    await killed
  }

  /** Changes the record of this browser's download: the asset, and the time of the last check. */
  async function changeStored(page: Page, change: { assetId: number; hoursAgo: number }): Promise<void> {
    await page.evaluate(async ({ assetId, hoursAgo }) => {
      const answer = async <Result>(request: IDBRequest<Result>) =>
        await new Promise<Result>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error('No database')))
        })
      const database = await answer(indexedDB.open('ondine-downloads', 1))
      const store = database.transaction('downloads', 'readwrite').objectStore('downloads')
      const [download] = await answer(store.getAll())
      download.assetId = assetId
      download.times.confirmedAt -= hoursAgo * 3600
      await answer(store.put(download))
      database.close()
    }, change)
  }

  /** Returns how many files of downloads this browser stores. */
  const countStored = async (page: Page) =>
    await page.evaluate(async () => (await (await caches.open('ondine-downloads')).keys()).length)

  const downloaded = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Téléchargé' })

  it('A2.1-29 A2.4-02 A4.2-05 V2.1-16 V3-41 a film that is interrupted after every file fetches each file once, plays to its end without a connection with the viewer’s watermark, and the service learns of it', async () => {
    const { page, film } = await onFilm({ 'player.watermark.enabled': true })
    const { id, firstName, lastName } = await callAs(page, accountDetails, {})
    const context = page.context()
    const address = page.url()
    const files = filesOf(context)
    let isOpen = true
    let isCut = false
    let passing: Request | undefined
    // On a busy machine, the loss of the connection may meet a request that was let through. The next one takes its place.
    context.on('requestfailed', (request) => {
      if (request === passing) isOpen = true
    })
    await context.route('**/media/**', async (route) => {
      if (isOpen) {
        isOpen = false
        passing = route.request()
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
          .getByRole('button', { name: `Mettre en pause le téléchargement : ${FILM}` })
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

    await downloaded(tab).click()
    await tab
      .getByRole('list', { name: 'Téléchargements' })
      .getByText(/^Disponible jusqu’au/)
      .waitFor()

    await context.setOffline(true)
    await tab.goto('/live')
    await tab.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    expect(new URL(tab.url()).search).toBe('?offline=true')
    await tab.getByRole('link', { name: `Lire « ${FILM} » hors connexion` }).click()
    await expect.poll(async () => (await burnedIn(tab))?.film, PATIENCE).toBe(film.number)
    await tab.locator('main p', { hasText: `${firstName} ${lastName} ${id}` }).waitFor()
    const { duration } = await videoState(tab)
    // Seeks near the end. The count above has shown that all segments up to there are on the device.
    await tab.locator('video').evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 4
    })
    await expect.poll(async () => (await videoState(tab)).position, PATIENCE).toBeGreaterThan(duration - 1)
    expect((await videoState(tab)).audioBytes).toBeGreaterThan(0)

    // After the end, the player leads back. The service learns of the play at the next visit.
    await tab.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    await context.setOffline(false)
    const told = tab.waitForResponse('**/proxy/exchangePositions')
    await visit(tab, '/')
    const answer = (await (await told).json()) as Envelope<OutputOf<typeof exchangePositions>>
    expect(answer).toMatchObject({ result: [{ idAsset: film.id, seconds: expect.closeTo(duration, 0) }] })
  })

  it('A3-33 spec 39 cards, the page and the library show the progress of a download, which is removed with its files at the next visit after its title is gone', async () => {
    const { page, film } = await onFilm()
    let passed = 0
    await page.context().route('**/media/**', async (route) => {
      passed += 1
      if (passed <= FILES / 2) await route.continue()
      else await route.abort('internetdisconnected')
    })
    await download(page, /360p/)
    await page.getByRole('main').getByText('50 %').waitFor(PATIENCE)
    await visit(page, '/search/houle')
    const card = page.getByRole('main').getByRole('link', { name: /Téléchargement : 50 %/ })
    await card.waitFor()
    await visit(page, '/library/downloads')
    await page.getByRole('progressbar', { name: 'Téléchargement : 50 %' }).waitFor()
    await visit(page, '/')
    await card.first().waitFor()
    await page.context().unrouteAll({ behavior: 'wait' })
    await expect.poll(async () => await card.count(), PATIENCE).toBe(0)
    await visit(page, film.detailRoute)
    await downloaded(page).waitFor(PATIENCE)

    // Makes the last check two hours old, and the title unknown to the service.
    await changeStored(page, { assetId: 999_999, hoursAgo: 2 })
    const asked = page.waitForResponse('**/proxy/downloadAsset')
    await visit(page, '/library/downloads')
    expect((await asked).status()).toBe(404)
    await page.getByText('Aucun téléchargement.').waitFor(PATIENCE)
    await expect.poll(async () => await countStored(page)).toBe(0)
    await visit(page, film.detailRoute)
    await page
      .getByRole('main')
      .getByRole('button', { name: `Télécharger « ${FILM} »` })
      .waitFor()
  })

  it('spec 21 A4.9-05 begins with the operator’s languages, and the viewer chooses others for one download; a removal deletes its files and gives up its place', async () => {
    const { page, film } = await onFilm({
      'downloads.defaultAudio': 'eng',
      'downloads.defaultSubtitle': 'fra',
    })
    const files = filesOf(page.context())
    const asked = page.waitForRequest('**/proxy/downloadAsset')
    await download(page, /360p/)
    const fields = new URLSearchParams((await asked).postData() ?? '')
    expect([fields.get('idAudioLang'), fields.get('idSubtitleLang')]).toEqual(['eng', 'fra'])
    await downloaded(page).click(PATIENCE)
    expect(files.filter((file) => file.includes('/t-fra'))).not.toEqual([])
    // The worker finds files by their whole addresses only. Any other way would read all entries of the cache.
    const [file] = files
    const statuses = await page.evaluate(
      async (stored) =>
        await Promise.all(
          [`/offline${stored}`, `/offline${stored}?1`].map(async (path) => (await fetch(path)).status),
        ),
      file,
    )
    expect(statuses).toEqual([200, 404])

    const released = page.waitForResponse('**/proxy/releaseDownload')
    await page.getByRole('button', { name: `Supprimer le téléchargement : ${FILM}` }).click()
    expect((await released).status()).toBe(200)
    await page.getByText('Aucun téléchargement.').waitFor()
    await expect.poll(async () => await countStored(page)).toBe(0)

    await configure({ 'downloads.defaultAudio': 'fra', 'downloads.defaultSubtitle': 'non' })
    await visit(page, film.detailRoute)
    files.length = 0
    await page
      .getByRole('main')
      .getByRole('button', { name: `Télécharger « ${FILM} »` })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Sans sous-titres/ }).click()
    await page.getByRole('option', { name: 'Français' }).click()
    await dialog.getByRole('button', { name: /Français.*Audio|Audio.*Français/ }).click()
    await page.getByRole('option', { name: 'Anglais' }).click()
    await choose(page, /360p/)
    await downloaded(page).waitFor(PATIENCE)
    expect(files.filter((file) => /\/a-eng/.test(file))).not.toEqual([])
    expect(files.filter((file) => /\/a-fra/.test(file))).toEqual([])
    expect(files.filter((file) => file.includes('/t-fra'))).not.toEqual([])
  })

  it('spec 39 without a connection, a clock that is set back plays nothing, a later one shows the end, and a removal gives up the place later; pages of other tabs are not reloaded', async () => {
    const { page, film } = await onFilm()
    await download(page, /360p/)
    await downloaded(page).waitFor(PATIENCE)
    const play = page.getByRole('link', { name: `Lire « ${FILM} » hors connexion` })
    const day = 86_400_000
    const address = page.url()
    const other = await page.context().newPage()
    // The next visit brings the operator's new settings to the offline page.
    await configure({ ...OFFERED, 'brand.name': 'Lumière' })
    await visit(other, address)
    const isInstalledAnew = async () =>
      await other.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null)
    await expect.poll(isInstalledAnew, PATIENCE).toBe(true)
    await page.context().setOffline(true)
    await other.goto('/live')
    await other.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    expect(await other.title()).toContain('Lumière')
    // Messages from the first offline page have reached all tabs before a second offline page appears.
    await other.goto('/')
    await other.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor()
    expect(page.url()).toBe(address)
    await other.close()

    await page.goto('/')
    await play.waitFor()
    await page.clock.setSystemTime(Date.now() - 2 * day)
    await page.goto('/')
    await page.getByText(/^L’horloge de cet appareil a été modifiée\./).waitFor()
    expect(await play.count()).toBe(0)
    await page.goto(`/player?offline=true&asset=${film.id}`)
    await page.getByText(/^L’horloge de cet appareil a été modifiée\./).waitFor()
    expect(await page.locator('video').count()).toBe(0)
    await page.clock.setSystemTime(Date.now() + 31 * day)
    await page.goto('/')
    await page.getByText(/^Expiré\./).waitFor()
    // The browser remembers that it has shown the end of the licence. A clock that is set back into the licence's
    // time does not allow playback.
    await page.clock.setSystemTime(Date.now() + day)
    await page.goto('/')
    await page.getByText(/^L’horloge de cet appareil a été modifiée\./).waitFor()
    expect(await play.count()).toBe(0)

    await page.clock.setSystemTime(Date.now())
    await page.goto('/search/houle')
    await page.getByRole('button', { name: `Supprimer le téléchargement : ${FILM}` }).click()
    await page.getByText('Aucun téléchargement terminé sur cet appareil.').waitFor()
    await page.context().setOffline(false)
    const released = page.waitForResponse('**/proxy/releaseDownload')
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.waitForURL((url) => url.pathname === '/search/houle')
    await page.goto('/library/downloads')
    expect((await released).status()).toBe(200)
    await page.getByText('Aucun téléchargement.').waitFor()
  })

  it('A8.3-14 says why a download is impossible: no room, a full disk, which begins no rental, and too many devices', async () => {
    const { page, film } = await onFilm()
    const noRoom = page.getByText(`Il n’y a pas assez de place sur cet appareil pour « ${FILM} ».`)
    await page.evaluate(() => {
      navigator.storage.estimate = async () => ({ quota: 1000, usage: 900 })
    })
    await download(page, /720p/)
    await noRoom.waitFor()
    await page.keyboard.press('Escape')
    await noRoom.waitFor({ state: 'detached' })

    // Without an estimate of the free storage, the download begins. A failed write then reports the lack of
    // storage.
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
    await noRoom.waitFor()
    expect(licences).toBe(0)

    await visit(page, film.detailRoute)
    await download(page, /360p/)
    await downloaded(page).waitFor(PATIENCE)
    // Deletes the browser's data. The browser then has a new key, and counts as another device.
    await page.evaluate(
      async () =>
        await new Promise((resolve) =>
          indexedDB.deleteDatabase('ondine-downloads').addEventListener('success', resolve),
        ),
    )
    await configure({ ...OFFERED, 'downloads.maximumDevices': 1 })
    await visit(page, film.detailRoute)
    await download(page, /360p/)
    await page.getByText(/^Vos téléchargements occupent déjà le nombre d’appareils permis\./).waitFor()
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
    for (const viewer of [undefined, 'renter@ondine.test', SUBSCRIBER]) {
      await page.context().clearCookies()
      if (viewer !== undefined) await signIn(page, viewer)
      await visit(page, address)
      if (viewer === SUBSCRIBER) await button.waitFor()
      else expect(await button.count()).toBe(0)
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

    /** Opens the page of the film, with a local player in the configuration. */
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

    /** Prepares a download as the local player does, with the values that it has received from a page. */
    async function prepareAs(wanted: typeof NOTHING_WANTED) {
      const { service, identityKey, token, profileToken, idAsset, parentalProof } = wanted
      const answer = await fetch(`${service}/proxy/downloadAsset`, {
        method: 'POST',
        headers: {
          'x-identity-key': identityKey,
          'x-auth-token': token,
          'x-profile-token': profileToken,
        },
        body: new URLSearchParams({
          idAsset: String(idAsset),
          idAudioLang: 'fra',
          idSubtitleLang: 'non',
          ...(parentalProof !== undefined && { parentalProof }),
        }),
      })
      return await answer.json()
    }

    it('A4.9-04 gets the user token and the id of the asset, and downloads with them; the page offers to install it when it refuses or none answers', async () => {
      const page = await onFilmWithPlayer()
      await buttonOf(page).click()
      await page.getByText(`Le lecteur télécharge « ${FILM} ».`).waitFor()
      const [wanted = NOTHING_WANTED] = player.wanted
      expect((await prepareAs(wanted)).result.folders.length).toBeGreaterThan(0)
      expect(await page.evaluate(async () => (await caches.keys()).includes('ondine-downloads'))).toBe(false)

      const dialog = page.getByRole('dialog', { name: 'Regarder hors connexion' })
      for (const fail of [async () => player.refuse(), async () => await player.close()]) {
        await fail()
        await buttonOf(page).click()
        const install = page.waitForEvent('popup')
        await dialog.getByRole('button', { name: 'Télécharger le lecteur' }).click()
        const opened = await install
        expect(new URL(opened.url()).pathname).toBe('/page/legal')
        await opened.close()
        await dialog.waitFor({ state: 'detached' })
      }
    })

    it('A4.9-04 A6-08 gets a title above the level of the profile only with the parental code', async () => {
      const page = await onFilmWithPlayer()
      const check = async () => {
        await visit(page, page.url())
        const asked = page.getByRole('dialog', { name: 'Code parental' })
        await buttonOf(page).click()
        await asked.waitFor()
        await page.keyboard.press('Escape')
        await asked.waitFor({ state: 'detached' })
        expect(player.wanted).toEqual([])
        await buttonOf(page).click()
        await asked.getByLabel('Code parental').fill('2580')
        await page.keyboard.press('Enter')
        await page.getByText(`Le lecteur télécharge « ${FILM} ».`).waitFor()
        const [wanted = NOTHING_WANTED] = player.wanted
        const { parentalProof, ...others } = wanted
        expect(parentalProof).toBeDefined()
        expect((await prepareAs(others)).error.code).toBe(-1612)
        expect((await prepareAs(wanted)).result.folders.length).toBeGreaterThan(0)
      }
      await inNewProfile(page, check, 1)
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
    await choose(page, /360p/)
    await expect.poll(async () => await press.count(), PATIENCE).toBe(0)
    await visit(page, '/library/downloads')
    const rows = page.getByRole('list', { name: 'Téléchargements' }).getByRole('listitem')
    expect(await rows.count()).toBe(count)
    await expect.poll(async () => await rows.getByText(/^Disponible jusqu’au/).count(), PATIENCE).toBe(count)
  })

  it('a long film is interrupted again and again, and each of its files is fetched once', async () => {
    const { page } = await onFilm()
    const context = page.context()
    const address = page.url()
    const fetched = new Map<string, number>()
    let done = 0
    let nextCut = 20
    // Makes the film seem longer. All segments from the last one on have the same content.
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
        // The first time, the process is killed.
        if (interruption % (2 * CLOSING) !== 0) await killProcess(tab)
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
