import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { CheckField } from '../../../design/fields/check-field.tsx'
import { PlayIcon, WarningIcon } from '../../../design/icons/icons.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { elapsedShare } from '../../../design/time/live-state.ts'
import { dateText } from '../../../words/dates.ts'
import { secondsText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { HeartButton } from '../../content/favourites/favourite-button.tsx'
import { whenText } from '../../ground/days/showing-when.ts'
import { changeFavourite } from './favourite-recording.ts'
import { record, remove, retry } from './record.ts'
import { useCanContinue } from './recorded-programmes.ts'
import { episodeName, nameOf } from './recording-name.ts'
import { recordingPath, resumes } from './recording-path.ts'
import styles from './recording-row.module.css'
import { isImpaired, stateText } from './recording-text.ts'

/** The selection of a recording among several. */
export interface RowChoice {
  isSelected: boolean
  onChange: (isSelected: boolean) => void
}

/**
 * A recording in the library: its picture, its programme, its state and its actions. While the viewer selects
 * recordings, a checkbox replaces the actions. In a series, the title is the name of the episode.
 */
export function RecordingRow({
  recording,
  inSeries = false,
  choice,
}: {
  recording: Recording
  inSeries?: boolean
  choice: RowChoice | undefined
}) {
  const { t } = useTranslation()
  const now = useNow()
  const place = usePlace()
  const { channel, startutc, endutc, duration, state, subtitle, image, isBlurred, expiresAt } = recording
  const recorded = recordedStateOf(state)
  const when = whenText(startutc, endutc, now, place, t)
  const name = nameOf(recording, t)
  const Title = inSeries ? 'h3' : 'h2'
  const title = inSeries ? episodeName(recording, t) || when : name
  const said = stateText(recording, now, place, t)
  const facts = [
    channel,
    when,
    secondsText(duration, t),
    ...(expiresAt === null ? [] : [t('recordings.until', { date: dateText(expiresAt, place) })]),
  ]
  const share = progressOf(recording, now)
  return (
    <div
      className={styles.row}
      data-row={`recording-${recording.id}`}
      data-state={recorded}
      data-choosing={choice !== undefined || undefined}
      data-selected={choice?.isSelected || undefined}
    >
      {choice !== undefined && (
        <CheckField
          name={`recording-${recording.id}`}
          label={<span className={UNSEEN}>{t('recordings.selectOne', { title: `${name}, ${when}` })}</span>}
          isSelected={choice.isSelected}
          onChange={choice.onChange}
        />
      )}
      <div className={styles.picture}>
        {image !== null && !isBlurred && <Picture image={image} sizes="180px" />}
        {share !== undefined && (
          <span className={styles.progress}>
            <Progress value={share} tone={recorded === 'recording' ? 'live' : 'accent'} />
          </span>
        )}
      </div>
      <div className={styles.words}>
        <Title className={styles.title} dir="auto">
          {title}
        </Title>
        {!inSeries && subtitle !== '' && <p className={styles.subtitle}>{subtitle}</p>}
        <p className={styles.note}>{facts.join(' · ')}</p>
        <p className={styles.state} data-impaired={isImpaired(recording) || undefined}>
          {isImpaired(recording) && <WarningIcon />}
          <span>{said}</span>
        </p>
      </div>
      {choice === undefined && (
        <ButtonGroup>
          <RowActions
            recording={recording}
            name={inSeries ? `${recording.title}, ${title}` : recording.title}
          />
        </ButtonGroup>
      )}
    </div>
  )
}

/**
 * Returns the length of the bar on the picture, from 0 to 1: the elapsed share of a programme that is being recorded,
 * or the watched share of a finished recording. Undefined without a bar.
 */
function progressOf(recording: Recording, now: number): number | undefined {
  const { state, position, duration } = recording
  const recorded = recordedStateOf(state)
  if (recorded === 'recording') return elapsedShare(recording, now)
  return recorded === 'recorded' && position > 0 && duration > 0 ? position / duration : undefined
}

/** The actions of a recording, by its state (A2.4-03). Their labels contain `name`, the name of the recording. */
function RowActions({ recording, name: title }: { recording: Recording; name: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { id, idEvent, idChannel, state, isFavorite, next } = recording
  const recorded = recordedStateOf(state)
  const isContinued = useCanContinue(recording) && idEvent !== null
  const removing = useMutation({ mutationFn: async () => await remove(queries, recording, t) })
  const favouring = useMutation({
    mutationFn: async () => await changeFavourite(queries, id, !isFavorite),
  })
  const recordingAgain = useMutation({
    mutationFn: async () => {
      const offers = isContinued
        ? await record(queries, { id: idEvent, id_channel: idChannel }, t)
        : await retry(queries, recording, t)
      if (offers !== undefined) await navigate({ href: offers })
    },
  })
  const isPlayable = recorded === 'recording' || recorded === 'recorded'
  const isBegun = resumes(recording)
  return (
    <>
      {isPlayable && (
        <ButtonLink
          to={recordingPath(id, isBegun ? 'last' : 'start')}
          label={t(isBegun ? 'recordings.resumeOf' : 'recordings.playOf', { title })}
        >
          <PlayIcon />
          {t(isBegun ? 'recordings.resume' : 'recordings.play')}
        </ButtonLink>
      )}
      {isPlayable && isBegun && (
        <ButtonLink to={recordingPath(id, 'start')} label={t('recordings.fromStartOf', { title })}>
          <StartOverIcon />
          {t('recordings.fromStart')}
        </ButtonLink>
      )}
      {(isPlayable || isFavorite) && (
        <HeartButton
          title={title}
          isFavourite={isFavorite}
          isPending={favouring.isPending}
          onPress={() => void favouring.mutateAsync()}
        />
      )}
      {(isContinued || next !== null) && (
        <Button
          aria-label={t(isContinued ? 'recordings.recordOf' : 'recordings.retryOf', { title })}
          isPending={recordingAgain.isPending}
          onPress={() => void recordingAgain.mutateAsync()}
        >
          {t('recordings.button-none')}
        </Button>
      )}
      <Button
        aria-label={t(`recordings.removeOf-${recorded}`, { title })}
        isPending={removing.isPending}
        onPress={() => void removing.mutateAsync()}
      >
        {t(`recordings.remove-${recorded}`)}
      </Button>
    </>
  )
}
