import { type ActorRefFrom, assign, type SnapshotFrom } from 'xstate'
import { guideStates } from './guide-states.ts'
import { bingeStates, controlsStates, suggestionsStates } from './overlay-states.ts'
import { playbackStates } from './playback-states.ts'
import { resetContext } from './player-context.ts'
import { playerSetup } from './player-setup.ts'
import { keepLanguages, setVolume, toggleMute } from './player-steps.ts'
import { progressStates } from './progress-states.ts'

/**
 * The states of playback (V4-28): not ready, ready, buffering, playing, paused, ended, casting, and the error
 * state. Parallel states read the position, show and hide the controls, and handle the suggestions and the offer
 * of the next episode.
 */
export const playerMachine = playerSetup.createMachine({
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
      // A step up unmutes; a step down while muted has no effect.
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
        assign(({ context, event: { language, label, addition } }) =>
          keepLanguages(context, { audio: language, audioLabel: label, audioAddition: addition }),
        ),
      ],
    },
    chooseSubtitles: {
      actions: [
        ({ context, event }) => context.parts.engine.chooseSubtitles(event.trackId),
        assign(({ context, event: { language, captions } }) =>
          keepLanguages(context, { sub: language, ...(captions !== undefined && { captions }) }),
        ),
      ],
    },
    chooseQuality: { actions: ({ context, event }) => context.parts.engine.chooseQuality(event.lines) },
    panel: { actions: assign(({ event }) => ({ panelOpen: event.open })) },
  },
  states: {
    playback: playbackStates,
    progress: progressStates,
    guide: guideStates,
    controls: controlsStates,
    suggestions: suggestionsStates,
    binge: bingeStates,
  },
})

export type PlayerActor = ActorRefFrom<typeof playerMachine>
export type PlayerSnapshot = SnapshotFrom<typeof playerMachine>
