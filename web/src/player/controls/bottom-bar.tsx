import { PLAYER } from '@ondine/contract/constants'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { PauseIcon, PlayIcon } from '../../design/icons/icons.tsx'
import {
  AirPlayIcon,
  BackIcon,
  CaptionsIcon,
  ChannelsIcon,
  ForwardIcon,
  FullscreenIcon,
  NextIcon,
  PictureInPictureIcon,
  ReplayIcon,
  SettingsIcon,
  SuggestionsIcon,
} from '../../design/icons/player-icons.tsx'
import { StartOverIcon } from '../../design/icons/screen-icons.tsx'
import { useAirPlay } from '../browser/use-air-play.ts'
import type { Fullscreen } from '../browser/use-fullscreen.ts'
import { usePictureInPicture } from '../browser/use-picture-in-picture.ts'
import { ControlButton } from '../buttons/control-button.tsx'
import { CastControl } from '../casting/cast-control.tsx'
import { castContentOf } from '../casting/cast-media.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { programmeStart } from '../machine/player-steps.ts'
import { LanguagesPanel, SettingsPanel } from '../panels/options-panels.tsx'
import styles from './bottom-bar.module.css'
import { type PlayerRecording, RecordControl } from './record-control.tsx'
import { Scrubber } from './scrubber.tsx'
import { TimeText } from './time-text.tsx'
import { useHover } from './use-hover.ts'
import { VolumeControl } from './volume-control.tsx'

/** The panels that can be open over the video. */
export type PanelName = 'languages' | 'settings' | 'channels' | 'shortcuts' | 'screens'

/** The control bar: the position, and all controls. */
export function BottomBar({
  actor,
  playback,
  panel,
  openPanel,
  fullscreen,
  recording,
  video,
}: {
  actor: PlayerActor
  playback: string
  panel: PanelName | null
  openPanel: (panel: PanelName | null) => void
  fullscreen: Fullscreen
  /** Undefined if the viewer cannot record the content. */
  recording: PlayerRecording | undefined
  video: HTMLVideoElement
}) {
  const { t } = useTranslation('player')
  const playable = useSelector(actor, (state) => state.context.playable)
  const movable = useSelector(actor, (state) => canMove(state.context))
  const mayStartOver = useSelector(actor, ({ context }) => programmeStart(context) !== undefined)
  const next = useSelector(actor, (state) => state.context.nextAsset)
  const hasSuggestions = useSelector(actor, (state) => state.context.related.length > 0)
  const hasLanguages = useSelector(
    actor,
    ({ context: { tracks } }) => tracks.audio.length > 1 || tracks.subtitles.length > 0,
  )
  const isCastable = useSelector(actor, ({ context }) => castContentOf(context.target) !== undefined)
  const hover = useHover(actor)
  const airPlay = useAirPlay(video)
  const pictureInPicture = usePictureInPicture(video)
  const stopped = playback === 'paused' || playback === 'ended'
  const toggle = (name: PanelName) => openPanel(panel === name ? null : name)
  const seconds = PLAYER.skipSeconds

  return (
    <section className={styles.bar} data-controls aria-label={t('controls')} {...hover}>
      <Scrubber actor={actor} />
      <div className={styles.row} data-waiting={playable === null || undefined} data-kind={playable?.kind}>
        {movable && (
          <>
            <ControlButton
              size="large"
              align="start"
              className={styles.play}
              name={t(playback === 'ended' ? 'replay' : stopped ? 'play' : 'pause')}
              onPress={() => actor.send({ type: 'togglePlay' })}
            >
              {playback === 'ended' ? <ReplayIcon /> : stopped ? <PlayIcon /> : <PauseIcon />}
            </ControlButton>
            <ControlButton
              className={styles.wide}
              name={t('back', { seconds })}
              onPress={() => actor.send({ type: 'seekBy', seconds: -seconds })}
            >
              <BackIcon />
            </ControlButton>
            <ControlButton
              className={styles.wide}
              name={t('forward', { seconds })}
              onPress={() => actor.send({ type: 'seekBy', seconds })}
            >
              <ForwardIcon />
            </ControlButton>
          </>
        )}
        <VolumeControl actor={actor} />
        <span className={styles.time}>
          <TimeText actor={actor} />
        </span>
        <span className={styles.space} />
        {playable?.kind === 'channel' && <RecordControl recording={recording} />}
        {mayStartOver && (
          <ControlButton name={t('startOver')} onPress={() => actor.send({ type: 'startOver' })}>
            <StartOverIcon />
          </ControlButton>
        )}
        {playable?.kind === 'channel' && (
          <ControlButton
            name={t('channels')}
            expanded={panel === 'channels'}
            controls="player-channels"
            onPress={() => toggle('channels')}
          >
            <ChannelsIcon />
          </ControlButton>
        )}
        {next !== null && (
          <ControlButton
            name={t('nextTitle', { title: next.title })}
            onPress={() => actor.getSnapshot().context.parts.go({ kind: 'next' })}
          >
            <NextIcon />
          </ControlButton>
        )}
        {hasSuggestions && (
          <ControlButton
            className={styles.wide}
            name={t('openSuggestions')}
            onPress={() => actor.send({ type: 'suggestions.open' })}
          >
            <SuggestionsIcon />
          </ControlButton>
        )}
        {hasLanguages && (
          <span className={styles.anchor}>
            <ControlButton
              name={t('languages')}
              expanded={panel === 'languages'}
              controls="player-languages"
              onPress={() => toggle('languages')}
            >
              <CaptionsIcon />
            </ControlButton>
            {panel === 'languages' && <LanguagesPanel actor={actor} close={() => openPanel(null)} />}
          </span>
        )}
        <span className={styles.anchor}>
          <ControlButton
            name={t('settings')}
            expanded={panel === 'settings'}
            controls="player-settings"
            onPress={() => toggle('settings')}
          >
            <SettingsIcon />
          </ControlButton>
          {panel === 'settings' && <SettingsPanel actor={actor} close={() => openPanel(null)} />}
        </span>
        {playable !== null && isCastable && (
          <span className={styles.anchor}>
            <CastControl
              open={panel === 'screens'}
              toggle={() => toggle('screens')}
              close={() => openPanel(null)}
            />
          </span>
        )}
        {airPlay.offered && (
          <ControlButton name={t('airPlay')} onPress={airPlay.choose}>
            <AirPlayIcon />
          </ControlButton>
        )}
        {pictureInPicture.supported && (
          <ControlButton
            className={styles.wide}
            name={t(pictureInPicture.active ? 'leavePictureInPicture' : 'pictureInPicture')}
            onPress={pictureInPicture.toggle}
          >
            <PictureInPictureIcon />
          </ControlButton>
        )}
        {fullscreen.supported && (
          <ControlButton
            align="end"
            name={t(fullscreen.active ? 'leaveFullscreen' : 'fullscreen')}
            onPress={fullscreen.toggle}
          >
            <FullscreenIcon active={fullscreen.active} />
          </ControlButton>
        )}
      </div>
    </section>
  )
}
