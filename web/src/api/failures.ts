/**
 * Messages of errors that the client raises without an answer of the service (V8-06, spec 23). For logs and
 * support staff. The specification also has 'Cached icons missing', which cannot occur: icons are part of the
 * application's code, and are neither fetched nor cached.
 */
export const FAILURES = {
  noResponse: 'No response from API',
  /** The app has no cached answers for offline use. */
  offlineWithoutCache: 'Offline & No cache found',
  /** The app has cached answers, but not the requested one. */
  offlineNotCached: 'No cached data found and offline',
  graphql: 'GraphQL request failed',
} as const

/**
 * Thrown when the native app has no connection and no cached answer to a request. A TypeError, like the error of a
 * failed `fetch`.
 */
export class OfflineError extends TypeError {
  override readonly name = 'OfflineError'

  /** @param hasCache whether the app has cached any answer */
  constructor(hasCache: boolean) {
    super(hasCache ? FAILURES.offlineNotCached : FAILURES.offlineWithoutCache)
  }
}
