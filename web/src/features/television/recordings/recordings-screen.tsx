import { recordedStateOf } from '@ondine/contract/recording-states'
import { type Recording, type SeriesRecording } from '@ondine/contract/recordings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { LiveIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { Row, RowList } from '../../../design/lists/row-list.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { lengthText, type Place, secondsText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { beginningText, whenText } from '../schedule/showing-when.ts'
import { remove, retry } from './record.ts'
import { isScheduled, quotaQuery, recordingsQuery, seriesQuery } from './recordings-query.ts'
import styles from './recordings-screen.module.css'
import { removeSeries } from './series.ts'

/** The completed recordings (A2.1-30), or the planned and running ones (A2.1-31), with the recording time of the account. */
export function RecordingsScreen({ shows }: { shows: 'completed' | 'scheduled' }) {
  const { t } = useTranslation()
  const title = t(
    shows === 'completed' ? 'library.library-completed-records' : 'library.library-scheduled-records',
  )
  return (
    <div className={styles.screen}>
      <ScreenTitle>{title}</ScreenTitle>
      <QuotaLine />
      {shows === 'scheduled' && <SeriesPart />}
      <QueryPart
        name={title}
        query={recordingsQuery}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {({ records }) => {
          const shown = records.filter((recording) => isScheduled(recording) === (shows === 'scheduled'))
          // The next recording comes first in the plan, the latest one in the library.
          const sorted = shows === 'scheduled' ? shown.toReversed() : shown
          return sorted.length === 0 ? (
            <EmptyNote icon={<LiveIcon />} text={t(`recordings.${shows}Empty`)}>
              <ButtonLink to={pathOf('epg')}>{t('recordings.goGuide')}</ButtonLink>
            </EmptyNote>
          ) : (
            <RowList label={title}>
              {sorted.map((recording) => (
                <RecordingRow key={recording.id} recording={recording} />
              ))}
            </RowList>
          )
        }}
      </QueryPart>
    </div>
  )
}

/** The series that the profile records. Empty without any. */
function SeriesPart() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data = [] } = useQuery(seriesQuery)
  const removing = useMutation({
    mutationFn: async (series: SeriesRecording) => await removeSeries(queries, series, t),
  })
  if (data.length === 0) return null
  return (
    <section className={styles.screen} aria-label={t('recordings.allSeries')}>
      <h2>{t('recordings.allSeries')}</h2>
      <RowList label={t('recordings.allSeries')}>
        {data.map((series) => (
          <Row key={series.id} title={series.title} notes={seriesNotes(series, t)}>
            <Button
              aria-label={t('recordings.seriesStopOf', { title: series.title })}
              isPending={removing.isPending}
              onPress={() => void removing.mutateAsync(series)}
            >
              {t('recordings.seriesStop')}
            </Button>
          </Row>
        ))}
      </RowList>
    </section>
  )
}

/** Returns how a series is recorded, in words. */
function seriesNotes({ episodes, channel, keepLast, isFull }: SeriesRecording, t: TFunction): string[] {
  const which = t(`recordings.episodes-${episodes}`)
  return [
    channel === null ? t('recordings.onAny', { which }) : t('recordings.on', { which, channel }),
    ...(keepLast === null ? [] : [t('recordings.keepLast', { count: keepLast })]),
    ...(isFull ? [t('recordings.seriesIsFull')] : []),
  ]
}

/** The used and the available recording time (A6-10). Empty for an account without any. */
function QuotaLine() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...quotaQuery, retry: false })
  if (data === undefined) return null
  const { consumed, available, planned } = data.npvr
  const text = (milliseconds: number) => secondsText(milliseconds / 1000, t)
  return (
    <p className={styles.quota}>
      <meter min={0} max={available} value={consumed + planned} aria-label={t('recordings.space')} />
      <span>
        {t(planned > 0 ? 'recordings.quotaPlanned' : 'recordings.quota', {
          consumed: text(consumed),
          planned: text(planned),
          available: text(available),
        })}
      </span>
    </p>
  )
}

function RecordingRow({ recording }: { recording: Recording }) {
  const { t } = useTranslation()
  const now = useNow()
  const place = usePlace()
  const { title, subtitle, channel, startutc, endutc, duration, season, episode } = recording
  const name =
    season !== null && episode !== null ? `${title} · ${t('meta.episode', { season, episode })}` : title
  const when = `${channel} · ${whenText(startutc, endutc, now, place, t)} · ${secondsText(duration, t)}`
  const notes = [subtitle, when, stateText(recording, now, place, t)].filter((note) => note !== '')
  return (
    <Row title={name} notes={notes}>
      <RowActions recording={recording} />
    </Row>
  )
}

/** Returns the state of a recording in words, with what went wrong. */
function stateText(
  { state, note, missing, next }: Recording,
  now: number,
  place: Place,
  t: TFunction,
): string {
  const recorded = recordedStateOf(state)
  const said =
    note === 'incomplete' && recorded !== 'failed'
      ? t('recordings.incomplete', { missing: lengthText(missing, t) })
      : t(note === 'dropped' ? 'recordings.dropped' : `recordings.state-${state}`)
  if (next === null) return said
  return `${said} ${t('recordings.next', { when: beginningText(next.startutc, now, place, t) })}`
}

/** The actions of a recording, by its state (A2.4-03). */
function RowActions({ recording }: { recording: Recording }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { id, title, state, position, next } = recording
  const recorded = recordedStateOf(state)
  const removing = useMutation({ mutationFn: async () => await remove(queries, recording, t) })
  const retrying = useMutation({
    mutationFn: async () => {
      const offers = await retry(queries, recording)
      if (offers !== undefined) await navigate({ href: offers })
    },
  })
  const isPlayable = recorded === 'recording' || recorded === 'recorded'
  const isBegun = position > 0 && state !== 'played'
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
      {next !== null && (
        <Button
          aria-label={t('recordings.retryOf', { title })}
          isPending={retrying.isPending}
          onPress={() => void retrying.mutateAsync()}
        >
          {t('recordings.retry')}
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

/** Returns the path that plays a recording from its beginning, or from where the profile stopped. */
function recordingPath(id: number, from: 'start' | 'last'): string {
  return `${pathOf('player')}?recording=${id}${from === 'start' ? '&t=0' : ''}`
}
