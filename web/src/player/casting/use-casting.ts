import type { CastContent } from '@ondine/contract/casting'
import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import {
  type CastSession,
  giveUpCast,
  leaveCast,
  useCastSession,
} from '../../features/viewing/casting/cast-session.ts'
import { type CastTarget, isControllable, UNKNOWN_STATE } from '../../features/viewing/casting/cast-target.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import {
  castContentOf,
  castMediaOf,
  followContent,
  followState,
  isPlayed,
  placeAfterCast,
} from './cast-media.ts'
import { forgetStart } from './forget-start.ts'

/**
 * Playback states in which the player can hand over its content to a screen. In earlier states, the hand-over
 * waits.
 */
const READY: ReadonlySet<unknown> = new Set(['ready', 'playing', 'buffering', 'paused', 'ended'])

/**
 * Casts the content of this player to the screen to which the viewer connects. When the viewer disconnects,
 * playback continues in this browser at the screen's position (V4-52).
 *
 * @param goOn called when the screen continues with other content, such as the next episode
 * @returns the connected screen
 */
export function useCasting(actor: PlayerActor, goOn: (content: CastContent) => void): CastSession | null {
  const router = useRouter()
  const session = useCastSession()
  const isReady = useSelector(actor, ({ value }) => READY.has(value.playback))
  const last = useRef<CastSession | null>(null)
  /** The screen to which this player has handed over its content. */
  const holder = useRef<CastTarget | null>(null)
  const follow = useRef(followContent(actor.getSnapshot().context.target))
  const stateAfter = useRef(followState(actor.getSnapshot().context.target))
  const latestGoOn = useRef(goOn)
  useEffect(() => {
    latestGoOn.current = goOn
  })

  useEffect(() => {
    const before = last.current
    last.current = session
    const { value, context } = actor.getSnapshot()
    const isCasting = value.playback === 'casting'
    const state = stateAfter.current((session ?? before)?.state.media ?? null, serviceNow())
    if (session === null) {
      holder.current = null
      if (isCasting) {
        actor.send({ type: 'cast.disconnected', ...placeAfterCast(state, context, serviceNow()) })
      }
    } else if (session.isJoined && holder.current !== session.target) {
      const { media } = session.state
      // A trailer plays here, also while this browser controls a screen.
      if (session.state === UNKNOWN_STATE || castContentOf(context.target) === undefined) return
      // The content has ended since the viewer saw it in the list, so there is nothing to join.
      if (media === null || !isControllable(media)) leaveCast()
      else if (!isPlayed(media, context.target)) {
        holder.current = session.target
        latestGoOn.current(media.content)
      } else if (isReady) {
        holder.current = session.target
        actor.send({ type: 'cast.connected' })
      }
    } else if (isReady && holder.current !== session.target) {
      const media = castMediaOf(context, value.playback === 'ended')
      if (media === undefined) return
      holder.current = session.target
      follow.current = followContent(context.target)
      actor.send({ type: 'cast.connected' })
      const handOver = async () => {
        try {
          await session.target.load(media, context.session)
        } catch (error) {
          // Casting errors are only logged (V8-03). The screen plays nothing, so playback continues in this
          // browser.
          reportFault(error)
          await giveUpCast(error).catch(reportFault)
          return
        }
        // Before this, the screen may have reported an earlier cast of the same content.
        stateAfter.current = followState(context.target)
        forgetStart(router)
      }
      void handOver()
    } else if (
      isCasting &&
      before?.state.media?.playback !== 'ended' &&
      session.state.media?.playback === 'ended'
    ) {
      actor.send({ type: 'cast.ended' })
    } else if (isCasting) {
      const next = follow.current(session.state.media)
      if (next !== undefined) latestGoOn.current(next)
    }
  }, [actor, session, isReady, router])
  return session
}
