// A provider's query often contains the operator's password or a signed token. Viewers get the query encrypted, as
// `?s=`. After it, a `v=` for each place of a DASH template contains the value that the player fills in.

/**
 * An identifier of a DASH template (ISO/IEC 23009-1, 5.3.9.4.4), as written or with its `%` encoded by a URL parser.
 */
const TEMPLATE = /\$(?:RepresentationID|Number|Time|Bandwidth|SubNumber)(?:%(?:25)?0\d+d)?\$/g
/** Marks a place in a sealed query that a player fills in. Queries never contain a raw line break. */
const PLACE = '\n'

/**
 * Directives that a player adds to the address of a playlist (RFC 8216bis, 6.2.5). They request a later version of
 * the playlist, or a delta update.
 */
const DIRECTIVE = /^_HLS_(?:msn|part|skip)=(?:\d{1,15}|YES|v2)$/

/**
 * Seals a query. @param query with its question mark; may be empty
 * @param seal encrypts a text
 * @returns the query that viewers see, with its question mark; empty if `query` is empty
 */
export function sealQuery(query: string, seal: (text: string) => string): string {
  if (query.length <= 1) return ''
  const values = query.slice(1).match(TEMPLATE) ?? []
  const sealed = `s=${seal(query.slice(1).replaceAll(TEMPLATE, PLACE))}`
  return `?${[sealed, ...values.map((each) => `v=${each.replace('%25', '%')}`)].join('&')}`
}

/**
 * Restores the provider's query from the query of a player. Only directives of low-latency HLS are taken from the
 * player unchanged.
 *
 * @param asked query of the player, without its question mark
 * @returns the provider's query, without a question mark; undefined if this service did not seal the query
 */
export function openQuery(asked: string, open: (sealed: string) => string | undefined): string | undefined {
  const parts = asked.split('&')
  const directives = parts.filter((part) => DIRECTIVE.test(part))
  const sealed = parts.find((part) => part.startsWith('s='))?.slice(2)
  if (sealed === undefined) return directives.join('&')
  const values = parts.filter((part) => part.startsWith('v=')).map((part) => part.slice(2))
  const pieces = open(sealed)?.split(PLACE)
  if (pieces === undefined || pieces.length !== values.length + 1) return undefined
  const query = pieces.map((piece, index) => piece + (values[index] ?? '')).join('')
  return [query, ...directives].join('&')
}
