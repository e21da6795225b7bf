import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { isChild, useSession } from '../../features/ground/session/session.ts'
import type { AccountConditions } from './account-entries.ts'

/** Returns the conditions of the account menus for the current viewer. */
export function useAccountConditions(): AccountConditions {
  const configuration = useConfiguration()
  const session = useSession()
  return {
    configuration,
    isDefaultProfile: session.profile?.default === true,
    isChild: isChild(session),
  }
}
