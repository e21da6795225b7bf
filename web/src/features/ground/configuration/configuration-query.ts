import type { Configuration } from '@ondine/contract/configuration'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { environment } from '../../../api/environment.ts'
import { inTime } from '../../../api/in-time.ts'
import type { ConfigurationState } from '../../../api/page-context.ts'

/** Time after which the first bytes of a file of the configuration must have arrived, in milliseconds. */
const PATIENCE_MS = 15_000

/**
 * The configuration of the storefront. A page from the server contains it (`router.tsx`). The browser fetches it only
 * if no server rendered the page.
 */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'] as const,
  queryFn: async (): Promise<ConfigurationState> => {
    const state = await fetchNewer(undefined)
    if (!state) throw unreachable(NO_ANSWER, 'revisions')
    return state
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Requests the configuration if an operator has changed anything since `known` (V7-31).
 *
 * @returns the current configuration; undefined if `known` is current
 * @throws ApiError when there is no answer
 */
export async function fetchNewer(
  known: ConfigurationState | undefined,
): Promise<ConfigurationState | undefined> {
  const answer = await fetchFile('revisions')
  const revisions: Record<string, number> = await answer.json()
  const tag = answer.headers.get('etag') ?? ''
  if (known?.tag === tag) return undefined
  if (known && known.revisions.configuration === revisions.configuration) return { ...known, revisions, tag }
  const configuration: Configuration = await (await fetchFile('configuration')).json()
  return { configuration, revisions, tag }
}

async function fetchFile(name: string): Promise<Response> {
  // The browser's HTTP cache sends the entity tag. If this code set the header, Chromium would report each answer
  // 304 as an aborted request.
  const answer = await inTime(fetch(addressOf(name), { cache: 'no-cache' }), PATIENCE_MS)
  if (answer.ok) return answer
  throw unreachable(answer.status, name)
}

function addressOf(name: string): string {
  return `/configuration/${encodeURIComponent(environment().identityKey)}/data/${name}.json`
}

function unreachable(status: number, name: string): ApiError {
  const message = 'The configuration is unreachable'
  return new ApiError({ code: NO_ANSWER, status, message, endpoint: addressOf(name) })
}

/**
 * Returns the configuration for code outside of components: guards, loaders and heads. Such code runs only after
 * the configuration was fetched.
 */
export function configurationOf(queryClient: QueryClient): Configuration {
  const state = queryClient.getQueryData(configurationQuery.queryKey)
  if (!state) throw new Error('The configuration is not loaded yet')
  return state.configuration
}
