import { createFileRoute } from '@tanstack/react-router'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { parentalCodeQuery } from '../features/people/parental/parental-code-query.ts'
import { ParentalCodeScreen } from '../features/viewing/accounts/parental-code-screen.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/parental-code')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(parentalCodeQuery),
  head: ({ match }) => unlistedHead(match, 'parentalCode.title'),
  component: ParentalCodeScreen,
  pendingComponent: FormSkeleton,
})
