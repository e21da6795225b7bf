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
    const state = await fetchNewer(undefined)
    if (!state) throw unreachable(NO_ANSWER, 'revisions')
    return state
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Asks whether an operator has changed anything since `known` (V7-31).
 *
 * @returns what holds now; undefined when that is `known`
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
  // The browser asks with the tag of what it keeps. A 304 that the page had asked for itself is reported by Chromium as an aborted
  // request, each time.
  const answer = await fetch(addressOf(name), { cache: 'no-cache' })
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

/** The configuration where no component asks: in guards, loaders and heads. It is there before the first of them runs. */
export function configurationOf(queryClient: QueryClient): Configuration {
  const state = queryClient.getQueryData(configurationQuery.queryKey)
  if (!state) throw new Error('The configuration was asked for before it came')
  return state.configuration
}
