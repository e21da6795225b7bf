import type { Configuration } from '@ondine/contract/configuration'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, NO_ANSWER } from '../../api/api-error.ts'
import { environment } from '../../api/environment.ts'
import type { ConfigurationState } from '../../api/page-context.ts'

/**
 * The configuration of the storefront. A page brings it along (`router.tsx`), so that the browser asks for it only where
 * no server made the page.
 */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'] as const,
  queryFn: async (): Promise<ConfigurationState> => {
    const state = await fetchConfiguration('')
    if (!state) throw new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: 'No configuration' })
    return state
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Asks for the configuration unless it is the one with `tag` (V7-31).
 *
 * @throws ApiError when no configuration came
 */
export async function fetchConfiguration(tag: string): Promise<ConfigurationState | undefined> {
  const key = encodeURIComponent(environment().identityKey)
  const answer = await fetch(`/configuration/${key}/data/configuration.json`, {
    cache: tag === '' ? 'no-cache' : 'no-store',
    headers: tag === '' ? {} : { 'if-none-match': tag },
  })
  if (answer.status === 304) return undefined
  if (!answer.ok) {
    throw new ApiError({
      code: NO_ANSWER,
      status: answer.status,
      message: 'The configuration is unreachable',
    })
  }
  const configuration: Configuration = await answer.json()
  return { tag: answer.headers.get('etag') ?? '', configuration }
}

/** The configuration where no component asks: in guards, loaders and heads. It is there before the first of them runs. */
export function configurationOf(queryClient: QueryClient): Configuration {
  const state = queryClient.getQueryData(configurationQuery.queryKey)
  if (!state) throw new Error('The configuration was asked for before it came')
  return state.configuration
}
