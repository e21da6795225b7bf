import * as calls from '@ondine/contract/recordings'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import { listShown } from './list-shown.ts'
import { presentSeries } from './recordings.presenter.ts'
import type { RecordingsWanted } from './recordings.repository.ts'
import * as recordings from './recordings.service.ts'
import { findSeries, findSeriesRecordings, type Series } from './series-recordings.repository.ts'
import { changeSeries, recordSeries, removeSeries, restoreSeries } from './series-recordings.service.ts'

/** Registers the calls of network recording, except for their playback. */
export function registerRecordings(
  on: On,
  context: Pick<Context, 'viewers'>,
  parts: recordings.RecordingParts,
): void {
  on(calls.createRecording, async (wanted, call) => {
    const viewer = await context.viewers.of(call, call.now)
    const { id } = await recordings.schedule(parts, viewer, ownerOf(call), wanted, call.now)
    return await shown(call, id)
  })

  on(calls.listRecordings, async (_input, call) => {
    const records = await list(call, { profileId: call.profile.id })
    return { count: records.length, records }
  })

  on(calls.readRecording, async ({ id }, call) => await shown(call, id))

  on(calls.changeRecording, async (wanted, call) => {
    const viewer = await context.viewers.of(call, call.now)
    await recordings.change(parts, viewer, ownerOf(call), wanted, call.now)
    return await shown(call, wanted.id)
  })

  on(calls.removeRecording, async (wanted, call) => {
    const viewer = await context.viewers.of(call, call.now)
    return { outcome: await recordings.remove(parts, viewer, ownerOf(call), wanted, call.now) }
  })

  on(calls.restoreRecording, async ({ id }, call) => {
    const viewer = await context.viewers.of(call, call.now)
    await recordings.restore(parts, viewer, ownerOf(call), id, call.now)
    return await shown(call, id)
  })

  on(calls.readQuota, async (_input, call) => {
    const viewer = await context.viewers.of(call, call.now)
    const { consumed, available, planned, running } = await recordings.quotaOf(
      call.db,
      viewer,
      call.account.id,
      call.now,
    )
    return {
      npvr: {
        consumed: Math.round(consumed),
        available,
        planned: Math.round(planned),
        running: Math.round(running),
      },
    }
  })

  on(calls.createSeriesRecording, async (input, call) => {
    const { idEvent, idChannel, episodes, anyChannel, keepLast = null } = input
    const viewer = await context.viewers.of(call, call.now)
    const wanted = { idEvent, idChannel, episodes, channelId: anyChannel ? null : idChannel, keepLast }
    return await shownSeries(call, await recordSeries(parts, viewer, ownerOf(call), wanted, call.now))
  })

  on(calls.changeSeriesRecording, async ({ id, keepLast = null, ...rule }, call) => {
    await changeSeries(parts, ownerOf(call), id, { ...rule, keepLast }, call.now)
    return await shownSeries(call, id)
  })

  on(calls.listSeriesRecordings, async ({ idEvent }, call) => {
    if (idEvent === undefined) return await listSeries(call)
    const series = await findSeries(call.db, idEvent)
    return series ? await listSeries(call, series) : []
  })

  on(calls.removeSeriesRecording, async ({ id }, call) => {
    await removeSeries(parts, ownerOf(call), id, call.now)
    return null
  })

  on(calls.restoreSeriesRecording, async ({ id }, call) => {
    await restoreSeries(parts, ownerOf(call), id, call.now)
    return await shownSeries(call, id)
  })

  async function shown(call: Call<'profile'>, id: number): Promise<calls.Recording> {
    const [found] = await list(call, { profileId: call.profile.id, id })
    if (!found) throw new ServiceError('notFound')
    return found
  }

  async function list(call: Call<'profile'>, wanted: RecordingsWanted): Promise<calls.Recording[]> {
    const { language, now } = call
    return await listShown(parts, wanted, { viewer: await context.viewers.of(call, now), language, now })
  }
}

async function shownSeries(call: Call<'profile'>, id: number): Promise<calls.SeriesRecording> {
  const found = (await listSeries(call)).find((each) => each.id === id)
  if (!found) throw new ServiceError('notFound')
  return found
}

async function listSeries(
  { db, profile, language }: Call<'profile'>,
  series?: Series,
): Promise<calls.SeriesRecording[]> {
  const rows = await findSeriesRecordings(db, profile.id, series)
  return rows
    .map((row) => presentSeries(row, language))
    .toSorted((one, other) => one.title.localeCompare(other.title))
}

function ownerOf({ account, profile }: Call<'profile'>): recordings.Owner {
  return { accountId: account.id, profileId: profile.id }
}
