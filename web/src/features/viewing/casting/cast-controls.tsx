import type { CastCommand, ScreenState } from '@ondine/contract/casting'
import { PLAYER } from '@ondine/contract/constants'
import { languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { atService } from '../../../api/at-service.ts'
import { BareLink } from '../../../design/buttons/link.tsx'
import { ChevronDownIcon, CloseIcon, PauseIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { BackIcon, ForwardIcon, NextIcon, VolumeIcon } from '../../../design/icons/player-icons.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { playerTime, spokenTime } from '../../../design/time/time-display.ts'
import { timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { trackLanguageName } from '../../../words/track-language.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import styles from './cast-controls.module.css'
import { type CastSession, disconnectCast, leaveCast } from './cast-session.ts'
import { castShare, isControllable, type TargetState, targetStatus } from './cast-target.ts'
import { useCastPosition } from './use-cast-position.ts'
import { type Steps, useSteps } from './use-steps.ts'

type Send = (command: CastCommand) => void

/**
 * Shows which content another screen plays, and controls its playback. Each part has a separate grid area.
 *
 * @param isOnPage whether this is the mini-controller of a page. The name of the content then links to the player, which
 * has room for all controls, and a button leaves the screen without stopping it
 */
export function CastControls({
  session: { target, state },
  isOnPage = false,
}: {
  session: CastSession
  isOnPage?: boolean
}) {
  const { t: texts } = useTranslation()
  const { t } = useTranslation('cast')
  const { media } = state
  // Errors of casting are only logged (V8-03).
  const send: Send = (command) => void target.control(command).catch(reportFault)
  const names = (
    <>
      <span className={styles.title}>{media?.title ?? t('nothing')}</span>
      <output className={styles.device}>{statusText(state, texts)}</output>
    </>
  )
  return (
    <>
      {media !== null && media.image !== '' && (
        <img className={styles.image} src={atService(media.image)} alt="" />
      )}
      {isOnPage && media !== null ? (
        <BareLink
          className={styles.names}
          to={`${pathOf('player')}?${media.content.kind}=${media.content.id}`}
        >
          {names}
        </BareLink>
      ) : (
        <div className={styles.names}>{names}</div>
      )}
      {media !== null && isControllable(media) && (
        <>
          {media.programme && <ProgrammeProgress media={media} {...media.programme} />}
          {media.canMove && <MoveControls media={media} send={send} />}
          <Options media={media} send={send} />
        </>
      )}
      {isOnPage ? (
        <div className={styles.exits}>
          <button type="button" className={styles.stop} aria-label={t('leave')} onClick={leaveCast}>
            <ChevronDownIcon />
          </button>
          <StopButton />
        </div>
      ) : (
        <StopButton />
      )}
    </>
  )
}

/** Returns where the content plays and what comes next, or why the content does not play. */
function statusText(state: TargetState, t: TFunction): string {
  const { device, media } = state
  const status = targetStatus(state)
  const place = t(`cast.${status === 'blocked' ? 'failed' : status}`, { device: device || t('cast.screen') })
  if (status === 'blocked') return t('guide.coded')
  if (status !== 'playsOn' || media === null) return place
  if (media.ad) return t('player.adAnnounce', media.ad)
  const next = media.programme?.nextTitle ?? media.nextTitle
  if (next === '') return place
  const upNext = t('cast.upNext', { title: next })
  return media.isCountingDown === true ? upNext : `${place} · ${upNext}`
}

/** The progress of the current programme on a channel. */
function ProgrammeProgress({ media, start, end }: { media: ScreenState; start: number; end: number }) {
  const { t } = useTranslation('player')
  const place = usePlace()
  const position = useCastPosition(media)
  return (
    <div className={styles.position}>
      <span>{timeText(start, place)}</span>
      <progress aria-label={t('position')} value={castShare(media, position)} />
      <span>{timeText(end, place)}</span>
    </div>
  )
}

function StopButton() {
  const { t } = useTranslation('cast')
  return (
    <button
      type="button"
      className={styles.stop}
      aria-label={t('stop')}
      onClick={() => void disconnectCast().catch(reportFault)}
    >
      <CloseIcon />
      <span aria-hidden="true">{t('stop')}</span>
    </button>
  )
}

/** The controls of content that supports pause and seek. The slider and the buttons change the same position. */
function MoveControls({ media, send }: { media: ScreenState; send: Send }) {
  const { duration, isLive } = media
  const { wanted, steps } = useSteps((position) => send({ type: 'seek', position }))
  const reported = useCastPosition(media)
  const position = wanted ?? reported
  const end = isLive || duration === 0 ? Number.POSITIVE_INFINITY : duration
  return (
    <>
      {end < Number.POSITIVE_INFINITY && (
        <PositionControl position={position} duration={duration} steps={steps} />
      )}
      <MainButtons
        media={media}
        seekBy={(seconds) => steps.press(Math.min(end, Math.max(0, position + seconds)))}
        send={send}
      />
    </>
  )
}

function MainButtons({
  media,
  seekBy,
  send,
}: {
  media: ScreenState
  seekBy: (seconds: number) => void
  send: Send
}) {
  const { t } = useTranslation('player')
  const isPlaying = media.playback === 'playing' || media.playback === 'loading'
  const seconds = PLAYER.skipSeconds
  return (
    <div className={styles.buttons}>
      <button type="button" data-wide aria-label={t('back', { seconds })} onClick={() => seekBy(-seconds)}>
        <BackIcon />
      </button>
      <button
        type="button"
        data-main
        aria-label={t(isPlaying ? 'pause' : 'play')}
        onClick={() => send({ type: isPlaying ? 'pause' : 'play' })}
      >
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </button>
      <button type="button" data-wide aria-label={t('forward', { seconds })} onClick={() => seekBy(seconds)}>
        <ForwardIcon />
      </button>
    </div>
  )
}

function Options({ media, send }: { media: ScreenState; send: Send }) {
  const { t } = useTranslation('player')
  const { backToLiveEnabled } = useConfiguration().live
  const { ad, canStartOver, isBehindLive, nextTitle, isCountingDown, audio, subtitles, volumePercent } = media
  return (
    <div className={styles.options}>
      {ad?.canSkip === true && (
        <button type="button" onClick={() => send({ type: 'skipAd', number: ad.number })}>
          {t('adSkip')}
        </button>
      )}
      {canStartOver && (
        <button type="button" aria-label={t('startOver')} onClick={() => send({ type: 'startOver' })}>
          <StartOverIcon />
        </button>
      )}
      {isBehindLive === true && backToLiveEnabled && (
        <button type="button" onClick={() => send({ type: 'toLive' })}>
          {t('backToLive')}
        </button>
      )}
      {nextTitle !== '' && (
        <button
          type="button"
          aria-label={t('nextTitle', { title: nextTitle })}
          onClick={() => send({ type: 'next' })}
        >
          <NextIcon />
        </button>
      )}
      {isCountingDown === true && (
        <button type="button" data-always onClick={() => send({ type: 'dismissNext' })}>
          {t('dismiss')}
        </button>
      )}
      {audio.length > 1 && (
        <LanguageSelect
          label={t('audio')}
          languages={audio}
          chosen={media.chosenAudio}
          choose={(language) => send({ type: 'audio', language })}
        />
      )}
      {subtitles.length > 0 && (
        <LanguageSelect
          label={t('subtitles')}
          languages={subtitles}
          none={t('noSubtitles')}
          chosen={media.chosenSubtitles}
          choose={(language) => send({ type: 'subtitles', language })}
        />
      )}
      <VolumeSlider percent={volumePercent} send={send} />
    </div>
  )
}

/** A slider for the volume. The command is sent when the viewer releases the slider. */
function VolumeSlider({ percent, send }: { percent: number; send: Send }) {
  const { t } = useTranslation('player')
  const { wanted, steps } = useSteps((value) => send({ type: 'volume', percent: value }))
  const shown = wanted ?? percent
  return (
    <span className={styles.volume}>
      <VolumeIcon level={shown === 0 ? 0 : shown < 50 ? 1 : 2} />
      <input
        type="range"
        aria-label={t('volume')}
        min={0}
        max={100}
        step={5}
        value={shown}
        {...sliderOf(steps)}
      />
    </span>
  )
}

/** Returns the listeners of a slider. Only the last value is sent. */
function sliderOf({ drag, release }: Steps) {
  return {
    onChange: ({ target: { value } }: ChangeEvent<HTMLInputElement>) => drag(Number(value)),
    onPointerUp: release,
    onKeyUp: release,
    onBlur: release,
  }
}

function LanguageSelect({
  label,
  languages,
  none,
  chosen,
  choose,
}: {
  label: string
  languages: readonly string[]
  /** Label of the choice "no language"; undefined if a language must be chosen. */
  none?: string
  chosen: string
  choose: (language: string) => void
}) {
  const reader = languageTag(usePlace().language)
  return (
    <select aria-label={label} value={chosen} onChange={({ target: { value } }) => choose(value)}>
      {none !== undefined && <option value={PLAYER.defaultSubtitle}>{none}</option>}
      {languages.map((each) => (
        <option key={each} value={each}>
          {trackLanguageName(each, reader)}
        </option>
      ))}
    </select>
  )
}

/** A slider for the position. The command to seek is sent when the viewer releases the slider. */
function PositionControl({
  position,
  duration,
  steps,
}: {
  position: number
  duration: number
  steps: Steps
}) {
  const { t } = useTranslation('player')
  const reader = languageTag(usePlace().language)
  return (
    <div className={styles.position}>
      <span>{playerTime(position, duration)}</span>
      <input
        type="range"
        aria-label={t('position')}
        aria-valuetext={spokenTime(position, reader)}
        min={0}
        max={Math.round(duration)}
        step={1}
        value={Math.floor(position)}
        {...sliderOf(steps)}
      />
      <span>{playerTime(Math.round(duration), duration)}</span>
    </div>
  )
}
