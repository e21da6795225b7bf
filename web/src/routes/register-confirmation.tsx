import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { ConfirmationStepScreen } from '../features/viewing/registration/confirmation-step.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/register/confirmation')({
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('register.confirmationTitle'),
      description: t('register.lead'),
      path: pathOf('register-confirmation'),
      unlisted: true,
    })
  },
  component: ConfirmationStepScreen,
})
