import { assign } from 'xstate'
import { playerSetup } from './player-setup.ts'
import { programmeNow } from './player-steps.ts'

/**
 * Fetches the programmes of a channel as soon as the channel plays, and again at intervals, because the answer ends
 * after the next day.
 */
export const guideStates = playerSetup.createStateConfig({
  initial: 'off',
  states: {
    // Waits until the channel plays, because the answer has three days of programmes and would delay the first
    // segments.
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
        // The guide is optional: a channel plays without it, or with the programmes that it already has (V8-03).
        onError: 'failed',
      },
    },
    known: { after: { guideRefresh: 'asking' } },
    failed: { on: { 'engine.playing': 'asking' }, after: { guideRefresh: 'asking' } },
  },
})
