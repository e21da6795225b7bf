import { homeContent } from '@ondine/contract/catalogue'
import { ERRORS } from '@ondine/contract/errors'
import { heartbeat, readAsset, readTrailer } from '@ondine/contract/playback'
import type { FrameStamp } from '@ondine/demo/frame-strip'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ADDED, addRelay } from './added-channels.ts'
import { signIn, visit, type WatchedPage } from './browser.ts'
import { inNewProfile, signInByForm } from './people.ts'
import { burnedIn, pressPlay, videoState } from './screen.ts'
import { call, findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
/** Time limit for a film on a busy machine, and poll interval: each poll takes a picture of the screen. */
const PATIENCE = { timeout: 60_000, interval: 250 }

describe('playing', () => {
  const open = testBrowser()
  const service = sharedService()
  const { origin } = service

  async function signedIn(): Promise<WatchedPage> {
    const watched = await open()
    await signIn(watched.page, SUBSCRIBER)
    return watched
  }

  /** Records a page's requests for licences from now on. */
  function licencesOf(page: Page): string[] {
    const licences: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/licence')) licences.push(request.url())
    })
    return licences
  }

  it('V4-16 V4-28 a film plays encrypted with sound: frames appear, the position moves, the burned-in picture changes', async () => {
    const { page, complaints } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    const licences = licencesOf(page)
    // A viewer without history starts at the beginning.
    await inNewProfile(page, async () => {
      await visit(page, film.detailRoute)
      await pressPlay(page)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(1)
      expect(licences).not.toEqual([])
      await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
      const before = { state: await videoState(page), picture: await burnedIn(page) }
      await expect
        .poll(async () => (await burnedIn(page))?.second ?? 0, PATIENCE)
        .toBeGreaterThan((before.picture?.second ?? 0) + 2)
      const after = await videoState(page)
      expect(after.position).toBeGreaterThan(before.state.position + 2)
      expect(after.frames - before.state.frames).toBeGreaterThan(24)
      expect(after.audioBytes).toBeGreaterThan(before.state.audioBytes)
      expect(complaints).toEqual([])
    })
  })

  it('V9-09 the number of suggestions side by side follows the width of the window: 2 at 320 px, 8 at 2100 px', async () => {
    const { page } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    await visit(page, `/player?asset=${film.id}`)
    await page.mouse.move(600, 400)
    await page.getByRole('button', { name: 'Voir les suggestions' }).click()
    const view = page.getByRole('dialog', { name: 'Dans le même esprit' }).getByRole('list')
    await view.getByRole('listitem').first().waitFor()
    const besides = async () =>
      await view.evaluate((list) => {
        const { columnGap, paddingInlineStart } = getComputedStyle(list)
        const gap = Number.parseFloat(columnGap)
        const room = window.innerWidth - 2 * Number.parseFloat(paddingInlineStart)
        const card = list.children[0]?.getBoundingClientRect().width ?? 0
        return Math.round(((room + gap) / (card + gap)) * 100) / 100
      })
    for (const [width, count] of [
      [320, 2],
      [1210, 5],
      [2100, 8],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(besides).toBe(count)
    }
  })

  it('V4-46 V4-38 an episode continues with the next one', async () => {
    const { page, complaints } = await signedIn()
    const first = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const second = await findAsset(origin, 'Le Métier', { season: 1, episode: 2 })
    // The address gives the start, so the stored position does not count.
    await visit(page, `/player?asset=${first.id}&t=12`)
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(first.number)
    await expect
      .poll(async () => (await burnedIn(page))?.film, { timeout: 120_000, interval: 250 })
      .toBe(second.number)
    await expect.poll(async () => (await burnedIn(page))?.second ?? 0, PATIENCE).toBeGreaterThan(1)
    await expect.poll(() => page.url()).toContain(`asset=${second.id}`)
    expect(complaints).toEqual([])
  })

  it('V4-24 a channel plays across two programme boundaries without a stall', async () => {
    const { page, complaints } = await signedIn()
    const channel = await findChannel(origin, 'Rive')
    await visit(page, `/player?channel=${channel.idChannel}`)
    // Pictures by programme. A new programme begins when the film changes, or when the burned-in second decreases.
    const programmes: (FrameStamp & { at: number })[][] = []
    await expect
      .poll(
        async () => {
          const picture = await burnedIn(page)
          const last = programmes.at(-1)?.at(-1)
          if (picture) {
            const seen = { ...picture, at: performance.now() / 1000 }
            const goesOn = picture.film === last?.film && picture.second >= last.second
            if (goesOn) programmes.at(-1)?.push(seen)
            else programmes.push([seen])
          }
          return programmes.length
        },
        { timeout: 240_000, interval: 500 },
      )
      .toBeGreaterThanOrEqual(3)
    // Within a programme, playback skips no second of the film: the burned-in second advances by no more than the
    // time since the programme was first seen. The tolerance allows the player to catch up after a stall on a slow
    // machine.
    const ahead = programmes.flatMap(([first, ...later]) =>
      later.map(({ second, at }) => (first ? second - first.second - (at - first.at) : 0)),
    )
    expect(Math.max(...ahead)).toBeLessThanOrEqual(4)
    const before = await videoState(page)
    await expect
      .poll(async () => (await videoState(page)).position, PATIENCE)
      .toBeGreaterThan(before.position + 2)
    const after = await videoState(page)
    expect(after.frames).toBeGreaterThan(before.frames + 24)
    expect(after.audioBytes).toBeGreaterThan(before.audioBytes)
    // The player's parts must have their styles even when the visit began with the player.
    await page.mouse.move(400, 300)
    await page.getByRole('button', { name: 'Chaînes', exact: true }).click()
    const progress = page.getByRole('dialog', { name: 'Chaînes' }).locator('button > [aria-hidden]').first()
    await expect.poll(async () => (await progress.boundingBox())?.height).toBe(4)
    expect(complaints).toEqual([])
  })

  it('V4-22 a visitor plays a trailer unencrypted, and nothing else', async () => {
    const { page, complaints } = await open()
    const film = await findAsset(origin, 'La Houle')
    const licences = licencesOf(page)
    await visit(page, film.detailRoute)
    await page
      .getByRole('link', { name: /Bande-annonce/ })
      .or(page.getByRole('button', { name: /Bande-annonce/ }))
      .first()
      .click()
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(1)
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.trailerNumber)
    expect(licences).toEqual([])
    expect(complaints).toEqual([])
  })

  it('V3-39 a relayed HLS channel plays in a browser that plays no HLS itself, and the next channel is DASH again', async () => {
    const { page, complaints } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    const items = (await call(origin, homeContent, {})).flatMap((rail) => rail.items)
    const trailers = items.map((item) =>
      item.type === 'asset' && item.payload.idAsset === film.id ? item.payload.trailer : null,
    )
    const idMedia = trailers.find((trailer) => trailer !== null)?.idMedia ?? 0
    // The trailer is not encrypted, so its playlists are those of any provider.
    const { url } = await call(origin, readTrailer, { idMedia, format: 'hls' })
    const { idChannel } = await addRelay(service, ADDED.relay, origin + url)
    await page.addInitScript(() => {
      HTMLMediaElement.prototype.canPlayType = (type) => (/mpegurl/i.test(type) ? '' : 'probably')
    })
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.trailerNumber)
    // The relay has the largest number, so the next channel is the first one.
    const next = await findChannel(origin, 'Rive')
    await page.keyboard.press('PageDown')
    await expect.poll(() => page.url()).toContain(`channel=${next.idChannel}`)
    await expect
      .poll(async () => (await burnedIn(page))?.film ?? film.trailerNumber, PATIENCE)
      .not.toBe(film.trailerNumber)
    expect(complaints).toEqual([])
  })

  it('V4-12 V4-17 a visitor who opens a film is led to the sign-in, and back to the film, which closes to its page', async () => {
    const { page } = await open()
    const film = await findAsset(origin, 'La Houle')
    await visit(page, `/player?asset=${film.id}`)
    await page.waitForURL(/\/auth\/login/)
    await signInByForm(page, SUBSCRIBER, 'Ondine-2026!')
    await page.waitForURL(/\/player/)
    await expect.poll(async () => (await burnedIn(page))?.film, PATIENCE).toBe(film.number)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === film.detailRoute)
  })

  it('a film goes on after its playback session has expired', async () => {
    const { page } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    const positions: number[] = []
    await page.route(`**${readAsset.path}`, async (route) => {
      const { position } = await videoState(page)
      positions.push(position)
      await route.continue()
    })
    await page.route(`**${heartbeat.path}`, async (route) => {
      const event = new URLSearchParams(route.request().postData() ?? '').get('event')
      const isFirst = event === 'progress' && positions.length === 1
      const error = { code: ERRORS.tokenInvalid.code, message: '' }
      await (isFirst ? route.fulfill({ status: 401, json: { status: false, error } }) : route.continue())
    })
    await visit(page, `/player?asset=${film.id}&t=1`)
    await expect.poll(() => positions, PATIENCE).toHaveLength(2)
    await expect
      .poll(async () => (await videoState(page)).position, PATIENCE)
      .toBeGreaterThan(positions[1] ?? 0)
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('V4-36 a click on the picture pauses and resumes, and a double click enters and leaves full screen', async () => {
    const { page } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    await visit(page, `/player?asset=${film.id}&t=1`)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(1.5)
    const paused = async () => (await videoState(page)).paused
    const fills = async () => await page.evaluate(() => document.fullscreenElement !== null)
    await page.mouse.click(400, 200)
    await expect.poll(paused).toBe(true)
    expect(await fills()).toBe(false)
    await page.mouse.click(400, 200)
    await expect.poll(paused).toBe(false)
    for (const isFull of [true, false]) {
      await page.mouse.dblclick(400, 200)
      await expect.poll(fills).toBe(isFull)
      await expect.poll(paused).toBe(false)
    }
  })

  it('V4-05 leaving its page closes a player that is playing: the video stops, and its session ends', async () => {
    const { page, complaints } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    await inNewProfile(page, async () => {
      await visit(page, film.detailRoute)
      await pressPlay(page)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(1)
      const video = await page.locator('video').first().elementHandle()
      const closing = page.waitForRequest(
        (request) =>
          new URL(request.url()).pathname === heartbeat.path &&
          new URLSearchParams(request.postData() ?? '').get('event') === 'close',
      )
      await page.goBack()
      await page.waitForURL((url) => url.pathname === film.detailRoute)
      const sent = new URLSearchParams((await closing).postData() ?? '')
      expect(Number(sent.get('position'))).toBeGreaterThan(1)
      await expect.poll(async () => await page.locator('video').count()).toBe(0)
      // The page has removed the video element. A removed element could still play sound.
      await expect.poll(async () => await video?.evaluate((left: HTMLVideoElement) => left.paused)).toBe(true)
      expect(complaints).toEqual([])
    })
  })

  it('V4-59 V9-01 the keyboard plays, pauses, seeks, mutes and closes', async () => {
    const { page } = await signedIn()
    const film = await findAsset(origin, 'La Houle')
    await visit(page, film.detailRoute)
    await visit(page, `/player?asset=${film.id}&t=1`)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(1.5)
    await page.keyboard.press('Space')
    await expect.poll(async () => (await videoState(page)).paused).toBe(true)
    const { position } = await videoState(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await videoState(page)).position).toBeCloseTo(position + 10, 0)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await videoState(page)).position).toBeCloseTo(position, 0)
    await page.keyboard.press('m')
    const muted = async () =>
      await page
        .locator('video')
        .first()
        .evaluate((video) => (video as HTMLVideoElement).muted)
    await expect.poll(muted).toBe(true)
    await page.keyboard.press('Space')
    await expect.poll(async () => (await videoState(page)).paused).toBe(false)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === film.detailRoute)
  })
})
