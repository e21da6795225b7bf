import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { EMAIL } from '../catalogue.ts'
import { withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'
import { percentile } from '../statistics.ts'

/** Start position of each film on the phone, in seconds. */
const START_SECONDS = 5
/** Time for which the screen plays before the phone continues, in milliseconds. */
const WATCH_MS = 2000

/** Measures how a film moves from a phone to a screen of the same account, and back to the phone. */
export const casting: Row = {
  name: 'casting',
  measure: async ({ browserTries }) => {
    const tries = Math.ceil(browserTries / 2)
    const casts = await withPlayers(async (players) => {
      const { app, origin, catalogue, openAs } = players
      await app.addInitScript(recordCast)
      const screen = await openAs(EMAIL)
      await screen.addInitScript(recordCast)
      await screen.goto(`${origin}/receiver`, { waitUntil: 'networkidle' })
      const casts: Cast[] = []
      // The first turn only fills the caches.
      for (let turn = 0; turn <= tries; turn++) {
        const { id } = catalogue.films[turn % catalogue.films.length] ?? { id: 0 }
        await app.goto(`${origin}/player?asset=${id}&t=${START_SECONDS}`)
        const cast = await castAndReturn(app, screen)
        if (turn > 0) casts.push(cast)
      }
      return casts
    })
    const note = `Two Chromium browsers without a graphics card, both signed in to one account. ${tries} tries.`
    return [
      {
        what: 'casting: from choosing a screen to its first picture, loopback, p50',
        unit: 's',
        values: [
          percentile(
            casts.map(({ seconds }) => seconds),
            50,
          ),
        ],
        target: { better: 'lower', mustReach: 1.5, aimsAt: 0.8 },
        reference: null,
        note,
      },
      {
        what: 'casting: difference of the position after phone, screen and phone, largest',
        unit: 's',
        values: [
          percentile(
            casts.map(({ difference }) => difference),
            100,
          ),
        ],
        target: { better: 'lower', mustReach: 1, aimsAt: 0.3 },
        reference: null,
        note: `The sum of what both moves skip or repeat. ${note}`,
      },
    ]
  },
}

interface Cast {
  /** From the click on the screen's name to the screen's first picture. */
  seconds: number
  /** Seconds of the film that both moves skip or repeat. */
  difference: number
}

/** Casts the film of the phone's player to the screen, and plays it on the phone again. */
async function castAndReturn(phone: Page, screen: Page): Promise<Cast> {
  await phone.waitForFunction(
    (start) => (document.querySelector('video')?.currentTime ?? 0) > start,
    START_SECONDS,
  )
  await phone.mouse.move(300, 300)
  await phone.getByRole('button', { name: 'Lire sur un autre écran' }).click()
  const name = phone.locator('#player-screens').getByRole('button', { name: /^Chrome/ })
  await screen.evaluate(() => window.cast.forget())
  await name.click()
  await screen.waitForFunction(() => window.cast.begun !== undefined)
  const left = await phone.evaluate(() => window.cast)
  const begun = await screen.evaluate(() => window.cast)
  await pause(WATCH_MS)
  await phone.evaluate(() => window.cast.forget())
  await phone.getByRole('button', { name: 'Arrêter la diffusion' }).click()
  await phone.waitForFunction(() => window.cast.begun !== undefined)
  const returned = await phone.evaluate(() => window.cast)
  const { last } = await screen.evaluate(() => window.cast)
  const there = Math.abs((begun.begun?.position ?? Number.NaN) - left.last)
  const back = Math.abs((returned.begun?.position ?? Number.NaN) - last)
  return { seconds: ((begun.begun?.at ?? Number.NaN) - left.clickedAt) / 1000, difference: there + back }
}

declare global {
  interface Window {
    cast: {
      /** Time of the last click, in milliseconds since the Unix epoch. */
      clickedAt: number
      /** The first frame since `forget`: its position in seconds, and its time in milliseconds since the Unix epoch. */
      begun: { position: number; at: number } | undefined
      /** The last position of playback, in seconds. */
      last: number
      forget(): void
    }
  }
}

/** Installs `window.cast`. Runs in the page. */
function recordCast(): void {
  const now = () => performance.timeOrigin + performance.now()
  window.cast = {
    clickedAt: 0,
    begun: undefined,
    last: 0,
    forget: () => {
      window.cast.begun = undefined
    },
  }
  addEventListener(
    'click',
    () => {
      window.cast.clickedAt = now()
    },
    { capture: true },
  )
  addEventListener(
    'playing',
    ({ target }) => {
      if (!(target instanceof HTMLVideoElement)) return
      target.requestVideoFrameCallback((_now, { mediaTime }) => {
        window.cast.begun ??= { position: mediaTime, at: now() }
      })
    },
    { capture: true },
  )
  const follow = () => {
    const video = document.querySelector('video')
    if (video !== null && !video.paused) window.cast.last = video.currentTime
    requestAnimationFrame(follow)
  }
  follow()
}
