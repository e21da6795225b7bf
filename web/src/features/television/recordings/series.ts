import type { Channel, Programme } from '@ondine/contract/entities'
import {
  changeSeriesRecording,
  createSeriesRecording,
  removeSeriesRecording,
  restoreSeriesRecording,
  type SeriesRecording,
} from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import type { SeriesRuleChoice } from '../../../modals/modal-kinds.ts'
import { secondsText } from '../../../words/format.ts'
import { notify } from '../../ground/notices/notice.ts'
import { offeringMore, refreshing } from './record.ts'
import { knownTime } from './recording-time.ts'
import { quotaQuery, seriesOfQuery, seriesQuery } from './recordings-query.ts'

/** The initial rule of the dialog. By default, no recording is deleted. */
const DEFAULT_RULE: SeriesRuleChoice = { episodes: 'new', anyChannel: false, keepLast: null }

/**
 * Returns whether a programme is an episode: it has a number, or the name of a series besides its own title. In a guide
 * without numbers, the subtitle of a programme is the title of its episode. A title of the library has its numbers in the
 * library, so its subtitle says nothing.
 */
export function isEpisode({
  idAsset,
  subtitle,
  direct_metadata,
}: Pick<Programme, 'idAsset' | 'subtitle' | 'direct_metadata'>): boolean {
  const { AD_SERIESEA, AD_SERIESEP, AD_SURTITLE } = direct_metadata
  if ((AD_SERIESEP ?? AD_SURTITLE) !== undefined) return true
  return idAsset === null && (AD_SERIESEA !== undefined || subtitle !== '')
}

/** Returns the recording of a series that covers the channel of a programme. */
export function ruleFor(
  ofSeries: readonly SeriesRecording[],
  { id_channel }: Pick<Programme, 'id_channel'>,
): SeriesRecording | undefined {
  return ofSeries.find(({ idChannel }) => idChannel === null || idChannel === id_channel)
}

/**
 * Asks how to record the series of a programme, and records it. The rule may replace rules for other channels.
 *
 * @returns the path of the offers, if the viewer wants more recording time (A2.4-04)
 * @throws ApiError
 */
export async function recordSeries(
  queries: QueryClient,
  { id, id_channel, title }: Pick<Programme, 'id' | 'id_channel' | 'title'>,
  channel: Pick<Channel, 'name'>,
  t: TFunction,
): Promise<string | undefined> {
  const rule = await modal.open('recordSeries', {
    description: await describe(queries, title, t),
    rule: DEFAULT_RULE,
    channel: channel.name,
    isRecorded: false,
  })
  if (rule === null || rule === 'end') return undefined
  const ofSeries = await queries.fetchQuery({ ...seriesOfQuery({ id }), staleTime: 0 })
  const recorded = {
    recorded: ruleFor(ofSeries, { id_channel })?.recorded ?? 0,
    recordedOnAny: ofSeries[0]?.recordedOnAny ?? 0,
  }
  if (!(await mayDelete(title, rule, recorded, t))) return undefined
  return await offeringMore(queries, t, async () => {
    const { isFull } = await refreshing(queries, async () => {
      return await call(createSeriesRecording, { idEvent: id, idChannel: id_channel, ...inputOf(rule) })
    })
    notify({ text: t(isFull ? 'recordings.seriesFull' : 'recordings.seriesRecorded', { title }) })
  })
}

/**
 * Tells the viewer that an episode is recorded, and offers to record its series. Does nothing for other programmes, and if
 * the series is recorded already.
 *
 * @param follow opens the path of the offers, as {@link recordSeries} returns it
 * @throws ApiError
 */
export async function offerSeries(
  queries: QueryClient,
  programme: Pick<Programme, 'id' | 'id_channel' | 'title'> & Parameters<typeof isEpisode>[0],
  channel: Pick<Channel, 'name'>,
  t: TFunction,
  follow: (offers: string) => Promise<void>,
): Promise<void> {
  if (!isEpisode(programme)) return
  const ofSeries = await queries.fetchQuery({ ...seriesOfQuery(programme), staleTime: 0 })
  if (ruleFor(ofSeries, programme) !== undefined) return
  notify({
    text: t('recordings.episodeRecorded', { title: programme.title }),
    offer: {
      text: t('recordings.series'),
      act: async () => {
        const offers = await recordSeries(queries, programme, channel, t)
        if (offers !== undefined) await follow(offers)
      },
    },
  })
}

/**
 * Asks for a new rule for the recordings of a series, and changes the rule or ends the recordings.
 *
 * @throws ApiError
 */
export async function changeSeries(
  queries: QueryClient,
  series: SeriesRecording,
  t: TFunction,
): Promise<void> {
  const { id, title, episodes, idChannel, channel, keepLast } = series
  const rule = await modal.open('recordSeries', {
    description: await describe(queries, title, t),
    rule: { episodes, anyChannel: idChannel === null, keepLast },
    channel,
    isRecorded: true,
  })
  if (rule === null) return
  if (rule === 'end') return await removeSeries(queries, series, t)
  const all = await queries.fetchQuery({ ...seriesQuery, staleTime: 0 })
  if (!(await mayDelete(title, rule, all.find((each) => each.id === id) ?? series, t))) return
  const { isFull } = await refreshing(queries, async () => {
    return await call(changeSeriesRecording, { id, ...inputOf(rule) })
  })
  notify({ text: t(isFull ? 'recordings.seriesFull' : 'recordings.seriesChanged', { title }) })
}

/**
 * If a rule keeps fewer recordings of a series than there are, asks whether the oldest ones may be deleted. Their
 * deletion cannot be undone.
 *
 * @returns whether the rule may be saved
 */
async function mayDelete(
  title: string,
  { anyChannel, keepLast }: SeriesRuleChoice,
  { recorded, recordedOnAny }: Pick<SeriesRecording, 'recorded' | 'recordedOnAny'>,
  t: TFunction,
): Promise<boolean> {
  const count = keepLast === null ? 0 : (anyChannel ? recordedOnAny : recorded) - keepLast
  if (count <= 0) return true
  return await modal.open('confirm', {
    title: t('recordings.seriesDeletesTitle', { count }),
    description: t('recordings.seriesDeletes', { count, title }),
    primaryLabel: t('recordings.seriesDeletesGo'),
  })
}

/**
 * Ends the recording of a series, and offers undo.
 *
 * @throws ApiError
 */
export async function removeSeries(
  queries: QueryClient,
  { id, title }: Pick<SeriesRecording, 'id' | 'title'>,
  t: TFunction,
): Promise<void> {
  await refreshing(queries, async () => await call(removeSeriesRecording, { id }))
  notify({
    text: t('recordings.seriesRemoved', { title }),
    offer: {
      text: t('recordings.undo'),
      act: async () => {
        await refreshing(queries, async () => await call(restoreSeriesRecording, { id }))
      },
    },
  })
}

/** Returns the description of the dialog: the series, and the remaining recording time, if it can be fetched. */
async function describe(queries: QueryClient, title: string, t: TFunction): Promise<string> {
  await queries.prefetchQuery(quotaQuery)
  const time = knownTime(queries.getQueryData(quotaQuery.queryKey))
  if (time === undefined) return title
  const texts = { left: secondsText(time.left, t), available: secondsText(time.available, t) }
  return `${title} · ${t('recordings.leftAfter', texts)}`
}

function inputOf({ episodes, anyChannel, keepLast }: SeriesRuleChoice) {
  return { episodes, anyChannel, keepLast: keepLast ?? undefined }
}
