import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { SummaryStepScreen } from '../features/viewing/registration/summary-step.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/register/summary')({
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('register.summaryTitle'),
      description: t('register.summaryLead'),
      path: pathOf('register-summary'),
      unlisted: true,
    })
  },
  component: SummaryStepScreen,
})
