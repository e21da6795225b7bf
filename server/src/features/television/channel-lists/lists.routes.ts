import {
  addChannelList,
  changeChannelList,
  channelListRuns,
  listChannelLists,
  removeChannelList,
  runChannelList,
} from '@ondine/contract/import-calls'
import { channelList } from '@ondine/contract/import-sources'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { type ImportRun, listRuns, presentRun } from '../guide-import/import-runs.service.ts'
import { changedBy, faultsIn, present, requireAddress } from '../guide-import/import-sources.service.ts'
import * as lists from './channel-lists.service.ts'

/** Registers the operators' calls for channel lists. */
export function registerLists(on: On, context: Context): void {
  const { db } = context
  const find = async (id: number) => present(await lists.findChannelListById(context, id))

  on(listChannelLists, async () => (await lists.listChannelLists(context)).map(presentList))

  on(addChannelList, async ({ list }) => {
    requireAddress('list', list.location)
    const row = await faultsIn('list', async () => await lists.addChannelList(context, list))
    if (!row) throw new ServiceError('conflict')
    return presentList({ ...row, run: null })
  })

  on(changeChannelList, async ({ id, changes }) => {
    const known = lists.describedList(await find(id))
    const wanted = changedBy(channelList, known, changes)
    if (wanted.location !== known.location) requireAddress('changes', wanted.location)
    const row = await faultsIn('changes', async () => await lists.changeChannelList(context, id, wanted))
    const { runs } = await listRuns(db, { listId: id }, { offset: 0, limit: 1 })
    return presentList({ ...row, run: runs[0] ?? null })
  })

  on(removeChannelList, async ({ id, withRecordings }) => {
    const { name } = await find(id)
    const { recorded, events } = await lists.countOfList(db, name)
    if (!withRecordings && recorded + events > 0) throw new ServiceError('conflict')
    await lists.removeChannelList(context, name)
    return null
  })

  on(runChannelList, async ({ id }) => {
    await lists.requestListImport(context, (await find(id)).name)
    return { queued: true as const }
  })

  on(channelListRuns, async ({ id, ...page }) => {
    await find(id)
    const { total, runs } = await listRuns(db, { listId: id }, page)
    return { total, runs: runs.map(presentRun) }
  })
}

function presentList(row: lists.ListRow & { run: ImportRun | null }) {
  return { ...lists.describedList(row), id: row.id, run: row.run && presentRun(row.run) }
}
