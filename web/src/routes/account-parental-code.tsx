import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { isChildWatching } from '../features/ground/session/session.ts'
import { parentalCodeQuery } from '../features/people/parental/parental-code-query.ts'
import { accountQuery } from '../features/viewing/accounts/account-query.ts'
import { ParentalCodeScreen } from '../features/viewing/accounts/parental-code-screen.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/parental-code')({
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await Promise.all([
      queryClient.prefetchQuery(parentalCodeQuery),
      load(queryClient.ensureQueryData(accountQuery)),
    ])
  },
  head: ({ match }) => unlistedHead(match, 'parentalCode.title'),
  component: ParentalCodeScreen,
  pendingComponent: FormSkeleton,
})
