import {
  addGuideSource,
  changeGuideSource,
  guideSourceRuns,
  importRemarks,
  listGuideSources,
  removeGuideSource,
  runGuideSource,
} from '@ondine/contract/import-calls'
import { guideSource } from '@ondine/contract/import-sources'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import * as sources from './guide-sources.service.ts'
import { findRun, type ImportRun, listRuns, presentRun } from './import-runs.service.ts'
import { changedBy, faultsIn, present, requireAddress } from './import-sources.service.ts'

/** Registers the operators' calls for guide sources. */
export function registerGuide(on: On, context: Context): void {
  const { db } = context
  const find = async (id: number) => present(await sources.findGuideSourceById(context, id))

  on(listGuideSources, async () => (await sources.listGuideSources(context)).map(presentSource))

  on(addGuideSource, async ({ source }) => {
    requireAddress('source', source.location)
    const row = await faultsIn('source', async () => await sources.addGuideSource(context, source))
    if (!row) throw new ServiceError('conflict')
    return presentSource({ ...row, run: null })
  })

  on(changeGuideSource, async ({ id, changes }) => {
    const known = sources.describedSource(await find(id))
    const wanted = changedBy(guideSource, known, changes)
    if (wanted.location !== known.location) requireAddress('changes', wanted.location)
    const row = await faultsIn('changes', async () => await sources.putGuideSource(context, wanted))
    const { runs } = await listRuns(db, { sourceId: id }, { offset: 0, limit: 1 })
    return presentSource({ ...row, run: runs[0] ?? null })
  })

  on(removeGuideSource, async ({ id }) => {
    await sources.removeGuideSource(context, (await find(id)).name)
    return null
  })

  on(runGuideSource, async ({ id }) => {
    await sources.requestGuideImport(context, (await find(id)).name)
    return { queued: true as const }
  })

  on(guideSourceRuns, async ({ id, ...page }) => {
    await find(id)
    const { total, runs } = await listRuns(db, { sourceId: id }, page)
    return { total, runs: runs.map(presentRun) }
  })

  on(importRemarks, async ({ id, offset, limit }) => {
    const { remarks } = present(await findRun(db, id))
    return { total: remarks.length, remarks: remarks.slice(offset, offset + limit) }
  })
}

function presentSource(row: sources.GuideSourceRow & { run: ImportRun | null }) {
  return { ...sources.describedSource(row), id: row.id, run: row.run && presentRun(row.run) }
}
