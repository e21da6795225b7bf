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
  const state = use(ConfigurationContext)
  if (state === undefined) throw new Error('No ConfigurationContext above this component')
  return state.configuration
}
