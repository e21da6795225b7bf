import { importProgress } from '@ondine/contract/library'
import type { OutputOf } from '@ondine/contract/operation'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'

/** The progress of the import. */
export type ImportProgress = OutputOf<typeof importProgress>

/** Polling interval during an import, in milliseconds. */
const EVERY = 2000

/** The progress of the import; null when it is unavailable. Polled only while an import is running. */
export const importProgressQuery = queryOptions({
  queryKey: [importProgress.name] as const,
  queryFn: async (): Promise<ImportProgress | null> => {
    try {
      return await call(importProgress, {})
    } catch (error) {
      // The page works without the progress, so a failed call counts as unavailable.
      if (error instanceof ApiError) return null
      throw error
    }
  },
  refetchInterval: ({ state }) => (state.data?.running === true ? EVERY : false),
})
