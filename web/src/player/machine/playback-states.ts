import { assign, not, raise } from 'xstate'
import { playerSetup } from './player-setup.ts'
import { readEngine, takeOpened } from './player-steps.ts'

/** Transitions at the end of the stream. A running recording or event ends where it was to end when it was opened. */
const atEnd = [
  { guard: 'mayBecomeLonger', target: 'notReady.ending', actions: 'readEngine' },
  { target: 'ended' },
] as const

/** Transitions that end, stop or reopen playback, for both the playing and the buffering state. */
const underWay = {
  'engine.paused': { target: 'paused', actions: { type: 'report', params: { type: 'pause' } } },
  'engine.ended': atEnd,
  over: atEnd,
  // Changes the state at once, without waiting for the element's event, because the viewer can press again before
  // that event.
  togglePlay: {
    guard: 'canMove',
    target: 'paused',
    actions: ['pause', { type: 'report', params: { type: 'pause' } }],
  },
  // Opens the content again with a new session. A paused player does so after it resumes.
  expired: {
    guard: 'isThisSession',
    target: 'notReady',
    actions: 'reopen',
  },
  'cast.connected': 'casting',
} as const

/** The states of playback (V4-28), from not ready to ended, and the error state. */
export const playbackStates = playerSetup.createStateConfig({
  initial: 'notReady',
  on: {
    'engine.failed': {
      target: '.error',
      actions: [
        assign(({ event }) => ({ error: event.error, loading: false })),
        // A manifest or a key can be refused for a reason that the engine does not know, such as a suspended account. The
        // service's answer to the heartbeat then gives the reason.
        { type: 'report', params: { type: 'pause' } },
        // Otherwise, the buffered media plays on behind the error.
        'pause',
      ],
    },
    // A late answer about the session of the previous content must not stop the new content.
    refused: {
      guard: 'isThisSession',
      target: '.error',
      actions: ['pause', assign(({ event }) => ({ error: event.error, loading: false }))],
    },
  },
  states: {
    notReady: {
      initial: 'opening',
      // The previous stream plays until the new stream is ready, or cannot be played. An error of the previous stream
      // must not stop the new stream.
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
                actions: [
                  assign(({ context, event }) =>
                    event.output.kind === 'opened' ? takeOpened(context, event.output.opened) : {},
                  ),
                  'beginReports',
                ],
              },
            ],
            onError: {
              target: '#player.playback.error',
              actions: [{ type: 'takeError', params: ({ event }) => ({ error: event.error }) }, 'unload'],
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
              actions: [{ type: 'takeError', params: ({ event }) => ({ error: event.error }) }, 'unload'],
            },
          },
        },
        // A recording or event that goes on is opened again at this position.
        ending: {
          invoke: {
            src: 'goesOn',
            input: ({ context }) => context,
            onDone: [
              {
                guard: ({ event }) => event.output,
                target: 'opening',
                actions: [{ type: 'report', params: { type: 'close' } }, 'reopen'],
              },
              { target: '#player.playback.ended' },
            ],
            onError: '#player.playback.ended',
          },
        },
        leaving: {},
      },
    },
    ready: {
      entry: [
        assign(({ context }) => ({ ...readEngine(context), bingeDismissed: false, loading: false })),
        // A load resets the speed of the engine. After a failure, the speed that the viewer chose still applies.
        ({ context: { speed, parts } }) => {
          if (speed !== 1) parts.engine.setSpeed(speed)
        },
        'reportStart',
        raise({ type: 'loaded' }),
      ],
      invoke: {
        src: 'play',
        input: ({ context }) => context.parts,
        // The output is false if the browser blocks autoplay and requires a press of a button.
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
    buffering: { on: { 'engine.playing': 'playing', ...underWay } },
    playing: {
      entry: ['readEngine', assign({ hasEnded: false }), 'seekPending'],
      on: { 'engine.waiting': 'buffering', ...underWay },
    },
    paused: {
      on: {
        'engine.playing': {
          target: 'playing',
          actions: ['returnToEdge', { type: 'report', params: { type: 'resume' } }],
        },
        'engine.waiting': {
          target: 'buffering',
          actions: ['returnToEdge', { type: 'report', params: { type: 'resume' } }],
        },
        'engine.ended': atEnd,
        togglePlay: {
          target: 'buffering',
          actions: ['returnToEdge', 'play', { type: 'report', params: { type: 'resume' } }],
        },
        'cast.connected': 'casting',
      },
    },
    ended: {
      entry: [
        'pause',
        'readEngine',
        assign({ hasEnded: true }),
        { type: 'report', params: { type: 'end' } },
        'goOn',
      ],
      on: {
        'cast.connected': 'casting',
        'engine.playing': { target: 'playing', actions: { type: 'report', params: { type: 'resume' } } },
        togglePlay: {
          actions: [({ context }) => context.parts.engine.seek(context.reading.range.start), 'play'],
        },
      },
    },
    casting: {
      entry: [
        'pause',
        // Ends the playback session of this device, so that the limit of simultaneous streams allows the session of
        // the other screen.
        { type: 'report', params: { type: 'close' } },
        // Paused live content still requests manifests and keys, and these requests would take a seat again.
        ({ context: { playable, parts } }) => {
          if (playable?.live === true) parts.engine.unload()
        },
      ],
      on: {
        // The screen plays on, so nothing is shown. After the cast, the content is opened again. This device has given up
        // its session, so no heartbeat may report the failure.
        'engine.failed': { actions: assign(({ event }) => ({ error: event.error })) },
        // Playback continues in this browser at the position of the other screen (V4-52).
        'cast.disconnected': [
          {
            guard: 'mustReopen',
            target: 'notReady',
            actions: [
              assign(({ context: { reading }, event: { position, followsLive, hasEnded } }) => ({
                reading: { ...reading, position, followsLive },
                toSeek: null,
                hasEnded,
              })),
              'reopen',
            ],
          },
          {
            target: 'buffering',
            actions: [
              assign({ hasEnded: false }),
              ({ context, event }) => context.parts.engine.seek(event.position),
              'play',
              { type: 'report', params: { type: 'resume' } },
            ],
          },
        ],
        'cast.ended': {
          guard: not('mustReopen'),
          target: 'paused',
          actions: [assign({ hasEnded: false }), ({ context }) => context.parts.engine.seek(0)],
        },
      },
    },
    error: {
      on: {
        retry: {
          target: '#player.playback.notReady',
          actions: 'reopen',
        },
      },
    },
  },
})
