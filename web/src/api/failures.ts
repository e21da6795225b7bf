/** What an error of our own says that came about without an answer (V8-06, decision 23). For logs and for people who help. */
export const FAILURES = {
  noResponse: 'No response from API',
  /** Nothing was ever kept for the time without connection. */
  offlineWithoutCache: 'Offline & No cache found',
  /** Something was kept, but not this. */
  offlineNotCached: 'No cached data found and offline',
  iconsMissing: 'Cached icons missing',
  graphql: 'GraphQL request failed',
} as const
