import type { Programme } from '@ondine/contract/entities'
import {
  createSeriesRecording,
  type RecordedEpisodes,
  removeSeriesRecording,
  type SeriesRecording,
} from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { notify } from '../../ground/notices/notice.ts'
import { offeringMore } from './record.ts'
import { refreshRecordings, seriesQuery } from './recordings-query.ts'

/** The choices of how a series is recorded. */
const CHOICES = [
  { key: 'recordings.newHere', episodes: 'new', anyChannel: false },
  { key: 'recordings.allHere', episodes: 'all', anyChannel: false },
  { key: 'recordings.newAnywhere', episodes: 'new', anyChannel: true },
  { key: 'recordings.allAnywhere', episodes: 'all', anyChannel: true },
] as const satisfies { key: string; episodes: RecordedEpisodes; anyChannel: boolean }[]

/** Returns whether a programme is an episode: it has a number, or the name of a series beside its own title. */
export function isEpisode({ direct_metadata }: Pick<Programme, 'direct_metadata'>): boolean {
  return direct_metadata.AD_SERIESEP !== undefined || direct_metadata.AD_SURTITLE !== undefined
}

/**
 * Asks which episodes of a programme's series to record, and records them.
 *
 * @returns the path of the offers, if the viewer wants more recording time (A2.4-04)
 * @throws ApiError
 */
export async function recordSeries(
  queries: QueryClient,
  { id, id_channel, title, image }: Pick<Programme, 'id' | 'id_channel' | 'title' | 'image'>,
  t: TFunction,
): Promise<string | undefined> {
  const chosen = await modal.open('actions', {
    itemContent: { title, image },
    title,
    actions: CHOICES.map(({ key }) => ({ text: t(key), icon: 'record' as const })),
  })
  const choice = chosen === null ? undefined : CHOICES[chosen]
  if (choice === undefined) return undefined
  const { episodes, anyChannel } = choice
  return await offeringMore(async () => {
    const input = { idEvent: id, idChannel: id_channel, episodes, anyChannel, keepLast: undefined }
    const { isFull } = await call(createSeriesRecording, input)
    await refreshSeries(queries)
    notify({ text: t(isFull ? 'recordings.seriesFull' : 'recordings.seriesRecorded', { title }) })
  })
}

/**
 * Records a series no longer.
 *
 * @throws ApiError
 */
export async function removeSeries(
  queries: QueryClient,
  { id, title }: Pick<SeriesRecording, 'id' | 'title'>,
  t: TFunction,
): Promise<void> {
  await call(removeSeriesRecording, { id })
  await refreshSeries(queries)
  notify({ text: t('recordings.seriesRemoved', { title }) })
}

async function refreshSeries(queries: QueryClient): Promise<void> {
  await Promise.all([
    refreshRecordings(queries),
    queries.invalidateQueries({ queryKey: seriesQuery.queryKey }),
  ])
}
