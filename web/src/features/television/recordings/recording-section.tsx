import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Grid } from '../../../design/lists/grid.tsx'
import { CardSection, type OtherCards } from '../../content/collection/card-section.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { RecordingCard, type RecordingCards } from './recording-card.tsx'
import { recordingsQuery } from './recordings-query.ts'

/** Returns the section of a screen with the recordings in progress, or with the favourite recordings. */
export function useRecordingSection(list: RecordingCards): OtherCards {
  const { data } = useQuery(recordingsQuery)
  return {
    section: <Recordings list={list} />,
    isEmpty: data !== undefined && listed(data.records, list).length === 0,
  }
}

function Recordings({ list }: { list: RecordingCards }) {
  const { t } = useTranslation()
  const title = t('favourites.recordings')
  return (
    <QueryPart name={title} query={recordingsQuery} waiting={null}>
      {({ records }) => {
        const shown = listed(records, list)
        return (
          shown.length > 0 && (
            <CardSection name="listed-recordings" title={title}>
              <Grid layout="Cover">
                {shown.map((recording) => (
                  <RecordingCard key={recording.id} recording={recording} layout="Cover" list={list} />
                ))}
              </Grid>
            </CardSection>
          )
        )
      }}
    </QueryPart>
  )
}

/**
 * Returns the recordings of a list: those in progress, the most recently watched first, or the favourites that can be
 * played, the latest programme first.
 */
export function listed(recordings: readonly Recording[], list: RecordingCards): Recording[] {
  if (list === 'begun')
    return recordings
      .filter(({ isBegun }) => isBegun)
      .toSorted((one, other) => (other.watchedAt ?? 0) - (one.watchedAt ?? 0))
  return recordings.filter(
    ({ isFavorite, state }) =>
      isFavorite && (recordedStateOf(state) === 'recording' || recordedStateOf(state) === 'recorded'),
  )
}
