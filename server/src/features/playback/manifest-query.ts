import { ServiceError } from '../../http/errors.ts'

/** What a client asks of its manifests by their query (docs/players.md). */
export interface ManifestQuery {
  /** The DASH manifest names the address of the licence (spec decision 48), and its addresses of the service are absolute. */
  laurl: boolean
  /** HLS playlists name keys for Clear Key by EME, as hls.js wants them, in place of keys that a player fetches itself. */
  clearKey: boolean
}

/**
 * Reads the query of a manifest. Unknown names are left alone: players add their own, such as CMCD.
 *
 * @throws ServiceError invalidInput
 */
export function readManifestQuery(query: Readonly<Record<string, unknown>>): ManifestQuery {
  return {
    laurl: pick(query, 'laurl', '0', '1'),
    clearKey: pick(query, 'keyformat', 'identity', 'clearkey'),
  }
}

/** The query that playlists name each other with, so that a client has to ask once only. */
export function playlistQuery({ clearKey }: ManifestQuery): string {
  return clearKey ? '?keyformat=clearkey' : ''
}

function pick(query: Readonly<Record<string, unknown>>, name: string, usual: string, other: string): boolean {
  const value = query[name] ?? usual
  if (value !== usual && value !== other) {
    throw new ServiceError('invalidInput', {
      fields: [{ field: name, message: `must be "${usual}" or "${other}"` }],
    })
  }
  return value === other
}
