import type { Channel, Programme } from '@ondine/contract/entities'
import { recordedStateOf } from '@ondine/contract/recording-states'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { channelAction } from '../../content/catalogue/playing.ts'
import type { CardAction } from '../../content/catalogue/programme-menu.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { record, remove } from './record.ts'
import { knownTime, timeLeftText } from './recording-time.ts'
import { canContinue, quotaQuery, recordingsQuery, seriesOfQuery } from './recordings-query.ts'
import { changeSeries, isEpisode, recordSeries, ruleFor } from './series.ts'

/**
 * Returns the actions of a card's menu that record a programme or its series, or that cancel or stop its
 * recording. Empty if the viewer may not record the programme. If the recordings cannot be fetched, returns one
 * disabled action that says so.
 *
 * @throws ApiError
 */
export async function recordingActions(router: AnyRouter, programme: Programme): Promise<CardAction[]> {
  const { queryClient, t } = pageOf(router)
  const [session, channels] = await Promise.all([
    queryClient.ensureQueryData(sessionQuery),
    queryClient.ensureQueryData(channelsQuery),
  ])
  const channel = channels.find(({ idChannel }) => idChannel === programme.id_channel)
  if (!programme.npvrEnabled || channel?.item.allowRecording !== true) return []
  if (channelAction(channel, session, channel.detailRoute, t).kind !== 'play') return []
  try {
    const actions = await Promise.all([
      programmeAction(router, programme),
      isEpisode(programme) ? seriesAction(router, programme, channel) : [],
    ])
    return actions.flat()
  } catch (error) {
    // The other actions of the menu work without the recordings.
    reportFault(error)
    const text = t('recordings.button-none')
    return [
      { text, note: t('recordings.unavailable'), icon: 'record', isDisabled: true, act: async () => {} },
    ]
  }
}

/** Returns the action for a programme. Empty for a finished recording. */
async function programmeAction(router: AnyRouter, programme: Programme): Promise<CardAction[]> {
  const { queryClient, t } = pageOf(router)
  const { title } = programme
  const { records } = await queryClient.fetchQuery(recordingsQuery)
  const recording = records.find(({ idEvent }) => idEvent === programme.id)
  if (recording === undefined || canContinue(recording, serviceNow() / 1000, programme.endutc)) {
    // If the recording time cannot be fetched, the menu opens without it.
    await queryClient.prefetchQuery(quotaQuery)
    const time = knownTime(queryClient.getQueryData(quotaQuery.queryKey))
    return [
      {
        text: t('recordings.recordOf', { title }),
        ...(time && { note: timeLeftText(time, programme, recording, t) }),
        icon: 'record',
        act: async () => await follow(router, await record(queryClient, programme, t)),
      },
    ]
  }
  const state = recordedStateOf(recording.state)
  if (state !== 'planned' && state !== 'recording') return []
  return [
    {
      text: t(`recordings.removeOf-${state}`, { title }),
      icon: 'record',
      act: async () => await remove(queryClient, recording, t),
    },
  ]
}

/** Returns the action for the series of a programme. */
async function seriesAction(
  router: AnyRouter,
  programme: Programme,
  channel: Channel,
): Promise<CardAction[]> {
  const { queryClient, t } = pageOf(router)
  const recorded = ruleFor(await queryClient.fetchQuery(seriesOfQuery(programme)), programme)
  return [
    recorded === undefined
      ? {
          text: t('recordings.series'),
          icon: 'record',
          act: async () => await follow(router, await recordSeries(queryClient, programme, channel, t)),
        }
      : {
          text: t('recordings.seriesChangeOf', { title: recorded.title }),
          icon: 'record',
          act: async () => await changeSeries(queryClient, recorded, t),
        },
  ]
}

/** Returns the query client and the texts of the page. The type of a router does not contain its context. */
function pageOf(router: AnyRouter): { queryClient: QueryClient; t: TFunction } {
  const { queryClient, words } = router.options.context
  return { queryClient, t: words.t }
}

/** Opens the offers, if the viewer wants to see them. */
async function follow(router: AnyRouter, offers: string | undefined): Promise<void> {
  if (offers !== undefined) await router.navigate({ href: offers })
}
