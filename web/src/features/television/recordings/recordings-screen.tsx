import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { LiveIcon } from '../../../design/icons/icons.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { QuotaBar } from './quota-bar.tsx'
import { RecordingList } from './recording-list.tsx'
import { changesUntil, isScheduled, recordingsQuery, refreshRecordings } from './recordings-query.ts'
import styles from './recordings-screen.module.css'
import { SeriesPart } from './series-part.tsx'

/** The completed recordings (A2.1-30), or the planned and running ones (A2.1-31), with the recording time of the account. */
export function RecordingsScreen({ shows }: { shows: 'completed' | 'scheduled' }) {
  const { t } = useTranslation()
  const title = t(
    shows === 'completed' ? 'library.library-completed-records' : 'library.library-scheduled-records',
  )
  useChangesOfState()
  return (
    <div className={styles.screen}>
      <ScreenTitle>{title}</ScreenTitle>
      <QuotaBar />
      {shows === 'scheduled' && <SeriesPart />}
      <QueryPart
        name={title}
        query={recordingsQuery}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {({ records }) => {
          const shown = records.filter((recording) => isScheduled(recording) === (shows === 'scheduled'))
          return shown.length === 0 ? (
            <EmptyNote icon={<LiveIcon />} text={t(`recordings.${shows}Empty`)}>
              <ButtonLink to={pathOf('epg')}>{t('recordings.goGuide')}</ButtonLink>
            </EmptyNote>
          ) : (
            <RecordingList label={title} shows={shows} recordings={shown} />
          )
        }}
      </QueryPart>
    </div>
  )
}

/** Fetches the recordings again when one of them begins, when its programme has ended, and until it has ended itself. */
function useChangesOfState(): void {
  const queries = useQueryClient()
  const now = useNow()
  const { data } = useQuery(recordingsQuery)
  const changed = changesUntil(data?.records ?? [], now)
  const before = useRef(changed)
  useEffect(() => {
    if (before.current === changed) return
    before.current = changed
    void refreshRecordings(queries)
  }, [queries, changed])
}
