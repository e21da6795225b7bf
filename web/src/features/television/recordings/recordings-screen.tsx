import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { LiveIcon } from '../../../design/icons/icons.tsx'
import { useKeptFocus } from '../../../design/lists/use-kept-focus.ts'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { QuotaBar } from './quota-bar.tsx'
import { useChangesOfState } from './recorded-programmes.ts'
import { RecordingList } from './recording-list.tsx'
import { isScheduled, recordingsQuery } from './recordings-query.ts'
import styles from './recordings-screen.module.css'
import { SeriesPart } from './series-part.tsx'

/**
 * The completed recordings (A2.1-30), or the recordings that are planned or in progress (A2.1-31), and the recording
 * time of the account.
 */
export function RecordingsScreen({ shows }: { shows: 'completed' | 'scheduled' }) {
  const { t } = useTranslation()
  const title = t(
    shows === 'completed' ? 'library.library-completed-records' : 'library.library-scheduled-records',
  )
  const { epgGridConfiguration } = useConfiguration().guide
  const screen = useRef<HTMLDivElement>(null)
  useChangesOfState()
  useKeptFocus(screen)
  return (
    <div ref={screen} className={styles.screen}>
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
              {epgGridConfiguration.pageActivation ? (
                <ButtonLink to={pathOf('epg')}>{t('recordings.goGuide')}</ButtonLink>
              ) : (
                <ButtonLink to={pathOf('live')}>{t('favourites.goLive')}</ButtonLink>
              )}
            </EmptyNote>
          ) : (
            <RecordingList label={title} shows={shows} recordings={shown} />
          )
        }}
      </QueryPart>
    </div>
  )
}
