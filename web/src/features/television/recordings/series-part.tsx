import type { SeriesRecording } from '@ondine/contract/recordings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Row, RowList } from '../../../design/lists/row-list.tsx'
import { seriesQuery } from './recordings-query.ts'
import styles from './recordings-screen.module.css'
import { changeSeries, removeSeries } from './series.ts'

/**
 * The series that the profile records, each with its rule, which can be changed. Renders nothing without series.
 */
export function SeriesPart() {
  const { t } = useTranslation()
  const { data = [] } = useQuery(seriesQuery)
  if (data.length === 0) return null
  return (
    <section className={styles.part} aria-label={t('recordings.allSeries')}>
      <h2 className={styles.heading}>{t('recordings.allSeries')}</h2>
      <RowList label={t('recordings.allSeries')}>
        {data.map((series) => (
          <Row key={series.id} id={`series-${series.id}`} title={series.title} notes={seriesNotes(series, t)}>
            <SeriesActions series={series} />
          </Row>
        ))}
      </RowList>
    </section>
  )
}

function SeriesActions({ series }: { series: SeriesRecording }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const changing = useMutation({ mutationFn: async () => await changeSeries(queries, series, t) })
  const removing = useMutation({ mutationFn: async () => await removeSeries(queries, series, t) })
  const { title } = series
  return (
    <>
      <Button
        aria-label={t('recordings.seriesChangeOf', { title })}
        isPending={changing.isPending}
        onPress={() => void changing.mutateAsync()}
      >
        {t('recordings.seriesChange')}
      </Button>
      <Button
        aria-label={t('recordings.seriesStopOf', { title })}
        isPending={removing.isPending}
        onPress={() => void removing.mutateAsync()}
      >
        {t('recordings.seriesStop')}
      </Button>
    </>
  )
}

/** Describes the rule by which a series is recorded. */
function seriesNotes({ episodes, channel, keepLast, isFull }: SeriesRecording, t: TFunction): string[] {
  const which = t(`recordings.episodes-${episodes}`)
  return [
    channel === null ? t('recordings.onAny', { which }) : t('recordings.on', { which, channel }),
    ...(keepLast === null ? [] : [t('recordings.keepLast', { count: keepLast })]),
    ...(isFull ? [t('recordings.seriesIsFull')] : []),
  ]
}
