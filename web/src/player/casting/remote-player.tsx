import type { CastContent } from '@ondine/contract/casting'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { goBack } from '../../features/ground/links/walked.ts'
import { type CastSession, giveUpCast, useCastSession } from '../../features/viewing/casting/cast-session.ts'
import {
  isControllable,
  positionToContinue,
  type TargetState,
  UNKNOWN_STATE,
} from '../../features/viewing/casting/cast-target.ts'
import type { PlayerTarget } from '../content/playable.ts'
import { chosenLanguages, defaultLanguages } from '../machine/player-parts.ts'
import { castContentOf, castLanguages, followContent, followsBroadcast, isPlayed } from './cast-media.ts'
import CastScreen from './cast-screen.tsx'
import { forgetStart } from './forget-start.ts'
import styles from './remote-player.module.css'

/**
 * Plays a target on the screen to which this browser is connected. Does not create a player in this browser,
 * because the player's session would count in addition to the screen's session.
 *
 * @param goOn called when the screen continues with other content, such as the next episode
 * @param onDisconnected called when the viewer disconnects, with the position of the screen in seconds; undefined
 * if the screen played something else, or followed a broadcast
 */
export default function RemotePlayer({
  target,
  goOn,
  onDisconnected,
}: {
  target: PlayerTarget
  goOn: (content: CastContent) => void
  onDisconnected: (position: number | undefined) => void
}) {
  const { t } = useTranslation('player')
  const router = useRouter()
  const session = useCastSession()
  const last = useRef<CastSession | null>(null)
  const { kind, id } = target
  const queryClient = useQueryClient()
  const { start, languages } = target.kind === 'trailer' ? {} : target
  const latest = useRef({ start, languages, goOn, onDisconnected, state: session?.state })
  const screen = session?.target
  const isKnown = session !== null && session.state !== UNKNOWN_STATE

  useEffect(() => {
    latest.current = { start, languages, goOn, onDisconnected, state: session?.state }
  })
  useEffect(() => {
    const content = castContentOf({ kind, id })
    if (screen === undefined || content === undefined || !isKnown) return
    const { start: startAt = null, state } = latest.current
    // After a reload of this page, the screen already plays the content. Does not start the content again.
    if (state !== undefined && startAt === null && isPlaying(state, content)) return
    const chosen = { ...chosenLanguages(queryClient), ...latest.current.languages }
    const named = castLanguages({ ...defaultLanguages(queryClient), ...chosen })
    screen.load({ content, startAt, ...named }, null).then(
      () => forgetStart(router),
      async (error: unknown) => {
        // Casting errors are only logged (V8-03). The player on this device then plays the content, or shows why
        // the content cannot be played.
        reportFault(error)
        await giveUpCast(error).catch(reportFault)
      },
    )
  }, [screen, isKnown, kind, id, queryClient, router])
  useEffect(() => {
    const before = last.current
    last.current = session
    if (session !== null) return
    // `before` is null if the screen was removed from the account before this component had loaded.
    const media = before?.state.media ?? null
    const isSame = media !== null && isPlayed(media, { kind, id })
    const continues = isSame && !followsBroadcast(media)
    latest.current.onDisconnected(continues ? positionToContinue(media, serviceNow()) : undefined)
  }, [session, kind, id])
  const shown = session?.state.media
  const follow = useMemo(() => followContent({ kind, id }), [kind, id])
  useEffect(() => {
    const next = follow(shown)
    if (next !== undefined) latest.current.goOn(next)
  }, [follow, shown])

  if (session === null) return null
  return (
    <>
      <CastScreen session={session} />
      <button type="button" className={styles.close} onClick={() => goBack(router)}>
        {t('close')}
      </button>
    </>
  )
}

/** Returns whether a screen plays this content now. A lost screen does not, nor one whose playback ended or failed. */
function isPlaying({ isAvailable, media }: TargetState, content: CastContent): boolean {
  return isAvailable && media !== null && isPlayed(media, content) && isControllable(media)
}
