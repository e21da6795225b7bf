import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from '../../api/environment.ts'
import { browserTimeZone } from '../../words/place.tsx'

/** The zone that days are counted in where no component asks: the browser's own, or what the server knows of it. */
export const zoneOfPage = createIsomorphicFn()
  .server(() => environment().timeZone)
  .client(() => browserTimeZone())
