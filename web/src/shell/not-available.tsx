import { setStatus } from '../api/status.ts'
import { NotAvailablePage } from './not-available-page.tsx'
import { type RouterContext, routeHead } from './route-head.ts'

/** The options of a screen that is not built yet: one plain page that says so, not to be indexed, with status 501. */
export function notAvailable() {
  // A new object each time: a route keeps and changes the one that it is given.
  return {
    loader: () => {
      setStatus(501)
    },
    head: ({ match }: { match: { context: RouterContext; pathname: string } }) => {
      const { t } = match.context.words
      return routeHead(match.context, {
        title: t('notAvailable.title'),
        description: t('notAvailable.text'),
        path: match.pathname,
        unlisted: true,
      })
    },
    component: NotAvailablePage,
  }
}
