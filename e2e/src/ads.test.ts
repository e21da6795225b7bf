import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channelStream, readAsset } from '@ondine/contract/playback'
import { freePort } from '@ondine/server/ingest/live/free-port'
import { sendInRealTime } from '@ondine/server/ingest/live/test-sender'
import { addStreams, spliceInsert } from '@ondine/server/ingest/live/test-transport-stream'
import { copyable, ffmpeg, picture, stereo, tone } from '@ondine/server/ingest/test-media'
import { FakeAdServer, vast, vmap } from '@ondine/server/test/fake-ad-server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADDED } from './added-channels.ts'
import { signIn, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { runCommand } from './operator.ts'
import { callAs, inNewProfile } from './people.ts'
import { burnedIn, videoState } from './screen.ts'
import { findAsset, findChannel, type KnownAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
/** Time limit for the start of a film on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }
/** Time limit for preparing a spot of some seconds. */
const PREPARING = { timeout: 180_000, interval: 1000 }

describe('advertisements in the player', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin, dataDir } = sharedService()
  const adServer = new FakeAdServer()
  let film: KnownAsset

  beforeAll(async () => {
    await adServer.start()
    film = await findAsset(origin, 'La Houle')
    // Uses the film's trailer as the spot. The film and the trailer have different burned-in numbers, by which the
    // test can distinguish them.
    const trailer = 'library/demonstration/Films/La Houle (2026)/La Houle (2026)-trailer.mp4'
    adServer.documents.set('/spot.mp4', await readFile(join(dataDir, trailer)))
  })
  beforeEach(async () => {
    adServer.requests.splice(0)
    await configure({
      'ads.serverUrl': `${adServer.base}/ads`,
      'ads.timeoutMs': 3000,
      'ads.adFreePackages': [],
    })
  })
  afterAll(async () => await adServer.stop())

  const video = () => `${adServer.base}/spot.mp4`
  const ad = (name: string) => ({ video: video(), trackers: `${adServer.base}/${name}` })
  const overlay = (page: Page) => page.getByRole('region', { name: 'Publicité' })
  const controls = (page: Page) => page.getByRole('region', { name: 'Commandes du lecteur' })

  /** Opens a page of the subscriber, and waits until the spots of the ad server are prepared. */
  async function opened(options: BrowserContextOptions = {}): Promise<Awaited<ReturnType<typeof open>>> {
    const watched = await open({ ...options })
    await signIn(watched.page, SUBSCRIBER)
    const adsMacro = { page_url: origin, device_ua: 'Test/1.0' }
    const input = {
      idAsset: film.id,
      idAudioLang: 'fra',
      idSubtitleLang: 'non',
      format: 'dash',
      adsMacro,
    } as const
    await expect
      .poll(async () => (await callAs(watched.page, readAsset, input)).breaks?.length, PREPARING)
      .toBeDefined()
    return watched
  }

  /** Plays the film in a profile without history. */
  async function play(page: Page, prove: () => Promise<void>): Promise<void> {
    await inNewProfile(page, async () => {
      await visit(page, `/player?asset=${film.id}`)
      await prove()
    })
  }

  it('V4-32 V4-33 a break begins and ends: count, link, skip after a delay; no keys and no controls', async () => {
    const click = 'https://shop.test/offer'
    adServer.documents.set('/ads', vast({ ...ad('first'), click, skipOffset: '00:00:04' }))
    const { page, complaints } = await opened()
    await page
      .context()
      .route('https://shop.test/**', async (route) => await route.fulfill({ body: 'The shop' }))
    await play(page, async () => {
      await overlay(page)
        .getByText(/^Publicité 1 sur 1 ·/)
        .waitFor()
      const skip = overlay(page).getByRole('button')
      expect(await skip.textContent()).toMatch(/^Passer dans/)
      expect(await skip.isDisabled()).toBe(true)
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.trailerNumber)

      // Outside of an advertisement, this movement of the pointer would show the controls.
      await page.mouse.move(400, 300)
      expect(await controls(page).count()).toBe(0)
      for (const key of [' ', 'ArrowRight', 'ArrowLeft', 'm', '?', 'Escape']) await page.keyboard.press(key)
      const state = await page
        .locator('video')
        .first()
        .evaluate((element) => {
          const { paused, muted } = element as HTMLVideoElement
          return { paused, muted }
        })
      expect(state).toEqual({ paused: false, muted: false })
      expect(new URL(page.url()).pathname).toBe('/player')
      expect(await axeFaults(page)).toEqual([])

      const [shop] = await Promise.all([
        page.waitForEvent('popup'),
        overlay(page).getByRole('link', { name: 'En savoir plus' }).click(),
      ])
      expect(shop.url()).toBe(click)
      expect(await shop.evaluate(() => window.opener)).toBeNull()
      await shop.close()

      await expect.poll(async () => await skip.isEnabled(), PATIENCE).toBe(true)
      await skip.click()
      await overlay(page).waitFor({ state: 'detached' })
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
      await page.mouse.move(420, 300)
      await controls(page).waitFor()
      const told = (event: string) => adServer.hits(`/first/${event}`)
      await expect.poll(() => told('skip'), PATIENCE).toBe(1)
      expect(['impression', 'start', 'click', 'complete'].map(told)).toEqual([1, 1, 1, 0])
      expect(complaints).toEqual([])
    })
  })

  it('V4-32 on a television, OK skips an advertisement, and never opens its link', async () => {
    const click = 'https://shop.test/offer'
    adServer.documents.set('/ads', vast({ ...ad('remote'), click, skipOffset: '00:00:04' }))
    const { page } = await opened({
      viewport: { width: 1920, height: 1080 },
      userAgent:
        'Mozilla/5.0 (SMART-TV; LINUX; Tizen 9.0) AppleWebKit/537.36 Chrome/120.0.0.0 TV Safari/537.36',
    })
    await play(page, async () => {
      const skip = overlay(page).getByRole('button')
      const isFocused = async () => await skip.evaluate((element) => element === document.activeElement)
      await skip.waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(isFocused, PATIENCE).toBe(true)
      await page.keyboard.press('Enter')
      await overlay(page).waitFor({ state: 'detached' })
      const told = (event: string) => adServer.hits(`/remote/${event}`)
      await expect.poll(() => told('skip'), PATIENCE).toBe(1)
      expect([told('click'), page.context().pages().length]).toEqual([0, 1])
    })
  })

  it('V4-32 two advertisements at a chapter are counted, each quartile is reported once, and the film goes on', async () => {
    adServer.documents.set('/ads', vmap({ '00:00:08': vast(ad('one'), ad('two')) }))
    const { page, complaints } = await opened()
    await play(page, async () => {
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
      expect(await overlay(page).count()).toBe(0)
      await overlay(page)
        .getByText(/^Publicité 1 sur 2 ·/)
        .waitFor(PATIENCE)
      expect(await overlay(page).getByRole('button').count()).toBe(0)
      expect(await overlay(page).getByRole('link').count()).toBe(0)
      await overlay(page)
        .getByText(/^Publicité 2 sur 2 ·/)
        .waitFor(PATIENCE)
      await overlay(page).waitFor({ state: 'detached', timeout: PATIENCE.timeout })
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
      // The film continues where the break interrupted it.
      const second = (await burnedIn(page))?.second ?? 0
      expect(second).toBeGreaterThanOrEqual(6)
      expect(second).toBeLessThan(14)
      await expect.poll(() => adServer.hits('/two/complete'), PATIENCE).toBe(1)
      const events = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']
      for (const name of ['one', 'two'])
        expect(events.map((event) => [event, adServer.hits(`/${name}/${event}`)])).toEqual(
          events.map((event) => [event, 1]),
        )
      expect(complaints).toEqual([])
    })
  })

  it('on a television, OK continues a paused advertisement, and back leaves one that has no button', async () => {
    adServer.documents.set('/ads', vast(ad('tv')))
    const userAgent =
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 9.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.5 TV Safari/537.36'
    const { page } = await opened({ viewport: { width: 1920, height: 1080 }, userAgent })
    await play(page, async () => {
      await overlay(page).waitFor()
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(0)
      await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
      await expect.poll(async () => (await videoState(page)).paused).toBe(true)
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await videoState(page)).paused).toBe(false)
      const session = await page.context().newCDPSession(page)
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 10_009 })
      await session.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode: 10_009 })
      await session.detach()
      await expect.poll(() => new URL(page.url()).pathname, PATIENCE).not.toBe('/player')
    })
  })

  it('V4-32 a hostile ad server: no link for a script, and without an answer the film starts', async () => {
    adServer.documents.set(
      '/ads',
      vast({ ...ad('bad'), click: 'javascript:document.title="hacked"', skipOffset: '00:00:01' }),
    )
    const { page, complaints } = await opened()
    await play(page, async () => {
      await overlay(page)
        .getByText(/^Publicité 1 sur 1 ·/)
        .waitFor()
      expect(await overlay(page).getByRole('link').count()).toBe(0)
    })
    adServer.silent.add('/ads')
    await configure({ 'ads.serverUrl': `${adServer.base}/ads`, 'ads.timeoutMs': 200 })
    await play(page, async () => {
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
      expect((await videoState(page)).position).toBeLessThan(24)
      expect(await overlay(page).count()).toBe(0)
    })
    adServer.silent.clear()
    expect(complaints).toEqual([])
  })

  describe('on a live channel whose broadcaster marks its breaks', () => {
    const channel = ADDED.breaks
    /** Length of the signal, interval between breaks, and length of a break, in seconds. */
    const [seconds, every, length] = [300, 24, 14]
    let folder: string
    let stop: () => void

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ondine-breaks-'))
      const path = join(folder, 'signal.ts')
      await ffmpeg([...picture({ seconds }), ...tone(seconds), ...copyable, ...stereo, path])
      const units = Array.from({ length: seconds / every - 1 }, (_, index) => {
        const atSeconds = (index + 1) * every
        const payload = (first: number) => spliceInsert(first + atSeconds * 90_000, { seconds: length })
        return { atSeconds: atSeconds - 8, isSection: true, payload }
      })
      await addStreams(path, [{ pid: 0x120, type: 0x86, descriptors: Buffer.alloc(0), units }])
      const port = await freePort()
      await runCommand(dataDir, 'inputs add', [`${channel.number}`, `udp://127.0.0.1:${port}`], {
        name: channel.name,
      })
      await runCommand(dataDir, 'channels set', [`${channel.number}`], { free: 'yes', on: 'yes' })
      stop = sendInRealTime(await readFile(path), port, seconds)
    })
    afterAll(async () => {
      stop()
      await runCommand(dataDir, 'inputs remove', [`${channel.number}`])
      await runCommand(dataDir, 'channels set', [`${channel.number}`], { on: 'no' })
      await rm(folder, { recursive: true, force: true })
    })

    it('V4-32 a break shows the advertisement of the ad server, then the channel, still live', async () => {
      adServer.documents.set('/ads', vast(ad('live')))
      const { page, complaints } = await opened()
      const { idChannel } = await findChannel(origin, channel.name)
      const input = { idChannel, format: 'dash', start: undefined, parentalProof: undefined } as const
      // The call fails until the channel is on the air.
      const started = async () => await callAs(page, channelStream, input).catch((error: unknown) => error)
      await expect.poll(started, PATIENCE).toHaveProperty('session')
      await visit(page, `/player?channel=${idChannel}`)
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      await overlay(page)
        .getByText(/^Publicité 1 sur 1 ·/)
        .waitFor(PATIENCE)
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.trailerNumber)
      expect(await overlay(page).getByRole('button').count()).toBe(0)

      await overlay(page).waitFor({ state: 'detached', timeout: PATIENCE.timeout })
      // After the break, the channel shows its signal again, which has no burned-in number.
      await expect.poll(async () => await burnedIn(page), PATIENCE).toBeNull()
      const { position } = await videoState(page)
      expect(Date.now() / 1000 - position).toBeLessThan(20)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(position + 2)
      await expect.poll(() => adServer.hits('/live/complete'), PATIENCE).toBe(1)
      const events = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile']
      expect(events.map((event) => adServer.hits(`/live/${event}`))).toEqual(events.map(() => 1))
      expect(complaints).toEqual([])
    })
  })
})
