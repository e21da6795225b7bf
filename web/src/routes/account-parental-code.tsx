import { createFileRoute } from '@tanstack/react-router'
import { FormSkeleton } from '../design/form-skeleton.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { parentalCodeQuery } from '../features/parental/parental-code-query.ts'
import { ParentalCodeScreen } from '../features/parental/parental-code-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/parental-code')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(parentalCodeQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('parentalCode.title'),
      description: '',
      path: pathOf('account-parental-code'),
      unlisted: true,
    }),
  component: ParentalCodeScreen,
  pendingComponent: FormSkeleton,
})
