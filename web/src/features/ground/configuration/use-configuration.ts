import type { Configuration } from '@ondine/contract/configuration'
import { createContext, use } from 'react'
import type { ConfigurationState } from '../../../api/page-context.ts'

/** Provided by `ConfigurationProvider`. */
export const ConfigurationContext = createContext<ConfigurationState | undefined>(undefined)

/**
 * Returns the configuration of the storefront (V1-01). The component renders again when an operator changes the
 * configuration.
 */
export function useConfiguration(): Configuration {
  return useConfigurationState().configuration
}

/**
 * Returns the newest revision of a document of the operators, such as `words-fra`. A query with this number in its
 * key is fetched again when an operator changes the document.
 */
export function useRevision(document: string): number {
  return useConfigurationState().revisions[document] ?? 0
}

function useConfigurationState(): ConfigurationState {
  const state = use(ConfigurationContext)
  if (state === undefined) throw new Error('No ConfigurationContext above this component')
  return state
}
