import type { Configuration } from '@ondine/contract/configuration'
import { createContext, use } from 'react'
import type { ConfigurationState } from '../../api/page-context.ts'

/** Provided by `ConfigurationProvider`. */
export const ConfigurationContext = createContext<ConfigurationState | undefined>(undefined)

/** The remote configuration of the storefront (V1-01). What shows it is drawn anew when an operator changes it. */
export function useConfiguration(): Configuration {
  return useConfigurationState().configuration
}

/**
 * The newest revision of another document that operators change (`words-fra`, say): put it into the key of a query, and the
 * page follows that document too.
 */
export function useRevision(document: string): number {
  return useConfigurationState().revisions[document] ?? 0
}

function useConfigurationState(): ConfigurationState {
  const state = use(ConfigurationContext)
  if (state === undefined) throw new Error('Nothing above has a configuration')
  return state
}
