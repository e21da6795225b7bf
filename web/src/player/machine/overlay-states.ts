import { assign, enqueueActions, not, stateIn } from 'xstate'
import { canMove } from './player-context.ts'
import { playerSetup } from './player-setup.ts'

/** The visibility of the controls. */
export const controlsStates = playerSetup.createStateConfig({
  initial: 'shown',
  states: {
    shown: {
      initial: 'idle',
      states: {
        idle: {
          after: { controlsHide: { guard: 'mayHide', target: '#player.controls.resting' } },
        },
        // Only the pointer leaves this state: neither a seek, which plays again after it, nor a panel.
        hovered: {
          on: {
            unhover: 'leaving',
            activity: undefined,
            'engine.playing': undefined,
            panel: { actions: assign(({ event }) => ({ panelOpen: event.open })) },
          },
        },
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
    // The controls hide only during playback (V4-34). They stay visible while the player is paused, is buffering,
    // has ended or shows an error.
    resting: {
      always: [{ guard: 'isPlaying', target: 'hidden' }, { target: 'shown' }],
    },
    hidden: {
      on: {
        activity: 'shown',
        seekBy: 'shown',
        'engine.paused': 'shown',
        'engine.failed': 'shown',
        refused: { guard: 'isThisSession', target: 'shown' },
      },
    },
  },
  on: { hover: '.shown.hovered' },
})

/** The suggestions. Playback pauses while they are open. */
export const suggestionsStates = playerSetup.createStateConfig({
  initial: 'closed',
  states: {
    closed: { on: { 'suggestions.open': { guard: 'hasSuggestions', target: 'open' } } },
    open: {
      entry: enqueueActions(({ context, enqueue, check }) => {
        enqueue.assign({ resumeAfterSuggestions: check('isRunning') })
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
})

/** The offer of the next episode, with its countdown. */
export const bingeStates = playerSetup.createStateConfig({
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
    // A pause or an open panel stops the countdown.
    counting: {
      // No countdown begins or goes on behind an error, because the next episode would then replace the error.
      always: { guard: not('isWatching'), target: 'waiting' },
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
    'cast.connected': '.waiting',
  },
})
