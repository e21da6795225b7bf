import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from '../../../api/environment.ts'
import { browserTimeZone } from '../../../words/place.tsx'

/**
 * Returns the time zone in which days begin and end, for use outside of components. In the browser it is the browser's
 * own zone, on the server that of the request.
 */
export const zoneOfPage = createIsomorphicFn()
  .server(() => environment().timeZone)
  .client(() => browserTimeZone())
