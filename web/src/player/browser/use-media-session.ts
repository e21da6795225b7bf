import { PLAYER } from '@ondine/contract/constants'
import { fittingHeight } from '@ondine/contract/images'
import { useSelector } from '@xstate/react'
import { use, useEffect } from 'react'
import { atService } from '../../api/at-service.ts'
import { ImageHeights } from '../../design/pictures/picture.tsx'
import { isStopped, playOrPause } from '../machine/play-or-pause.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor, PlayerSnapshot } from '../machine/player-machine.ts'

/** Height of the artwork on a lock screen, in px. */
const ARTWORK_HEIGHT = 480

/**
 * Reports the content to the system, and lets the system's media keys (headphones, lock screen) control the
 * player.
 */
export function useMediaSession(actor: PlayerActor): void {
  const playable = useSelector(actor, (state) => state.context.playable)
  const programme = useSelector(actor, (state) => state.context.liveEpgProgram)
  const movable = useSelector(actor, (state) => canMove(state.context))
  const playback = useSelector(actor, playbackOf)
  const artworkHeight = fittingHeight(ARTWORK_HEIGHT, use(ImageHeights))

  useEffect(() => {
    if (playable === null || !('mediaSession' in navigator)) return undefined
    const { mediaSession } = navigator
    mediaSession.metadata = new MediaMetadata({
      title: programme?.title ?? playable.title,
      artist: programme === null ? String(playable.metadatas['AD_SURTITLE'] ?? '') : playable.title,
      artwork:
        playable.backgroundImage === null
          ? []
          : [{ src: atService(`${playable.backgroundImage.url}/${artworkHeight}`) }],
    })
    return () => {
      mediaSession.metadata = null
    }
  }, [playable, programme, artworkHeight])

  useEffect(() => {
    if (!('mediaSession' in navigator)) return undefined
    const { mediaSession } = navigator
    mediaSession.playbackState = playback
    return () => {
      mediaSession.playbackState = 'none'
    }
  }, [playback])

  useEffect(() => {
    if (!('mediaSession' in navigator)) return undefined
    const { mediaSession } = navigator
    const { skipSeconds } = PLAYER
    const command = (wanted: 'play' | 'pause') => {
      const event = playOrPause(wanted, actor.getSnapshot())
      if (event !== undefined) actor.send(event)
    }
    const actions: [MediaSessionAction, () => void][] = [
      ['play', () => command('play')],
      ['pause', () => command('pause')],
      ['seekbackward', () => actor.send({ type: 'seekBy', seconds: -skipSeconds })],
      ['seekforward', () => actor.send({ type: 'seekBy', seconds: skipSeconds })],
    ]
    // Without handlers, the browser itself would pause and seek. Where that is forbidden, the player ignores the events
    // of these handlers.
    if (!movable) actions.push(['seekto', () => {}])
    for (const [action, handler] of actions) mediaSession.setActionHandler(action, handler)
    return () => {
      for (const [action] of actions) mediaSession.setActionHandler(action, null)
    }
  }, [actor, movable])
}

/** Returns the state for the system. While nothing plays here, the browser finds out the state itself. */
function playbackOf(state: PlayerSnapshot): MediaSessionPlaybackState {
  if (isStopped(state)) return 'paused'
  return state.value.playback === 'playing' || state.value.playback === 'buffering' ? 'playing' : 'none'
}
