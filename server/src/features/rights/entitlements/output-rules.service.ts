import type { Configuration } from '@ondine/contract/configuration'
import type { Viewer } from './entitlements.service.ts'

/** Requirements of a Widevine or FairPlay licence for the device. The decryption module enforces them. */
export type OutputRules = Configuration['protection']

/** Returns the rules of the licences of a viewer: the operator's settings for the storefront. */
export function outputRulesFor({ protection }: Pick<Viewer, 'protection'>): OutputRules {
  return protection
}
