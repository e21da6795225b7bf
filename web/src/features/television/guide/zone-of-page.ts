import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from '../../../api/environment.ts'
import { browserTimeZone } from '../../../words/place.tsx'

/** Returns the time zone of days outside of components: the browser's own, or on the server the one of the request. */
export const zoneOfPage = createIsomorphicFn()
  .server(() => environment().timeZone)
  .client(() => browserTimeZone())
