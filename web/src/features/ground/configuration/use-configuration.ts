import type { Configuration } from '@ondine/contract/configuration'
import { createContext, use } from 'react'
import type { ConfigurationState } from '../../../api/page-context.ts'

/** Provided by `ConfigurationProvider`. */
export const ConfigurationContext = createContext<ConfigurationState | undefined>(undefined)

/**
 * Returns the remote configuration of the storefront (V1-01). Components that use it render again when an
 * operator changes it.
 */
export function useConfiguration(): Configuration {
  return useConfigurationState().configuration
}

/**
 * Returns the newest revision of another document of the operators, such as `words-fra`. A query with the revision in its key follows that
 * document.
 */
export function useRevision(document: string): number {
  return useConfigurationState().revisions[document] ?? 0
}

function useConfigurationState(): ConfigurationState {
  const state = use(ConfigurationContext)
  if (state === undefined) throw new Error('No ConfigurationContext above this component')
  return state
}
