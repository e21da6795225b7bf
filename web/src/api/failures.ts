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
