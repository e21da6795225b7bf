import { PLAYER } from '@ondine/contract/constants'
import type { Programme } from '@ondine/contract/entities'
import {
  type ActorRefFrom,
  assign,
  enqueueActions,
  fromPromise,
  type SnapshotFrom,
  setup,
  stateIn,
} from 'xstate'
import { bingeCountdown, isBingeDue } from './binge.ts'
import { endTarget } from './end-target.ts'
import { NOTHING_READ } from './engine.ts'
import { isOver } from './live-edge.ts'
import type { Opening } from './opening.ts'
import type { PlayerTarget } from './playable.ts'
import {
  canMove,
  type PlayerContext,
  type PlayerMachineEvent,
  type PlayerParts,
  resetContext,
} from './player-context.ts'
import { playerError } from './player-error.ts'
import {
  bingeSituation,
  keepLanguages,
  loadStream,
  pendingSeek,
  programmeNow,
  programmeStart,
  readEngine,
  retryContext,
  setVolume,
  takeOpened,
  toggleMute,
} from './player-steps.ts'
import { skipAt } from './skip-rule.ts'

/** What the machine is started with. */
export interface PlayerInput {
  parts: PlayerParts
  target: PlayerTarget
  volumePercent: number
}

const SECOND_MS = 1000

/**
 * The player's states (V4-28): not ready, ready, buffering, playing, paused, ended, casting, and the error that stops
 * them. Beside them run the reading of the position, the controls that come and go, the suggestions, and the offer of
 * the next episode.
 */
export const playerMachine = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as PlayerMachineEvent,
    input: {} as PlayerInput,
  },
  actors: {
    open: fromPromise<Opening, { parts: PlayerParts; target: PlayerTarget }>(({ input }) =>
      input.parts.open(input.target),
    ),
    load: fromPromise<void, PlayerContext>(({ input }) => loadStream(input)),
    play: fromPromise<boolean, PlayerParts>(({ input }) => input.engine.play()),
    programmes: fromPromise<Programme[], { parts: PlayerParts; id: number }>(({ input }) =>
      input.parts.programmes(input.id),
    ),
  },
  delays: {
    poll: PLAYER.progressPollMs,
    controlsHide: ({ context }) => context.parts.controlsHideMs,
    hoverHide: PLAYER.hoverHideMs,
    second: SECOND_MS,
  },
  guards: {
    canMove: ({ context }) => canMove(context),
    isChannel: ({ context }) => context.playable?.kind === 'channel',
    isIncluded: ({ context }) => context.nextAsset?.isIncludedInUserOffers === true,
    isLastSecond: ({ context }) => context.bingeSecondsLeft <= 1,
    isPlaying: stateIn({ playback: 'playing' }),
    hasSuggestions: ({ context }) => context.related.length > 0 && context.playable !== null,
    // Menus and suggestions keep the controls; hovering is a state of its own (V4-34).
    mayHide: ({ context }) => !context.panelOpen,
  },
  actions: {
    play: ({ context, self }) => {
      // A browser that refuses leaves everything standing still.
      void context.parts.engine.play().then((plays) => plays || self.send({ type: 'engine.paused' }))
    },
    pause: ({ context }) => context.parts.engine.pause(),
    reportStart: ({ context }) => {
      const { reporter, now } = context.parts
      const { kind, id } = context.target
      reporter.about({ kind, id, session: context.session })
      reporter.report({ type: 'start' }, now())
    },
    report: ({ context }, { type }: { type: 'pause' | 'resume' | 'progress' | 'end' | 'close' }) => {
      const { reporter, engine, now } = context.parts
      reporter.report({ type, position: Math.max(0, engine.read().position) }, now())
    },
    readEngine: assign(({ context }) => readEngine(context)),
    goNext: ({ context }) => context.parts.go({ kind: 'next' }),
    goOn: ({ context }) => {
      const { playable, nextAsset, bingeDismissed, parts } = context
      if (playable === null) return
      const next = nextAsset?.isIncludedInUserOffers === true
      parts.go(
        endTarget({ playable, next, binge: parts.binge, dismissed: bingeDismissed, from: parts.from() }),
      )
    },
    takeError: assign((_, { error }: { error: unknown }) => ({ error: playerError(error), loading: false })),
  },
}).createMachine({
  id: 'player',
  context: ({ input }) => ({
    ...resetContext(input.parts, input.target),
    volumePercent: input.volumePercent,
    muted: false,
  }),
  type: 'parallel',
  on: {
    open: {
      target: [
        '.playback.notReady',
        '.progress.off',
        '.guide.off',
        '.binge.waiting',
        '.suggestions.closed',
        '.controls.shown',
      ],
      actions: [
        { type: 'report', params: { type: 'close' } },
        assign(({ context, event }) => ({ ...resetContext(context.parts, event.target) })),
      ],
    },
    close: {
      actions: [
        { type: 'report', params: { type: 'close' } },
        ({ context }) => context.parts.go({ kind: 'close' }),
      ],
    },
    'engine.tracks': { actions: assign(({ event }) => ({ tracks: event.tracks })) },
    'engine.volume': {
      actions: assign(({ event }) => ({ volumePercent: event.percent, muted: event.muted })),
    },
    setVolume: { actions: ({ context, event }) => setVolume(context, event.percent) },
    volumeBy: {
      // Louder is heard at once; softer than silence is silence.
      guard: ({ context, event }) => !context.muted || event.percent > 0,
      actions: ({ context, event }) => setVolume(context, context.volumePercent + event.percent),
    },
    toggleMute: { actions: ({ context }) => toggleMute(context) },
    setSpeed: {
      guard: 'canMove',
      actions: [
        assign(({ event }) => ({ speed: event.speed })),
        ({ context, event }) => context.parts.engine.setSpeed(event.speed),
      ],
    },
    chooseAudio: {
      actions: [
        ({ context, event }) => context.parts.engine.chooseAudio(event.trackId),
        assign(({ context, event }) => keepLanguages(context, { audio: event.language })),
      ],
    },
    chooseSubtitles: {
      actions: [
        ({ context, event }) => context.parts.engine.chooseSubtitles(event.trackId),
        assign(({ context, event }) => keepLanguages(context, { sub: event.language })),
      ],
    },
    chooseQuality: { actions: ({ context, event }) => context.parts.engine.chooseQuality(event.lines) },
    panel: { actions: assign(({ event }) => ({ panelOpen: event.open })) },
  },
  states: {
    playback: {
      initial: 'notReady',
      on: {
        'engine.failed': {
          target: '.error',
          actions: assign(({ event }) => ({ error: event.error, loading: false })),
        },
        refused: {
          target: '.error',
          actions: ['pause', assign(({ event }) => ({ error: event.error, loading: false }))],
        },
      },
      states: {
        notReady: {
          initial: 'opening',
          // What is still playing until the new stream is there must not speak for it.
          on: { 'engine.failed': undefined },
          states: {
            opening: {
              invoke: {
                src: 'open',
                input: ({ context }) => ({ parts: context.parts, target: context.target }),
                onDone: [
                  {
                    guard: ({ event }) => event.output.kind === 'signIn',
                    target: 'leaving',
                    actions: [assign({ loading: false }), ({ context }) => context.parts.signIn()],
                  },
                  {
                    target: 'loading',
                    actions: assign(({ context, event }) =>
                      event.output.kind === 'opened' ? takeOpened(context, event.output.opened) : {},
                    ),
                  },
                ],
                onError: {
                  target: '#player.playback.error',
                  actions: { type: 'takeError', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            loading: {
              invoke: {
                src: 'load',
                input: ({ context }) => context,
                onDone: '#player.playback.ready',
                onError: {
                  target: '#player.playback.error',
                  actions: { type: 'takeError', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            leaving: {},
          },
        },
        ready: {
          entry: [
            assign(({ context }) => ({ ...readEngine(context), bingeDismissed: false, loading: false })),
            'reportStart',
            enqueueActions(({ context, enqueue }) => {
              enqueue.raise({ type: 'loaded' })
              const to = pendingSeek(context)
              if (to !== undefined) enqueue(() => context.parts.engine.seek(to))
              enqueue.assign({ toSeek: null })
            }),
          ],
          invoke: {
            src: 'play',
            input: ({ context }) => context.parts,
            // The browser wants a press of a button first.
            onDone: { guard: ({ event }) => !event.output, target: 'paused' },
            onError: {
              target: 'error',
              actions: { type: 'takeError', params: ({ event }) => ({ error: event.error }) },
            },
          },
          on: {
            'engine.playing': 'playing',
            'engine.waiting': 'buffering',
            'cast.connected': 'casting',
            togglePlay: { target: 'paused', guard: 'canMove', actions: 'pause' },
          },
        },
        buffering: {
          on: {
            'engine.playing': 'playing',
            'engine.paused': { target: 'paused', actions: { type: 'report', params: { type: 'pause' } } },
            'engine.ended': 'ended',
            over: 'ended',
            // At once, not when the element says so: a second press may come before that.
            togglePlay: {
              guard: 'canMove',
              target: 'paused',
              actions: ['pause', { type: 'report', params: { type: 'pause' } }],
            },
            'cast.connected': 'casting',
          },
        },
        playing: {
          on: {
            'engine.waiting': 'buffering',
            'engine.paused': { target: 'paused', actions: { type: 'report', params: { type: 'pause' } } },
            'engine.ended': 'ended',
            over: 'ended',
            // At once, not when the element says so: a second press may come before that.
            togglePlay: {
              guard: 'canMove',
              target: 'paused',
              actions: ['pause', { type: 'report', params: { type: 'pause' } }],
            },
            'cast.connected': 'casting',
          },
        },
        paused: {
          on: {
            'engine.playing': { target: 'playing', actions: { type: 'report', params: { type: 'resume' } } },
            'engine.waiting': {
              target: 'buffering',
              actions: { type: 'report', params: { type: 'resume' } },
            },
            'engine.ended': 'ended',
            togglePlay: {
              target: 'buffering',
              actions: ['play', { type: 'report', params: { type: 'resume' } }],
            },
            'cast.connected': 'casting',
          },
        },
        ended: {
          entry: ['pause', 'readEngine', { type: 'report', params: { type: 'end' } }, 'goOn'],
          on: {
            'engine.playing': { target: 'playing', actions: { type: 'report', params: { type: 'resume' } } },
            togglePlay: {
              actions: [({ context }) => context.parts.engine.seek(context.reading.range.start), 'play'],
            },
          },
        },
        casting: {
          entry: [
            'pause',
            assign(({ event }) => (event.type === 'cast.connected' ? { castDevice: event.device } : {})),
          ],
          exit: assign({ castDevice: null }),
          on: {
            // Playback goes on here, where the other screen was (V4-52).
            'cast.disconnected': {
              target: 'buffering',
              actions: [({ context, event }) => context.parts.engine.seek(event.position), 'play'],
            },
            'cast.ended': { target: 'paused', actions: ({ context }) => context.parts.engine.seek(0) },
          },
        },
        error: {
          on: {
            retry: {
              target: '#player.playback.notReady',
              actions: assign(({ context }) => retryContext(context)),
            },
          },
        },
      },
    },

    progress: {
      initial: 'off',
      states: {
        off: { on: { loaded: 'on' } },
        on: {
          on: { loaded: { target: 'on', reenter: true } },
          after: {
            poll: {
              target: 'on',
              reenter: true,
              actions: [
                'readEngine',
                enqueueActions(({ context, enqueue, check }) => {
                  const { playable, parts, reading } = context
                  if (check('isPlaying')) enqueue({ type: 'report', params: { type: 'progress' } })
                  if (playable !== null && isOver(playable.endsAt, parts.now() / SECOND_MS))
                    enqueue.raise({ type: 'over' })
                  const situation = bingeSituation(context)
                  const due = parts.binge && reading !== NOTHING_READ && isBingeDue(situation)
                  enqueue.raise(
                    due ? { type: 'binge.due', seconds: bingeCountdown(situation) } : { type: 'binge.gone' },
                  )
                }),
              ],
            },
          },
        },
      },
      on: {
        seekTo: { guard: 'canMove', actions: seek(({ event }) => event.position) },
        seekBy: {
          guard: 'canMove',
          actions: [
            seek(({ context, event }) => context.reading.position + event.seconds),
            assign(({ context, event }) => ({
              lastMove: { seconds: event.seconds, count: context.lastMove.count + 1 },
            })),
          ],
        },
        toLive: { guard: 'canMove', actions: [seek(({ context }) => context.reading.edge), 'play'] },
        startOver: { guard: 'canMove', actions: seek(({ context }) => programmeStart(context)) },
        skip: {
          guard: 'canMove',
          actions: seek(
            ({ context }) =>
              skipAt(context.segments, context.reading.position, context.nextAsset !== null)?.to ??
              context.reading.position,
          ),
        },
        'engine.seeked': { actions: 'readEngine' },
      },
    },

    guide: {
      initial: 'off',
      states: {
        // Three days of programmes are a large answer, and the first segments would wait behind it.
        off: { on: { 'engine.playing': { guard: 'isChannel', target: 'asking' } } },
        asking: {
          invoke: {
            src: 'programmes',
            input: ({ context }) => ({ parts: context.parts, id: context.target.id }),
            onDone: {
              target: 'known',
              actions: assign(({ context, event }) => ({
                programmes: event.output,
                liveEpgProgram: programmeNow({ ...context, programmes: event.output }),
              })),
            },
            // The guide is a comfort: a channel plays without it (V8-03).
            onError: 'off',
          },
        },
        known: {},
      },
    },

    controls: {
      initial: 'shown',
      states: {
        shown: {
          initial: 'idle',
          states: {
            idle: {
              after: { controlsHide: { guard: 'mayHide', target: '#player.controls.resting' } },
            },
            hovered: { on: { unhover: 'leaving', activity: undefined } },
            leaving: { after: { hoverHide: { guard: 'mayHide', target: '#player.controls.resting' } } },
          },
          on: {
            activity: { target: '.idle', reenter: true },
            rest: '#player.controls.resting',
            'engine.playing': { target: '.idle', reenter: true },
            panel: {
              target: '.idle',
              reenter: true,
              actions: assign(({ event }) => ({ panelOpen: event.open })),
            },
          },
        },
        // They disappear only while something plays (V4-34): paused, buffering, ended and errors keep them.
        resting: {
          always: [{ guard: 'isPlaying', target: 'hidden' }, { target: 'shown' }],
        },
        hidden: {
          on: {
            activity: 'shown',
            seekBy: 'shown',
            'engine.paused': 'shown',
            'engine.failed': 'shown',
            refused: 'shown',
          },
        },
      },
      on: { hover: '.shown.hovered' },
    },

    suggestions: {
      initial: 'closed',
      states: {
        closed: { on: { 'suggestions.open': { guard: 'hasSuggestions', target: 'open' } } },
        open: {
          entry: enqueueActions(({ context, enqueue, check }) => {
            enqueue.assign({ resumeAfterSuggestions: check('isPlaying') })
            if (canMove(context)) enqueue('pause')
          }),
          on: {
            'suggestions.close': {
              target: 'closed',
              actions: ({ context }) => {
                if (context.resumeAfterSuggestions) void context.parts.engine.play()
              },
            },
          },
        },
      },
    },

    binge: {
      initial: 'waiting',
      states: {
        waiting: {
          on: {
            'binge.due': [
              {
                guard: 'isIncluded',
                target: 'counting',
                actions: assign(({ event }) => ({ bingeSecondsLeft: event.seconds })),
              },
              { target: 'rental' },
            ],
          },
        },
        // A pause holds the countdown.
        counting: {
          after: {
            second: [
              { guard: ({ context }) => context.panelOpen, target: 'counting', reenter: true },
              { guard: stateIn({ playback: 'paused' }), target: 'counting', reenter: true },
              { guard: 'isLastSecond', target: 'gone', actions: 'goNext' },
              {
                target: 'counting',
                reenter: true,
                actions: assign(({ context }) => ({ bingeSecondsLeft: context.bingeSecondsLeft - 1 })),
              },
            ],
          },
          on: { 'binge.gone': 'waiting', 'binge.play': { target: 'gone', actions: 'goNext' } },
        },
        rental: { on: { 'binge.gone': 'waiting' } },
        gone: {},
      },
      on: {
        'binge.dismiss': { target: '.waiting', actions: assign({ bingeDismissed: true }) },
      },
    },
  },
})

export type PlayerActor = ActorRefFrom<typeof playerMachine>
export type PlayerSnapshot = SnapshotFrom<typeof playerMachine>

/** Seeks, and shows the new place at once: the next move starts from there, whether or not the picture has come. */
function seek<Event extends PlayerMachineEvent>(
  to: (args: { context: PlayerContext; event: Event }) => number,
) {
  return enqueueActions<
    PlayerContext,
    Event,
    undefined,
    PlayerMachineEvent,
    never,
    never,
    never,
    never,
    never
  >(({ context, event, enqueue }) => {
    const { range } = context.reading
    const position = Math.min(range.end, Math.max(range.start, to({ context, event })))
    enqueue(() => context.parts.engine.seek(position))
    enqueue.assign({ reading: { ...context.reading, position } })
  })
}
