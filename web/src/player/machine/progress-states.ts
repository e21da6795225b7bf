import { and, assign, enqueueActions, not, raise, stateIn } from 'xstate'
import { maySkip } from '../engine/ad-breaks.ts'
import { NOTHING_READ } from '../engine/engine.ts'
import { isBehindLive, isOver } from '../engine/live-edge.ts'
import { bingeCountdown, isBingeDue } from './binge.ts'
import type { PlayerContext, PlayerMachineEvent } from './player-context.ts'
import { playerSetup } from './player-setup.ts'
import { bingeSituation, offersNext, programmeStart } from './player-steps.ts'
import { skipAt } from './skip-rule.ts'

/** Reads the position regularly, and handles the events that depend on it, including seeks. */
export const progressStates = playerSetup.createStateConfig({
  initial: 'off',
  states: {
    off: { on: { loaded: 'on' } },
    on: {
      on: { loaded: { target: 'on', reenter: true } },
      after: {
        poll: [
          {
            // The last reading remains, because playback continues from it when the viewer disconnects. The other
            // screen goes on to the next episode.
            guard: 'isCasting',
            target: 'on',
            reenter: true,
            actions: raise({ type: 'binge.gone' }),
          },
          {
            target: 'on',
            reenter: true,
            actions: [
              'readEngine',
              enqueueActions(({ context, enqueue, check }) => {
                const { playable, parts, reading } = context
                // Also while playback waits for media: the service may have ended the session.
                if (check('isRunning')) enqueue({ type: 'report', params: { type: 'progress' } })
                if (playable !== null && isOver(playable.endsAt, parts.now() / 1000))
                  enqueue.raise({ type: 'over' })
                const situation = bingeSituation(context)
                const due = reading !== NOTHING_READ && isBingeDue(situation)
                enqueue.raise(
                  due ? { type: 'binge.due', seconds: bingeCountdown(situation) } : { type: 'binge.gone' },
                )
              }),
            ],
          },
        ],
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
    startOver: {
      guard: 'canMove',
      actions: seek(({ context }) => programmeStart(context) ?? context.reading.position),
    },
    skip: {
      guard: 'canMove',
      actions: seek(
        ({ context }) =>
          skipAt(context.segments, context.reading.position, offersNext(context))?.to ??
          context.reading.position,
      ),
    },
    'ad.skip': {
      actions: ({ context: { parts } }) => {
        const { ad } = parts.engine.read()
        if (!ad || !maySkip(ad)) return
        parts.adReporter.tell(ad, 'skip')
        parts.engine.skipAd()
      },
    },
    'ad.click': {
      actions: ({ context: { parts } }) => {
        const { ad } = parts.engine.read()
        if (ad) parts.adReporter.tell(ad, 'click')
      },
    },
    'engine.seeked': {
      // The previous content possibly seeks until the new content is loaded.
      guard: and([not('isCasting'), stateIn({ progress: 'on' })]),
      actions: ['readEngine', 'arrive'],
    },
  },
})

/**
 * Seeks, and shows the new position at once. The next seek then starts from this position, even if the picture has
 * not arrived yet. Does nothing until the engine has a position.
 */
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
    const reading = context.reading === NOTHING_READ ? context.parts.engine.read() : context.reading
    if (reading === NOTHING_READ) return
    const { range, edge } = reading
    const wanted = to({ context: { ...context, reading }, event })
    const position = Math.min(range.end, Math.max(range.start, wanted))
    enqueue(() => context.parts.engine.seek(position))
    enqueue.assign({
      reading: { ...reading, position, followsLive: !isBehindLive(position, edge) },
      // The viewer has chosen another start.
      toSeek: null,
      isOnTheWay: false,
    })
  })
}
