import { ServiceError } from '../../../http/errors.ts'

/** Options that a client requests by the query of its manifests (docs/players.md). */
export interface ManifestQuery {
  /**
   * Whether the DASH manifest names the address of the licence (spec 48). Its addresses of the service are
   * then absolute.
   */
  laurl: boolean
  /**
   * Whether HLS playlists name keys for Clear Key by EME, as hls.js needs them, instead of keys that a player fetches
   * itself.
   */
  clearKey: boolean
}

/**
 * Parses the query of a manifest. Unknown names are ignored: players add their own, such as CMCD.
 *
 * @throws ServiceError invalidInput
 */
export function readManifestQuery(query: Readonly<Record<string, unknown>>): ManifestQuery {
  return {
    laurl: pick(query, 'laurl', '0', '1'),
    clearKey: pick(query, 'keyformat', 'identity', 'clearkey'),
  }
}

/** Returns the query for the links between playlists, so that a client has to request it only once. */
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
