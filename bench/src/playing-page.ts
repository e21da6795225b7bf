import { setTimeout as pause } from 'node:timers/promises'
import { assetRoute } from '@ondine/contract/slugs'
import type { Context } from '@ondine/server/context'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Catalogue, EMAIL, PASSWORD } from './catalogue.ts'
import { nothingMore, withInstallation } from './installation.ts'
import { startBareShaka } from './peers/bare-shaka.ts'
import { startService } from './service.ts'

/** Two browser tabs on the same service: the service's own pages, and a page with Shaka Player alone. */
export interface Players {
  origin: string
  catalogue: Catalogue
  app: Page
  bare: Page
  /**
   * Opens a page of the service in a separate browser profile, signed in as another account with {@link PASSWORD}.
   */
  openAs: (email: string) => Promise<Page>
}

/** Data and settings that only one row needs, in addition to the common data and settings. */
interface Extras {
  fill: (context: Context) => Promise<void>
  settings: Record<string, string>
}

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

/** Opens a browser, signs in, and calls `work`. */
export async function withPlayers<Result>(
  work: (players: Players) => Promise<Result>,
  { fill, settings }: Extras = { fill: nothingMore, settings: {} },
): Promise<Result> {
  return await withInstallation('embedded', fill, async ({ environment, catalogue }) => {
    const service = await startService({ ...environment, ...settings })
    const shaka = await startBareShaka()
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_FLAGS })
    const openAs = async (email: string) => {
      const page = await openPage(browser)
      const signedIn = await page.request.post(`${service.origin}/oauth/token`, {
        form: { username: email, password: PASSWORD, grant_type: 'password' },
        headers: { 'x-identity-key': catalogue.tokens['x-identity-key'] ?? '' },
      })
      if (!signedIn.ok()) throw new Error(`Signing in failed: ${await signedIn.text()}`)
      return page
    }
    try {
      const app = await openAs(EMAIL)
      const bare = await openPage(browser)
      await bare.goto(shaka.origin)
      return await work({ origin: service.origin, catalogue, app, bare, openAs })
    } finally {
      await browser.close()
      shaka.stop()
      await service.stop()
    }
  })
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'fr-FR' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.addInitScript(installStopWatch)
  return page
}

declare global {
  interface Window {
    stopWatch: {
      /**
       * Starts the stopwatch at the next click or key press, or at `begin`. The stopwatch stops at the first frame
       * of the media that load afterwards.
       */
      arm(): void
      begin(): void
      /** Resolves with the measured milliseconds. */
      result(): Promise<number>
    }
    play(url: string, licenceUrl: string): Promise<void>
  }
}

/**
 * Installs `window.stopWatch`. Runs in the page, because the browser reports there when each frame is on the
 * screen.
 */
function installStopWatch(): void {
  let armed = false
  let startedAt: number | undefined
  let settle: ((milliseconds: number) => void) | undefined
  let result = Promise.resolve(0)
  const stopAtFrame = (video: HTMLVideoElement) =>
    video.requestVideoFrameCallback(() => {
      if (startedAt === undefined) return
      settle?.(performance.now() - startedAt)
      startedAt = undefined
    })
  const begin = () => {
    if (!armed) return
    armed = false
    startedAt = performance.now()
    const video = document.querySelector('video')
    // The page may insert the video element before the element has media.
    if (video && video.readyState === 0) stopAtFrame(video)
  }
  for (const name of ['click', 'keydown']) addEventListener(name, begin, { capture: true })
  addEventListener(
    'loadstart',
    ({ target }) => {
      if (startedAt !== undefined && target instanceof HTMLVideoElement) stopAtFrame(target)
    },
    { capture: true },
  )
  window.stopWatch = {
    arm: () => {
      armed = true
      startedAt = undefined
      result = new Promise((resolve) => {
        settle = resolve
      })
    },
    begin,
    result: async () => await result,
  }
}

/** Returns the milliseconds from `action`, a click or key press, to the first frame that plays afterwards. */
export async function timeToFrame(page: Page, action: () => Promise<void>): Promise<number> {
  await page.evaluate(() => window.stopWatch.arm())
  await action()
  return await within(
    page.evaluate(async () => await window.stopWatch.result()),
    'first frame',
  )
}

/** Minimum time that a pointer is over a button before a press, in milliseconds. */
const HOVER_MS = 100

/**
 * Opens a film's page and plays the film, as a viewer would. @returns milliseconds from the click to the first
 * frame
 */
export async function playFilm({ app, origin }: Players, number: number, assetId: number): Promise<number> {
  await app.goto(`${origin}${assetRoute(`Film ${number}`, assetId)}`, { waitUntil: 'networkidle' })
  const button = app
    .getByRole('link', { name: /^Lecture|^Reprendre/ })
    .or(app.getByRole('button', { name: /^Lecture|^Reprendre/ }))
  await button.first().hover()
  await pause(HOVER_MS)
  return await timeToFrame(app, async () => await button.first().click())
}

/** Plays content in the page with Shaka Player alone. @returns milliseconds to the first frame */
export async function playBare({ bare, origin, catalogue }: Players, call: Call): Promise<number> {
  const { url, drm } = await startSession(origin, catalogue, call)
  return await timeToFrame(
    bare,
    async () =>
      await bare.evaluate(
        async ([url = '', licenceUrl = '']) => {
          window.stopWatch.begin()
          await window.play(url, licenceUrl)
        },
        [`${origin}${url}`, `${origin}${drm?.licenceUrl ?? ''}`],
      ),
  )
}

export type Call =
  | { operation: 'readAsset'; idAsset: number }
  | { operation: 'channelStream'; idChannel: number }

async function startSession(
  origin: string,
  { tokens }: Catalogue,
  { operation, ...fields }: Call,
): Promise<{ url: string; drm: { licenceUrl: string } | null }> {
  const languages = { idAudioLang: 'fra', idSubtitleLang: 'off', languageId: 'fra' }
  const answer = await fetch(`${origin}/proxy/${operation}`, {
    method: 'POST',
    headers: tokens,
    body: new URLSearchParams(
      Object.entries({ ...languages, ...fields }).map(([name, value]) => [name, String(value)]),
    ),
  })
  if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`)
  const { result } = (await answer.json()) as { result: { url: string; drm: { licenceUrl: string } | null } }
  return result
}

/**
 * Returns the milliseconds from a seek to the first frame at the new position. Throws an error if the buffer does
 * not contain the target with `wanted` `buffered`, or contains it with `elsewhere`.
 */
export async function timeToSeek(
  page: Page,
  toSeconds: number,
  wanted: 'buffered' | 'elsewhere',
): Promise<number> {
  const seek = page.evaluate(
    async ([seconds, wanted]) => {
      const video = document.querySelector('video')
      if (!video) throw new Error('There is no video.')
      const { buffered } = video
      const isBuffered = Array.from({ length: buffered.length }).some(
        (_, index) => buffered.start(index) <= seconds && buffered.end(index) > seconds + 1,
      )
      if (isBuffered !== (wanted === 'buffered')) throw new Error(`Second ${seconds} is not ${wanted}.`)
      const startedAt = performance.now()
      video.currentTime = seconds
      return await new Promise<number>((resolve) => {
        const look = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
          // A frame from before the seek may still be on the screen.
          if (Math.abs(mediaTime - seconds) < 1) resolve(performance.now() - startedAt)
          else video.requestVideoFrameCallback(look)
        }
        video.requestVideoFrameCallback(look)
      })
    },
    [toSeconds, wanted] as const,
  )
  return await within(seek, 'seek')
}

const PATIENCE_MS = 15_000

async function within<Value>(work: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No ${what} after ${PATIENCE_MS / 1000} s.`)), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
