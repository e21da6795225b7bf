import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@ondine/server/context'
import {
  ensurePackage,
  putChannelsInPackage,
} from '@ondine/server/features/rights/entitlements/packages.service'
import { addLiveChannel, putInput } from '@ondine/server/features/streams/live-inputs/live-inputs.repository'
import type { Page } from 'playwright-core'
import { type ClockSignal, delayOnScreen, sendClock } from '../clock-picture.ts'
import { freePorts } from '../live-signal.ts'
import { type Players, playBare, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/** Maximum time until the channel is on the air, in milliseconds. */
const PATIENCE_MS = 60_000
/** Time until a player's distance from the live edge is stable, in milliseconds. */
const SETTLING_MS = 10_000
/** Time during which a player is observed, in milliseconds. */
const WATCHED_MS = 20_000
/** Time during which the takeover by the spare is observed, in milliseconds. */
const TAKEOVER_MS = 30_000

/**
 * Measures the time from the drawing of a frame to the screen. Also measures the interruption that viewers see
 * when an input's spare (its second address) takes over.
 */
export const liveDelay: Row = {
  name: 'live-delay',
  measure: async () => {
    const [main, spare] = (await freePorts(2)) as [number, number]
    let idChannel = 0
    const fill = async (context: Context) => {
      idChannel = await addLiveInput(context, main, spare)
    }
    const { ours, bare, takeover } = await withPlayers(
      async (players) => {
        const signals = [sendClock(main), sendClock(spare)] as const
        try {
          return await watchChannel(players, idChannel, signals[0])
        } finally {
          for (const signal of signals) await signal.stop()
        }
      },
      { fill, settings: {} },
    )
    const how =
      'The picture tells when it was drawn. It is encoded in real time, sent over SRT, and read from the screen of Chromium.'
    return [
      {
        what: 'a live input: from a drawn frame to the screen',
        unit: 'ms',
        values: ours.delays,
        target: { better: 'lower', mustReach: null, aimsAt: null },
        reference: { what: 'a bare Shaka page', values: bare.delays },
        note: `${how} Segments have 2 s.`,
      },
      {
        what: 'a live input whose main address fails: longest time without a new picture',
        unit: 'ms',
        values: [takeover.longestWithoutPictureMs],
        target: { better: 'lower', mustReach: null, aimsAt: null },
        reference: { what: 'the same before it fails', values: [ours.longestWithoutPictureMs] },
        note: `${how} The time includes the slate, and that of a screenshot. The spare takes over after 3 s of silence, which is sooner than the player gets there.`,
      },
      {
        what: 'the same: longest pause between two frames of the player, slate included',
        unit: 'ms',
        values: [takeover.longestPauseMs],
        target: { better: 'lower', mustReach: null, aimsAt: null },
        reference: { what: 'the same before it fails', values: [ours.longestPauseMs] },
      },
    ]
  },
}

/** Adds a live channel that the viewer may play, with a main address and a spare address. @returns its id */
async function addLiveInput({ db }: Context, main: number, spare: number): Promise<number> {
  const channelId = await addLiveChannel(db, 500, 'Direct')
  const packageId = await ensurePackage(db, 'everything', { fra: 'Tout', eng: 'Everything' })
  await putChannelsInPackage(db, packageId, [channelId])
  await putInput(db, channelId, listener(main), listener(spare))
  return channelId
}

function listener(port: number): string {
  return `srt://127.0.0.1:${port}?mode=listener`
}

async function watchChannel(
  players: Players,
  idChannel: number,
  main: ClockSignal,
): Promise<{ ours: Watched; bare: Watched; takeover: Watched }> {
  const { app, bare, origin } = players
  await playWhenOnAir(players, idChannel)
  await pause(SETTLING_MS)
  const bareWatched = await watch(bare, WATCHED_MS)
  // Unloads this player, because decoding for two players at a time would slow the measurement.
  await bare.goto('about:blank')
  await app.goto(`${origin}/player?channel=${idChannel}`)
  await app.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  await pause(SETTLING_MS)
  const ours = await watch(app, WATCHED_MS)
  await main.stop()
  return { bare: bareWatched, ours, takeover: await watch(app, TAKEOVER_MS) }
}

async function playWhenOnAir(players: Players, idChannel: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      await playBare(players, { operation: 'channelStream', idChannel })
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(500)
    }
  }
}

/** Measurements of a player, in milliseconds. */
interface Watched {
  /** Times from the drawing of a frame until a screenshot showed it. */
  delays: number[]
  /** Longest time between two screenshots with a new frame of the source. */
  longestWithoutPictureMs: number
  /** Longest time between two frames on the screen, from the source or from a slate. */
  longestPauseMs: number
}

/** Takes screenshots of the player repeatedly. @throws if no screenshot shows a frame of the source */
async function watch(page: Page, milliseconds: number): Promise<Watched> {
  await page.evaluate(watchFrames)
  const delays: number[] = []
  const startedAt = performance.now()
  let seenAt = startedAt
  let newest = -Infinity
  let longest = 0
  while (performance.now() - startedAt < milliseconds) {
    const delay = await delayOnScreen(page)
    const now = performance.now()
    // An earlier screenshot has already shown this frame.
    if (delay === undefined || now - delay <= newest + 1) continue
    newest = now - delay
    delays.push(delay)
    longest = Math.max(longest, now - seenAt)
    seenAt = now
  }
  if (delays.length === 0) throw new Error('The player shows no picture of the source.')
  const longestPauseMs = await page.evaluate(() => window.longestPauseMs)
  return {
    delays,
    longestWithoutPictureMs: Math.max(longest, performance.now() - seenAt),
    longestPauseMs,
  }
}

declare global {
  interface Window {
    longestPauseMs: number
  }
}

/** Measures the pauses between frames from now on. Runs in the page. */
function watchFrames(): void {
  const video = document.querySelector('video')
  window.longestPauseMs = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    window.longestPauseMs = Math.max(window.longestPauseMs, now - last)
    last = now
    video?.requestVideoFrameCallback(look)
  }
  video?.requestVideoFrameCallback(look)
}
