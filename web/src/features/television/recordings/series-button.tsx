import type { Channel, Programme } from '@ondine/contract/entities'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { RecordIcon } from '../../../design/icons/screen-icons.tsx'
import styles from './record-button.module.css'
import { useMayRecord } from './record-button.tsx'
import { seriesOfQuery } from './recordings-query.ts'
import { changeSeries, isEpisode, recordSeries, ruleFor } from './series.ts'

/** A button that records the series of a programme, or changes or ends the recording of the series. */
export function SeriesButton({ programme, channel }: { programme: Programme; channel: Channel }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isShown = useMayRecord({ programme, channel }) && isEpisode(programme)
  const { data = [], isLoading } = useQuery({ ...seriesOfQuery(programme), enabled: isShown })
  const recorded = ruleFor(data, programme)
  const ask = useMutation({
    mutationFn: async () => {
      if (recorded !== undefined) return await changeSeries(queries, recorded, t)
      const offers = await recordSeries(queries, programme, channel, t)
      if (offers !== undefined) await navigate({ href: offers })
    },
  })
  if (!isShown) return null
  return (
    <Button
      className={styles.record}
      data-state={recorded === undefined ? 'none' : 'planned'}
      isPending={ask.isPending || isLoading}
      onPress={() => void ask.mutateAsync()}
    >
      <RecordIcon />
      <RowWords>{t(recorded === undefined ? 'recordings.series' : 'recordings.seriesSet')}</RowWords>
    </Button>
  )
}
