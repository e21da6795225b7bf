import { setStatus } from '../api/status.ts'
import type { ClosedScreen } from './closed-screens.ts'
import { NotAvailablePage } from './not-available-page.tsx'
import { type RouterContext, routeHead } from './route-head.ts'

/** Returns the route options of a screen that is not available yet: a plain page with its own title, not indexed, with status 501. */
export function notAvailable(name: ClosedScreen) {
  return {
    loader: () => {
      setStatus(501)
    },
    head: ({ match }: { match: { context: RouterContext; pathname: string } }) => {
      const { t } = match.context.words
      return routeHead(match.context, {
        title: t(`notAvailable.${name}`),
        description: t('notAvailable.text'),
        path: match.pathname,
        unlisted: true,
      })
    },
    component: () => <NotAvailablePage name={name} />,
  }
}
