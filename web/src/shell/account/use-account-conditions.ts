import { isChild, useSession } from '../../features/accounts/session.ts'
import { useConfiguration } from '../../features/configuration/use-configuration.ts'
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
