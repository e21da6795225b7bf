import type { Recording } from '@ondine/contract/recordings'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import { CloseIcon, HeartIcon } from '../../../design/icons/icons.tsx'
import { useHour } from '../../../design/time/use-hour.ts'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { usePlace } from '../../../words/place.tsx'
import { RemovableCard } from '../../content/catalogue/removable-card.tsx'
import { ResumeMark } from '../../content/catalogue/resume-mark.tsx'
import { cardKey } from '../../content/favourites/leave-card.ts'
import { whenText } from '../../ground/days/showing-when.ts'
import { nameOf } from './recording-name.ts'
import { recordingPath, resumes } from './recording-path.ts'

/** A list of cards of recordings: Continue watching, or the profile's favourites. */
export type RecordingCards = 'begun' | 'favourites'

/** The card of a recording. A press plays it, and a button removes it from the list. */
export function RecordingCard({
  recording,
  layout,
  list,
}: {
  recording: Recording
  layout: CardLayout
  list: RecordingCards
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useHour()
  const queries = useQueryClient()
  const { id, channel, startutc, endutc, synopsis, image, isBlurred, position, duration } = recording
  const title = nameOf(recording, t)
  const isResumed = resumes(recording)
  return (
    <RemovableCard
      name={cardKey({ idRecording: id })}
      remove={
        list === 'begun'
          ? {
              label: t('rail.removeBegun', { title }),
              icon: <CloseIcon />,
              act: async () => {
                const { removeBegun } = await import('../../content/favourites/begun.ts')
                await removeBegun(queries, { idRecording: id, title }, t)
              },
            }
          : {
              label: t('favourites.remove', { title }),
              icon: <HeartIcon />,
              isFilled: true,
              act: async () => {
                const { removeFavourite } = await import('./favourite-recording.ts')
                await removeFavourite(queries, { id, title }, t)
              },
            }
      }
    >
      <Card
        layout={layout}
        to={recordingPath(id, isResumed ? 'last' : 'start')}
        title={title}
        subtitle={`${channel} · ${whenText(startutc, endutc, now, place, t)}`}
        text={synopsis}
        image={isBlurred ? null : image}
        blurred={isBlurred ? t('tag.adult') : undefined}
        progress={isResumed && duration > 0 ? position / duration : undefined}
        mark={list === 'begun' && <ResumeMark />}
        untitled
      />
    </RemovableCard>
  )
}
