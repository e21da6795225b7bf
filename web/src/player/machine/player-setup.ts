import { PLAYER } from '@ondine/contract/constants'
import type { Programme } from '@ondine/contract/entities'
import { assign, enqueueActions, fromPromise, or, setup, stateIn } from 'xstate'
import type { PlayerTarget } from '../content/playable.ts'
import { positionOf } from '../engine/engine.ts'
import { isBehindLive } from '../engine/live-edge.ts'
import { playerError } from '../engine/player-error.ts'
import type { Opening } from '../opening/opening.ts'
import {
  canMove,
  isAtEdgeOnly,
  type PlayerContext,
  type PlayerMachineEvent,
  type PlayerParts,
} from './player-context.ts'
import {
  endOf,
  goesOn,
  loadStream,
  openContent,
  pendingSeek,
  readEngine,
  retryContext,
} from './player-steps.ts'

/**
 * Shortest time after which the programmes of a channel are fetched again. The player adds up to half of it at random,
 * so that the viewers of a channel do not all ask at the same time.
 */
const GUIDE_REFRESH_MS = 3_600_000

/** The input of the state machine. */
interface PlayerInput {
  parts: PlayerParts
  target: PlayerTarget
  volumePercent: number
}

/** The setup shared by all states of the player: context, events, delays, guards and actions. */
export const playerSetup = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as PlayerMachineEvent,
    input: {} as PlayerInput,
  },
  actors: {
    open: fromPromise<Opening, { parts: PlayerParts; target: PlayerTarget }>(({ input, signal }) =>
      openContent(input, signal),
    ),
    load: fromPromise<void, PlayerContext>(({ input }) => loadStream(input)),
    goesOn: fromPromise<boolean, PlayerContext>(({ input }) => goesOn(input)),
    play: fromPromise<boolean, PlayerParts>(({ input }) => input.engine.play()),
    programmes: fromPromise<Programme[], { parts: PlayerParts; id: number }>(({ input }) =>
      input.parts.programmes(input.id),
    ),
  },
  delays: {
    poll: PLAYER.progressPollMs,
    controlsHide: ({ context }) => context.parts.settings().controlHideDelay * 1000,
    hoverHide: PLAYER.hoverHideMs,
    second: 1000,
    guideRefresh: () => GUIDE_REFRESH_MS * (1 + Math.random() / 2),
  },
  guards: {
    canMove: ({ context }) => canMove(context),
    isChannel: ({ context }) => context.playable?.kind === 'channel',
    isIncluded: ({ context }) => context.nextAsset?.isIncludedInUserOffers === true,
    isLastSecond: ({ context }) => context.bingeSecondsLeft <= 1,
    isThisSession: ({ context, event }) =>
      (event.type === 'expired' || event.type === 'refused') && event.session === context.session,
    isPlaying: stateIn({ playback: 'playing' }),
    /** Whether the content plays, buffers or is paused: it is open here, without an error, and has not ended. */
    isWatching: or([
      stateIn({ playback: 'playing' }),
      stateIn({ playback: 'buffering' }),
      stateIn({ playback: 'paused' }),
    ]),
    /** Whether playback runs, or will run as soon as enough has loaded. */
    isRunning: or([
      stateIn({ playback: 'ready' }),
      stateIn({ playback: 'playing' }),
      stateIn({ playback: 'buffering' }),
    ]),
    isCasting: stateIn({ playback: 'casting' }),
    /**
     * Whether this device must open the content again after a cast: live content was unloaded, a film may have failed.
     */
    mustReopen: ({ context: { playable, error } }) => playable?.live === true || error !== null,
    mayBecomeLonger: ({ context }) => context.lengthSeconds !== undefined,
    hasSuggestions: ({ context: { related, playable, reading } }) =>
      related.length > 0 && playable !== null && reading.ad === undefined,
    // An open panel keeps the controls visible. Hovering has the same effect, but is a separate state (V4-34).
    mayHide: ({ context }) => !context.panelOpen,
  },
  actions: {
    play: ({ context, self }) => {
      // If the browser blocks autoplay, the player goes to the paused state.
      void context.parts.engine.play().then((plays) => plays || self.send({ type: 'engine.paused' }))
    },
    pause: ({ context }) => context.parts.engine.pause(),
    // Live content that the viewer may not pause was paused by the system, or by a browser that blocks autoplay.
    returnToEdge: ({ context }) => {
      const { engine } = context.parts
      const { position, edge } = engine.read()
      if (isAtEdgeOnly(context) && isBehindLive(position, edge)) engine.seek(edge)
    },
    unload: ({ context }) => context.parts.engine.unload(),
    beginReports: ({ context: { parts, target, session, keepPosition } }) => {
      const { kind, id } = target
      parts.reporter.about({ kind, id, session }, keepPosition)
    },
    reportStart: ({ context: { parts } }) => parts.reporter.report({ type: 'start' }, parts.now()),
    report: ({ context }, { type }: { type: 'pause' | 'resume' | 'progress' | 'end' | 'close' }) => {
      const { reporter, engine, now } = context.parts
      reporter.report({ type, position: positionOf(engine.read()) }, now())
    },
    readEngine: assign(({ context }) => readEngine(context)),
    // Runs only during playback. Before playback, the element may not have a seekable range yet, or the engine may
    // still move the position to the live edge.
    seekPending: enqueueActions(({ context, enqueue }) => {
      const to = pendingSeek(context)
      if (to !== undefined) enqueue(() => context.parts.engine.seek(to))
      enqueue.assign({ toSeek: null, isOnTheWay: to !== undefined })
    }),
    // The engine also seeks before playback, to its own start.
    arrive: assign(({ context }) => ({ isOnTheWay: context.isOnTheWay && context.toSeek !== null })),
    goNext: ({ context }) => context.parts.go({ kind: 'next' }),
    goOn: ({ context }) => {
      const end = endOf(context)
      if (end !== undefined) context.parts.go(end)
    },
    reopen: assign(({ context }) => retryContext(context)),
    takeError: assign((_, { error }: { error: unknown }) => ({ error: playerError(error), loading: false })),
  },
})
