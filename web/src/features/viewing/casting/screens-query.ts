import { listScreens } from '@ondine/contract/casting'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/**
 * The screens of the account, as a profile sees them. A child's profile sees only the content that it has cast, so each
 * profile has its own answer.
 */
export function screensQuery(idProfile: number | undefined) {
  return queryOptions({
    queryKey: [listScreens.name, {}, idProfile],
    queryFn: async () => await call(listScreens, {}),
    retry: false,
  })
}
