import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from '../../../api/environment.ts'
import { browserTimeZone } from '../../../words/place.tsx'

/**
 * Returns the time zone of days outside of components: in the browser its own zone, on the server the zone of
 * the request.
 */
export const zoneOfPage = createIsomorphicFn()
  .server(() => environment().timeZone)
  .client(() => browserTimeZone())
