import type { CastContent } from '@ondine/contract/casting'
import { useSelector } from '@xstate/react'
import { lazy, type RefObject, Suspense, useState } from 'react'
import { Notices } from '../../features/ground/notices/notices.tsx'
import { useFullscreen } from '../browser/use-fullscreen.ts'
import { useMediaSession } from '../browser/use-media-session.ts'
import { useSubtitleRoom } from '../browser/use-subtitle-room.ts'
import { useTitle } from '../browser/use-title.ts'
import { useCasting } from '../casting/use-casting.ts'
import { Announcer } from '../controls/announcer.tsx'
import { BottomBar, type PanelName } from '../controls/bottom-bar.tsx'
import { CentreControls } from '../controls/centre-controls.tsx'
import { usePlayerRecording } from '../controls/record-control.tsx'
import { SkipButton, useSkip } from '../controls/skip-button.tsx'
import { TopBar } from '../controls/top-bar.tsx'
import { useMarks } from '../controls/use-marks.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { wheelGesture } from '../machine/suggestions-gesture.ts'
import type { RunningPlayer } from '../machine/use-player.ts'
import { useZapping } from '../machine/use-zapping.ts'
import { AdOverlay } from '../overlays/ad-overlay.tsx'
import { BingeOverlay } from '../overlays/binge-overlay.tsx'
import { ChannelPanel } from '../panels/channel-panel.tsx'
import { PlayerErrorPanel } from '../panels/player-error-panel.tsx'
import { ShortcutsPanel } from '../panels/shortcuts-panel.tsx'
import { SuggestionsPanel } from '../panels/suggestions-panel.tsx'
import { PictureSurface } from './picture-surface.tsx'
import styles from './player.module.css'

const CastScreen = lazy(() => import('../casting/cast-screen.tsx'))

/** All elements over the video. They fade in and out together, without moving. */
export function PlayerInterface({
  actor,
  parts,
  root,
  video,
  goOn,
}: RunningPlayer & { root: RefObject<HTMLElement | null>; goOn: (content: CastContent) => void }) {
  const [panel, setPanel] = useState<PanelName | null>(null)
  const playback = useSelector(actor, ({ value }) =>
    typeof value.playback === 'string' ? value.playback : 'notReady',
  )
  const shown = useSelector(actor, (state) => !state.matches({ controls: 'hidden' }))
  const suggesting = useSelector(actor, (state) => state.matches({ suggestions: 'open' }))
  const isOnTheWay = useSelector(actor, ({ context }) => context.isOnTheWay)
  const offering = useSelector(
    actor,
    (state) => state.matches({ binge: 'counting' }) || state.matches({ binge: 'rental' }),
  )
  const skipping = useSkip(actor) !== undefined
  const failed = playback === 'error'
  const session = useCasting(actor, goOn)
  const casting = playback === 'casting' ? session : null
  const hasPicture = !failed && casting === null
  const isAd = useSelector(actor, ({ context }) => context.reading.ad !== undefined) && hasPicture
  const fullscreen = useFullscreen(root)
  const zapping = useZapping(actor, parts)
  const openPanel = (next: PanelName | null) => {
    setPanel(next)
    actor.send({ type: 'panel', open: next !== null })
  }
  const closePanel = () => openPanel(null)
  const marks = useMarks(actor)
  const recording = usePlayerRecording(actor)
  useKeys(actor, {
    fullscreen,
    zap: zapping.step,
    marks,
    panelOpen: panel !== null,
    closePanel,
    record: () => {
      // The record key only starts or removes a recording. In other states, the record button opens another page. The
      // key then does nothing, because viewers easily press a key by mistake.
      if (recording?.doesRecord === true && !recording.isPending) recording.press()
    },
    toggleShortcuts: () => openPanel(panel === 'shortcuts' ? null : 'shortcuts'),
  })
  useSubtitleRoom(root, [
    ...(shown || panel !== null ? ['[data-controls]'] : []),
    // Subtitles do not move for the list of keys, because this list is in the middle of the picture and closes
    // soon.
    ...(panel === null || panel === 'shortcuts' ? [] : [`#player-${panel}`]),
    ...(suggesting ? ['dialog[data-open]'] : []),
    ...(offering ? ['[data-over-picture="next"]'] : []),
    ...(skipping && !isAd ? ['[data-over-picture="skip"]'] : []),
    ...(isAd ? ['[data-over-picture="ad"]'] : []),
  ])
  useTitle(actor)
  useMediaSession(actor)

  return (
    <div
      className={styles.interface}
      data-shown={shown || failed || casting !== null || panel !== null || undefined}
      data-suggesting={suggesting || undefined}
      data-panel={panel ?? undefined}
      onPointerMove={(event) => {
        if (event.pointerType !== 'touch') actor.send({ type: 'activity' })
      }}
      onWheel={({ deltaY, target }) => {
        // In a dialog, the wheel scrolls the dialog's list.
        if (target instanceof Element && target.closest('dialog') !== null) return
        const gesture = wheelGesture(deltaY)
        if (gesture !== undefined) actor.send({ type: `suggestions.${gesture}` })
      }}
      onFocus={() => actor.send({ type: 'activity' })}
    >
      {isOnTheWay && <div className={styles.cover} />}
      <PictureSurface
        actor={actor}
        fullscreen={fullscreen}
        panelOpen={panel !== null}
        closePanel={closePanel}
      />
      <div className={styles.shade} />
      {failed && <PlayerErrorPanel actor={actor} />}
      {casting !== null && (
        <Suspense>
          <CastScreen session={casting} />
        </Suspense>
      )}
      {hasPicture && <CentreControls actor={actor} playback={playback} />}
      {isAd && <AdOverlay actor={actor} />}
      {hasPicture && !isAd && (
        <>
          <SkipButton actor={actor} />
          <BingeOverlay actor={actor} />
        </>
      )}
      <TopBar actor={actor} />
      {hasPicture && !isAd && (
        <BottomBar
          actor={actor}
          playback={playback}
          panel={panel}
          openPanel={openPanel}
          fullscreen={fullscreen}
          recording={recording}
          video={video}
        />
      )}
      {panel === 'channels' && <ChannelPanel actor={actor} zapTo={zapping.to} close={closePanel} />}
      {panel === 'shortcuts' && <ShortcutsPanel actor={actor} marks={marks.length > 0} close={closePanel} />}
      <SuggestionsPanel actor={actor} open={suggesting} />
      <Notices />
      <Announcer actor={actor} playback={playback} />
    </div>
  )
}
