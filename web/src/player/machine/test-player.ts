import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { PLAYER } from '@ondine/contract/constants'
import { createActor, SimulatedClock, waitFor } from 'xstate'
import type { NextAsset, Opened, Playable } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import { episode } from '../content/test-content.ts'
import { type Engine, NOTHING_READ, type Reading, type Stream } from '../engine/engine.ts'
import { createAdReporter } from './ad-reporter.ts'
import type { EndTarget } from './end-target.ts'
import type { PlayerParts } from './player-context.ts'
import { playerMachine } from './player-machine.ts'
import type { PlayerEvent } from './reporter.ts'

/** The simulated time at which each test starts, in milliseconds since the Unix epoch. */
export const NOW = Date.UTC(2026, 0, 15, 12)
/** Interval at which the player reads its engine, in ms. */
export const POLL = PLAYER.progressPollMs

/** An episode of 100 s. */
export const film: Playable = {
  kind: 'asset',
  id: 12,
  title: 'La ligne de grain',
  description: '',
  backgroundImage: null,
  detailRoute: '/content/x-12',
  live: false,
  isSerie: true,
  serieId: 40,
  seriesRoute: '/series/s-40/details',
  metadatas: {},
  isIncludedInUserOffers: true,
  medias: [],
  timeshift: true,
  startOver: false,
  recordable: false,
  endsAt: null,
}
/** A channel without timeshift. */
export const channel: Playable = {
  ...film,
  kind: 'channel',
  id: 1,
  live: true,
  isSerie: false,
  timeshift: false,
}

/** Returns the episode that follows the film. */
export function next(isIncludedInUserOffers: boolean): NextAsset {
  return { ...episode, target: { kind: 'asset', id: 13 }, isIncludedInUserOffers }
}

interface Setup {
  playable?: Playable
  /** Fields of the opened content. With a list, the first opening gets the first element, and so on; the last one repeats. */
  opened?: Partial<Opened> | readonly Partial<Opened>[]
  open?: PlayerParts['open']
  autoplay?: boolean
  parts?: Partial<PlayerParts>
  settings?: Partial<Configuration['player']>
}

/** Starts a player with a simulated clock and a fake engine. */
export function start({
  playable = film,
  opened = {},
  open,
  autoplay = true,
  parts = {},
  settings = {},
}: Setup = {}) {
  const clock = new SimulatedClock()
  const reading: Reading = { ...NOTHING_READ, duration: 100, range: { start: 0, end: 100 }, edge: 100 }
  const done: string[] = []
  const events: PlayerEvent[] = []
  const left: EndTarget[] = []
  const loaded: Stream[] = []
  let isLoaded = false
  const heard = { percent: 100, muted: false }
  const hear = (change: Partial<typeof heard>) => {
    Object.assign(heard, change)
    actor.send({ type: 'engine.volume', ...heard })
  }
  const engine: Engine = {
    prepare: () => {},
    load: async (stream) => {
      isLoaded = true
      loaded.push(stream)
    },
    play: async () => {
      done.push('play')
      if (autoplay) actor.send({ type: 'engine.playing' })
      return autoplay
    },
    pause: () => {
      done.push('pause')
      actor.send({ type: 'engine.paused' })
    },
    seek: (position) => {
      done.push(`seek ${position}`)
      reading.position = position
    },
    unload: () => {
      done.push('unload')
      isLoaded = false
    },
    read: () => (isLoaded ? { ...reading } : NOTHING_READ),
    setVolume: (percent) => hear({ percent }),
    setMuted: (muted) => hear({ muted }),
    setSpeed: (speed) => void done.push(`speed ${speed}`),
    chooseAudio: (trackId) => void done.push(`audio ${trackId}`),
    chooseSubtitles: (trackId) => void done.push(`subtitles ${trackId}`),
    chooseQuality: (lines) => void done.push(`quality ${lines}`),
    thumbnail: async () => null,
    skipAd: () => void done.push('skip ad'),
    listen: () => () => {},
    destroy: () => {},
  }
  const openings = [opened].flat()
  const nextAnswer = (): Opened => ({
    playable,
    streamUrl: '/play/t/manifest.mpd',
    licenseData: null,
    assetStartTime: null,
    segments: NO_SEGMENTS,
    selectedMedia: { audio: 'fra', sub: 'non' },
    nextAsset: null,
    related: [],
    isTrailer: false,
    session: 'abc',
    ...(openings.length > 1 ? openings.shift() : openings[0]),
  })
  const target = { kind: playable.kind, id: playable.id }
  const actor = createActor(playerMachine, {
    clock,
    input: {
      target,
      volumePercent: 100,
      parts: {
        engine,
        open: open ?? (async () => ({ kind: 'opened', opened: nextAnswer() })),
        programmes: async () => [],
        lengthSeconds: async () => 0,
        mayPlay: async () => false,
        adReporter: createAdReporter((report, event) => void done.push(`ad ${report} ${event}`)),
        reporter: { about: () => {}, drop: () => {}, report: (event) => void events.push(event) },
        now: () => NOW + clock.now(),
        signIn: () => void done.push('signIn'),
        go: (to) => void left.push(to),
        keepLanguages: ({ audio = '', sub = '' }) => void done.push(`keep ${audio}/${sub}`),
        from: () => '/content/x-12',
        settings: () => ({ ...DEFAULT_CONFIGURATION.player, ...settings }),
        ...parts,
      },
    },
  })
  actor.start()
  return { actor, clock, reading, done, events, left, loaded, engine }
}

/** Starts a player and waits until it plays. */
export async function playing(setup: Setup = {}) {
  const player = start(setup)
  await waitFor(player.actor, (state) => state.matches({ playback: 'playing' }))
  return player
}
