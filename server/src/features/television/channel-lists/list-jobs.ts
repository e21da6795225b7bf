import type { Context } from '../../../context.ts'
import { IMPORT_JOB } from '../guide-import/import-sources.service.ts'
import { findChannelList, IMPORT_LIST } from './channel-lists.service.ts'
import { listFailure, runList } from './lists.service.ts'

/** Starts the jobs that import channel lists, by schedule or on request. */
export async function startListJobs(context: Context): Promise<void> {
  const { jobs, log } = context
  await jobs.declare(IMPORT_LIST, IMPORT_JOB)
  await jobs.work<{ name: string }>(IMPORT_LIST, async ({ name }, signal) => {
    const list = await findChannelList(context, name)
    if (!list) return
    try {
      const {
        refused,
        mended,
        guides: _guides,
        ...counts
      } = await runList(context, list, {
        signal,
        onProgress: () => undefined,
      })
      log.info(
        { list: name, refused: refused.length, mended: mended.length, ...counts },
        'a list of channels was imported',
      )
    } catch (error) {
      const failure = listFailure(error)
      if (failure === undefined) throw error
      // Do not rethrow: an immediate retry would find the same fault. The channels are unchanged.
      log.warn({ list: name, failure }, 'a list of channels could not be imported')
    }
  })
}
