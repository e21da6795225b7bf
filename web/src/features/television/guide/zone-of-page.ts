import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from '../../../api/environment.ts'
import { browserTimeZone } from '../../../words/place.tsx'

/**
 * Returns the time zone that defines the days of a page, for code outside of components. In the browser, this is
 * the browser's time zone. On the server, it is the time zone of the request.
 */
export const zoneOfPage = createIsomorphicFn()
  .server(() => environment().timeZone)
  .client(() => browserTimeZone())
