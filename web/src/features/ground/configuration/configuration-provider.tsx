import type { Configuration } from '@ondine/contract/configuration'
import { LAYOUT } from '@ondine/contract/constants'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { ConfigurationState } from '../../../api/page-context.ts'
import { ImageHeights } from '../../../design/pictures/picture.tsx'
import { menusQuery } from '../menus/menus-query.ts'
import { configurationQuery, fetchNewer } from './configuration-query.ts'
import { followChanges } from './follow-changes.ts'
import { ConfigurationContext } from './use-configuration.ts'

/**
 * Sections of the configuration on which the service's answers depend. A change of any other section, such as a
 * colour, causes no calls.
 */
const ANSWERED_FROM = ['accounts', 'catalogue', 'home', 'live', 'offers'] as const

/** Calls whose answers depend on {@link ANSWERED_FROM}. */
const ANSWERS: ReadonlySet<unknown> = new Set([
  'contentData',
  'hierarchy',
  'homeContent',
  'listContent',
  'session',
])

function isAnsweredAnew(before: Configuration | undefined, next: Configuration): boolean {
  return ANSWERED_FROM.some((name) => JSON.stringify(before?.[name]) !== JSON.stringify(next[name]))
}

/** Provides the configuration to its children, including error pages, and updates it when an operator changes it. */
export function ConfigurationProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  // The root route has already fetched the configuration, so this hook only observes the query.
  const { data } = useQuery({ ...configurationQuery, enabled: false })

  useEffect(() => {
    const { queryKey } = configurationQuery
    return followChanges({
      known: () => queryClient.getQueryData(queryKey),
      ask: fetchNewer,
      changed: (next: ConfigurationState, before) => {
        queryClient.setQueryData(queryKey, next)
        if (before?.revisions.menus !== next.revisions.menus)
          void queryClient.invalidateQueries({ queryKey: menusQuery.queryKey })
        if (before?.revisions.configuration === next.revisions.configuration) return
        if (isAnsweredAnew(before?.configuration, next.configuration))
          void queryClient.invalidateQueries({ predicate: (query) => ANSWERS.has(query.queryKey[0]) })
        // Guards, heads and loaders read the configuration too, so they run again.
        void router.invalidate()
      },
    })
  }, [queryClient, router])

  const configured = data?.configuration.catalogue.imageHeights
  const heights = useMemo(
    () => [...new Set(configured ?? LAYOUT.imageHeights)].sort((a, b) => a - b),
    [configured],
  )
  return (
    <ConfigurationContext value={data}>
      <ImageHeights value={heights}>{children}</ImageHeights>
    </ConfigurationContext>
  )
}
