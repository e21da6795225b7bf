import type { Configuration } from '@ondine/contract/configuration'
import { createContext, use } from 'react'

/** Provided by `ConfigurationProvider`. */
export const ConfigurationContext = createContext<Configuration | undefined>(undefined)

/** The remote configuration of the storefront (V1-01). What shows it is drawn anew when an operator changes it. */
export function useConfiguration(): Configuration {
  const configuration = use(ConfigurationContext)
  if (configuration === undefined) throw new Error('Nothing above has a configuration')
  return configuration
}
