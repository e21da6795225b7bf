import { importProgress } from '@ondine/contract/imports'
import type { OutputOf } from '@ondine/contract/operation'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'

/** How far the library has come. */
export type ImportProgress = OutputOf<typeof importProgress>

/** How often it is asked for while films arrive, in milliseconds. */
const EVERY = 2000

/** The arriving library, or null when nobody can say. Asked for again only while something arrives. */
export const importProgressQuery = queryOptions({
  queryKey: [importProgress.name] as const,
  queryFn: async (): Promise<ImportProgress | null> => {
    try {
      return await call(importProgress, {})
    } catch (error) {
      // The page is as good without it.
      if (error instanceof ApiError) return null
      throw error
    }
  },
  refetchInterval: ({ state }) => (state.data?.running === true ? EVERY : false),
})
