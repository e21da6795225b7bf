import { epg, type epgEvent } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { Envelope, OutputOf } from '@ondine/contract/operation'
import { slugWithId } from '@ondine/contract/slugs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { signInByForm } from './people.ts'
import { burnedIn, videoState } from './screen.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { PHONE } from './shell-pages.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Time limit for the first frame of a film on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }
const HOUR = 3600

describe('starting over', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  async function signedIn() {
    const watched = await open()
    await signIn(watched.page, 'subscriber@ondine.test')
    return watched
  }

  async function programmesOf({ idChannel }: Channel): Promise<Programme[]> {
    const start = Math.floor(Date.now() / 1000) - HOUR
    const guide = await call(origin, epg, { start, offset: 0, hours: 2, channelIds: [idChannel] })
    return guide[`chan_${idChannel}`] ?? []
  }

  /** Returns the titles of a programme in order, with their start and end times. */
  async function partsOf({ id, id_channel }: Programme) {
    const answer = await fetch(`${origin}/proxy/epg/event/${id_channel}/${id}`)
    const event = (await answer.json()) as Envelope<OutputOf<typeof epgEvent>>
    if (!event.status) throw new Error(event.error.message)
    return event.result.parts
  }

  const at = (programmes: readonly Programme[], time: number) => {
    const found = programmes.find(({ startutc, endutc }) => startutc <= time && time < endutc)
    if (!found) throw new Error(`Nothing is on at ${time}.`)
    return found
  }
  const positionOf = async (page: Page) => (await videoState(page)).position
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Moves the pointer, so that the controls stay visible. @returns whether a button with this name is visible */
  async function offers(page: Page, name: string): Promise<boolean> {
    await page.mouse.move(300 + Math.round(Math.random() * 200), 300)
    return await button(page, name).isVisible()
  }

  it('V8-02 a network that is away for some seconds does not end a channel', async () => {
    const { page } = await signedIn()
    const failures = new Map<string, number>()
    page.on('requestfailed', (request) => {
      // A seek aborts requests, too.
      if (request.failure()?.errorText !== 'net::ERR_INTERNET_DISCONNECTED') return
      failures.set(request.url(), (failures.get(request.url()) ?? 0) + 1)
    })
    const attempts = () =>
      Math.max(0, ...[...failures].map(([url, count]) => (url.endsWith('.m4s') ? count : 0)))
    const { idChannel } = await findChannel(origin, 'Rive')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    // Behind the live edge, the player always has segments to request.
    for (let steps = 0; steps < 6; steps++) await page.keyboard.press('ArrowLeft')
    await page.context().setOffline(true)
    // The player gives a segment up after five attempts, and then begins anew.
    await expect.poll(attempts, PATIENCE).toBeGreaterThan(5)
    await page.context().setOffline(false)
    const position = await positionOf(page)
    await expect.poll(async () => (await positionOf(page)) - position, PATIENCE).toBeGreaterThan(5)
    expect(await page.getByRole('heading', { name: 'La lecture s’est arrêtée' }).count()).toBe(0)
    expect(await button(page, 'Pause').count()).toBe(1)
  })

  it('V1-08 V4-31 V4-42 V4-43 a programme of a library channel plays from its beginning, with a button back to live', async () => {
    const { page, complaints } = await signedIn()
    const packings = new Set<string | undefined>()
    page.on('response', (response) => {
      if (response.url().endsWith('/manifest.mpd')) packings.add(response.headers()['content-encoding'])
    })
    const channel = await findChannel(origin, 'Rive')
    const programmes = await programmesOf(channel)
    const { id, title, startutc } = at(programmes, Date.now() / 1000 - 60)
    await visit(page, `/epg/${slugWithId(title, id)}`)
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Voir depuis le début' }).click()

    // On a channel, positions are seconds since the Unix epoch.
    await expect.poll(async () => (await positionOf(page)) - startutc, PATIENCE).toBeGreaterThanOrEqual(-0.5)
    await expect.poll(async () => (await burnedIn(page))?.second ?? 99, PATIENCE).toBeLessThan(15)
    expect((await positionOf(page)) - startutc).toBeLessThan(20)

    await expect.poll(async () => await offers(page, 'Revenir au direct'), PATIENCE).toBe(true)
    await button(page, 'Revenir au direct').click()
    await expect.poll(async () => Date.now() / 1000 - (await positionOf(page)), PATIENCE).toBeLessThan(25)
    await expect.poll(async () => await offers(page, 'Revenir au direct'), PATIENCE).toBe(false)

    await expect.poll(async () => await offers(page, 'Voir depuis le début'), PATIENCE).toBe(true)
    const before = await positionOf(page)
    await button(page, 'Voir depuis le début').click()
    const { startutc: beginning } = at(programmes, before)
    await expect.poll(async () => Math.abs((await positionOf(page)) - beginning), PATIENCE).toBeLessThan(6)

    expect(packings).toEqual(new Set(['br']))
    expect(complaints).toEqual([])
  })

  it('V1-08 the menu of a card plays what is on from its beginning', async () => {
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/live')
    const { idChannel, detailRoute } = await findChannel(origin, 'Rive')
    await page.locator(`main li a[href$="${detailRoute}"]`).first().press('Shift+F10')
    await page
      .getByRole('dialog', { name: 'Rive' })
      .getByRole('button', { name: 'Voir depuis le début' })
      .press('Enter')
    await page.waitForURL(new RegExp(`/player\\?channel=${idChannel}&t=\\d+`))
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
  })

  it('V4-59 in a programme of several films, marks lead from film to film', async () => {
    const { page, complaints } = await signedIn()
    const channel = await findChannel(origin, 'Rive')
    // While the films of a block are being prepared, trailers fill the block. Trailers have no marks on the seek
    // bar, so the test waits for the films.
    let films: { title: string; start: number; end: number }[] = []
    const findFilms = async () => {
      const now = Date.now() / 1000
      const parts = await partsOf(at(await programmesOf(channel), now))
      films = parts.filter(({ end }) => end < now - 30).slice(-2)
      return films.length === 2
    }
    // When a programme has just begun, it takes a while until two of its films have ended.
    await expect.poll(findFilms, { ...PATIENCE, timeout: 100_000 }).toBe(true)
    const [film, next] = films
    await visit(page, `/player?channel=${channel.idChannel}&t=${Math.ceil(film?.start ?? 0) + 1}`)
    await page.getByText(new RegExp(`^Rive · .+ · ${film?.title ?? ''}`)).waitFor({ state: 'attached' })
    await expect.poll(async () => await burnedIn(page), PATIENCE).not.toBeNull()
    await page.keyboard.press('Shift+ArrowRight')
    await expect
      .poll(async () => (await positionOf(page)) - (next?.start ?? 0), PATIENCE)
      .toBeGreaterThan(-0.5)
    await expect.poll(async () => (await burnedIn(page))?.second ?? 99, PATIENCE).toBeLessThan(8)
    expect(complaints).toEqual([])
  })

  it('V1-08 V4-42 behind live a phone has every button of a channel within its window', async () => {
    const { page } = await open(PHONE)
    await signIn(page, 'subscriber@ondine.test')
    const channel = await findChannel(origin, 'Rive')
    const { startutc } = at(await programmesOf(channel), Date.now() / 1000 - 60)
    await visit(page, `/player?channel=${channel.idChannel}&t=${startutc}`)
    await expect.poll(async () => await offers(page, 'Revenir au direct'), PATIENCE).toBe(true)
    await expect.poll(async () => await offers(page, 'Voir depuis le début'), PATIENCE).toBe(true)
    const outside = async () =>
      await page
        .getByRole('region', { name: 'Commandes' })
        .getByRole('button')
        .evaluateAll((all) =>
          all
            .map((each) => [each.ariaLabel ?? each.textContent, each.getBoundingClientRect()] as const)
            .filter(([, { width, left, right }]) => width > 0 && (left < 0 || right > innerWidth))
            .map(([name]) => name),
        )
    expect(await outside()).toEqual([])
  })

  it('V4-17 a visitor who asks for a programme from its beginning gets it after the sign-in', async () => {
    const { page } = await open()
    const channel = await findChannel(origin, 'Rive')
    const { startutc } = at(await programmesOf(channel), Date.now() / 1000 - 60)
    await visit(page, `/player?channel=${channel.idChannel}&t=${startutc}`)
    await page.waitForURL(/\/auth\/login/)
    await signInByForm(page, 'subscriber@ondine.test', 'Ondine-2026!')
    await page.waitForURL(/\/player/)
    await expect.poll(async () => await positionOf(page), PATIENCE).toBeGreaterThan(1)
    await expect.poll(async () => Math.abs((await positionOf(page)) - startutc), PATIENCE).toBeLessThan(20)
  })

  it('V4-31 a seek is kept when the engine takes the distance for a gap', async () => {
    const { page } = await signedIn()
    // Simulates what happens when a segment arrives right after a seek: Shaka jumps to the start of its buffer,
    // because it has not noticed the seek yet.
    await page.addInitScript(() => {
      const time = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')
      if (!time) throw new TypeError('Elements have no time.')
      let jumped = false
      Object.defineProperty(HTMLMediaElement.prototype, 'currentTime', {
        ...time,
        set(this: HTMLMediaElement, to: number) {
          const { buffered } = this
          time.set?.call(this, to)
          if (jumped || buffered.length === 0 || to > buffered.start(0) - 20) return
          jumped = true
          time.set?.call(this, buffered.start(0))
          document.documentElement.setAttribute('data-jumped', '')
        },
      })
    })
    const channel = await findChannel(origin, 'Rive')
    const { startutc } = at(await programmesOf(channel), Date.now() / 1000 - 60)
    await visit(page, `/player?channel=${channel.idChannel}&t=${startutc}`)
    await page.locator('html[data-jumped]').waitFor()
    await expect.poll(async () => Math.abs((await positionOf(page)) - startutc), PATIENCE).toBeLessThan(20)
    await expect.poll(async () => (await positionOf(page)) - startutc, PATIENCE).toBeGreaterThan(1)
  })

  it('V4-43 a seek back before the first picture shows the distance to live', async () => {
    const { page } = await signedIn()
    // Holds back the `playing` event until the viewer presses a key, as if the first picture were late.
    await page.addInitScript(() => {
      let pressed = false
      addEventListener('keydown', () => {
        pressed = true
      })
      addEventListener('playing', (event) => !pressed && event.stopImmediatePropagation(), true)
    })
    const channel = await findChannel(origin, 'Rive')
    await visit(page, `/player?channel=${channel.idChannel}`)
    await expect.poll(async () => await positionOf(page), PATIENCE).toBeGreaterThan(1)
    const before = await positionOf(page)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => await positionOf(page)).toBeLessThan(before - 5)
    const back = button(page, 'Revenir au direct')
    await expect
      .poll(async () => (await offers(page, 'Pause')) && (await back.textContent()))
      .toMatch(/−0:\d\d/)
    await expect.poll(async () => (await videoState(page)).frames).toBeGreaterThan(10)
    expect(await back.textContent()).toMatch(/−0:\d\d/)
  })

  it('V1-08 is offered nowhere once it is switched off', async () => {
    await configure({ 'live.startOverEnabled': false })
    const { page } = await signedIn()
    const channel = await findChannel(origin, 'Rive')
    const { id, title } = at(await programmesOf(channel), Date.now() / 1000 - 60)
    await visit(page, `/epg/${slugWithId(title, id)}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(await page.getByText('Disponible depuis le début').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Voir depuis le début' }).count()).toBe(0)
    await visit(page, `/player?channel=${channel.idChannel}`)
    // Without start-over, time-shift still works.
    await expect.poll(async () => await offers(page, 'Pause'), PATIENCE).toBe(true)
    await page.getByText(/^Rive · /).waitFor()
    expect(await offers(page, 'Voir depuis le début')).toBe(false)
  })

  it('V1-08 has no button back to live once that is switched off, and V4-59 nothing moves without time-shift', async () => {
    await configure({ 'live.backToLiveEnabled': false })
    const { page } = await signedIn()
    const channel = await findChannel(origin, 'Rive')
    await visit(page, `/player?channel=${channel.idChannel}`)
    await expect.poll(async () => await offers(page, 'Pause'), PATIENCE).toBe(true)
    await expect.poll(async () => await positionOf(page), PATIENCE).toBeGreaterThan(1)
    const before = await positionOf(page)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => await positionOf(page)).toBeLessThan(before - 5)
    const behind = page.getByText(/^−0:/).first()
    await expect.poll(async () => (await offers(page, 'Pause')) && (await behind.isVisible())).toBe(true)
    expect(await offers(page, 'Revenir au direct')).toBe(false)

    await configure({ 'live.timeshiftOttConfig': 0 })
    await visit(page, `/player?channel=${channel.idChannel}`)
    await expect.poll(async () => await offers(page, 'Chaînes'), PATIENCE).toBe(true)
    await expect.poll(async () => await positionOf(page), PATIENCE).toBeGreaterThan(1)
    expect(await offers(page, 'Pause')).toBe(false)
  })
})
