import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configurationQuery } from './configuration-query.ts'
import { ConfigurationContext } from './use-configuration.ts'

/** Gives the configuration to everything below, error pages included. */
export function ConfigurationProvider({ children }: { children: ReactNode }) {
  // The root route waits for it; here it is only watched.
  const { data } = useQuery({ ...configurationQuery, enabled: false })
  return <ConfigurationContext value={data?.configuration}>{children}</ConfigurationContext>
}
