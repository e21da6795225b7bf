import { isChild, useSession } from '../../features/accounts/session.ts'
import { useConfiguration } from '../../features/configuration/use-configuration.ts'
import type { AccountConditions } from './account-entries.ts'

/** What decides the menus of the account, for who looks at the page. */
export function useAccountConditions(): AccountConditions {
  const configuration = useConfiguration()
  const session = useSession()
  return {
    configuration,
    isDefaultProfile: session.profile?.default === true,
    isChild: isChild(session),
  }
}
