import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { type CastSession, giveUpCast, useCastSession } from '../../features/viewing/casting/cast-session.ts'
import { type CastTarget, castPosition } from '../../features/viewing/casting/cast-target.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { castEpoch, castMediaOf } from './cast-media.ts'

/** The states in which a player hands over what it plays. Before them, the hand-over waits. */
const READY: ReadonlySet<unknown> = new Set(['ready', 'playing', 'buffering', 'paused', 'ended'])

/**
 * Hands what plays here over to the screen to which the viewer connects, and continues at the screen's position when the
 * viewer disconnects (V4-52). @returns the connected screen
 */
export function useCasting(actor: PlayerActor): CastSession | null {
  const session = useCastSession()
  const isReady = useSelector(actor, ({ value }) => READY.has(value.playback))
  const last = useRef<CastSession | null>(null)
  /** The screen that has got what plays here. */
  const holder = useRef<CastTarget | null>(null)

  useEffect(() => {
    const before = last.current
    last.current = session
    const { value, context } = actor.getSnapshot()
    const isCasting = value.playback === 'casting'
    if (session === null) {
      holder.current = null
      if (isCasting) actor.send({ type: 'cast.disconnected', position: positionAfter(before, actor) })
    } else if (isReady && holder.current !== session.target) {
      const media = castMediaOf(context, value.playback === 'ended')
      if (media === undefined) return
      holder.current = session.target
      actor.send({ type: 'cast.connected', device: session.state.device })
      session.target.load(media, context.session).catch(async (error: unknown) => {
        // Errors of casting are only logged (V8-03). The screen plays nothing, so playback continues here.
        reportFault(error)
        await giveUpCast(error).catch(reportFault)
      })
    } else if (
      isCasting &&
      before?.state.media?.playback !== 'ended' &&
      session.state.media?.playback === 'ended'
    ) {
      actor.send({ type: 'cast.ended' })
    }
  }, [actor, session, isReady])
  return session
}

/** Returns where playback continues here, in seconds of the player: at the position of the screen, if it plays the same. */
function positionAfter(before: CastSession | null, actor: PlayerActor): number {
  const { context } = actor.getSnapshot()
  const { target, reading } = context
  const media = before?.state.media ?? null
  const isSame = media !== null && media.content.kind === target.kind && media.content.id === target.id
  return isSame ? castPosition(media, serviceNow()) - castEpoch(context) : reading.position
}
