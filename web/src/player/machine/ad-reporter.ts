import type { InputOf } from '@ondine/contract/operation'
import type { reportAd } from '@ondine/contract/playback'
import type { PlayingAd } from '../engine/engine.ts'

/** An event of an advertisement that the player reports to the service. */
export type AdEvent = InputOf<typeof reportAd>['event']

/** Reports events of advertisements to the service. */
export interface AdReporter {
  /** Called with the current advertisement several times a second. */
  follow(playing: PlayingAd | undefined): void
  /** Called before the viewer skips the advertisement, and when the viewer opens the advertiser's page. */
  tell(playing: PlayingAd, event: 'skip' | 'click'): void
}

/** Events by the share of an advertisement at which they are reported. */
const QUARTILES: readonly (readonly [share: number, event: AdEvent])[] = [
  [0, 'start'],
  [0.25, 'firstQuartile'],
  [0.5, 'midpoint'],
  [0.75, 'thirdQuartile'],
]

/**
 * If playback enters an advertisement more than this after the time of an event, in seconds, the viewer has not
 * seen that moment, and the event is not reported.
 */
const LATE_TOLERANCE = 2

/** An advertisement is complete if the last position was this close to its end, in seconds. */
const END_TOLERANCE = 1.5

/** Creates a reporter that sends each event of an advertisement once. */
export function createAdReporter(send: (report: string, event: AdEvent, at?: number) => void): AdReporter {
  const sent = new Set<string>()
  const skipped = new Set<string>()
  let last: PlayingAd | undefined
  /** Position at which playback entered the current advertisement, in seconds. */
  let metAt = 0

  function sendOnce({ ad }: PlayingAd, event: AdEvent, at?: number): void {
    const key = `${ad.report} ${event} ${at}`
    if (sent.has(key)) return
    sent.add(key)
    send(ad.report, event, at)
  }

  return {
    follow: (playing) => {
      const hasChanged = last?.ad.report !== playing?.ad.report
      if (
        last &&
        hasChanged &&
        !skipped.has(last.ad.report) &&
        metAt <= LATE_TOLERANCE &&
        last.ad.duration - last.position < END_TOLERANCE
      ) {
        for (const at of last.ad.progressAt ?? [])
          if (last.ad.duration - at < END_TOLERANCE) sendOnce(last, 'progress', at)
        sendOnce(last, 'complete')
      }
      last = playing
      if (!playing) return
      if (hasChanged) metAt = playing.position
      // At 0, the advertisement has loaded, but may still wait for the press of a button, because the browser
      // blocks autoplay.
      if (playing.position === 0) return
      const isReached = (due: number) => playing.position >= due && due >= metAt - LATE_TOLERANCE
      for (const [share, event] of QUARTILES)
        if (isReached(playing.ad.duration * share)) sendOnce(playing, event)
      for (const at of playing.ad.progressAt ?? []) if (isReached(at)) sendOnce(playing, 'progress', at)
    },
    tell: (playing, event) => {
      if (event === 'skip') skipped.add(playing.ad.report)
      sendOnce(playing, event)
    },
  }
}
