/** Messages of client errors that occur without an answer (V8-06, spec 23). For logs and support staff. */
export const FAILURES = {
  noResponse: 'No response from API',
  /** Nothing was ever cached for offline use. */
  offlineWithoutCache: 'Offline & No cache found',
  /** Something was cached, but not the requested data. */
  offlineNotCached: 'No cached data found and offline',
  iconsMissing: 'Cached icons missing',
  graphql: 'GraphQL request failed',
} as const

/** Rejection of a request that a native app could not answer without a connection, like the rejection of `fetch`. */
export class OfflineError extends TypeError {
  override readonly name = 'OfflineError'

  /** @param hasCache whether the app has cached any answer */
  constructor(hasCache: boolean) {
    super(hasCache ? FAILURES.offlineNotCached : FAILURES.offlineWithoutCache)
  }
}
