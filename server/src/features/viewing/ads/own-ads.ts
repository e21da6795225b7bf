import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Context } from '../../../context.ts'
import { fetchOutside, OutboundError, type OutboundOptions } from '../../../outbound/fetch-outside.ts'
import { joinInside } from '../../../paths.ts'

/** Scheme of files in the library's folder, for an operator without an ad server. */
const OWN = 'library:'

/** Returns whether an address is a file in the library's folder. */
export function isOwn(address: string): boolean {
  return address.startsWith(OWN)
}

/**
 * Private addresses that the operator allows for outbound calls, and the origins to which the permission applies.
 */
export type Exceptions = Required<Pick<OutboundOptions, 'allow' | 'allowedOrigins'>>

/**
 * Returns the exceptions for addresses of advertising. They apply only to the configured ad servers. Documents of
 * ad servers contain addresses of wrappers, videos and trackers on any host. Without this limit, such a document
 * could reach every private address that the operator allows for guides and live inputs (docs/decisions/0104).
 */
export function exceptionsOf({
  configurations,
  settings,
  storefronts,
}: Pick<Context, 'configurations' | 'settings' | 'storefronts'>): Exceptions {
  const servers = storefronts.list().map(({ id }) => configurations.of(id).ads.serverUrl)
  return {
    allow: settings.OUTBOUND_ALLOW,
    allowedOrigins: servers.flatMap((address) => URL.parse(address)?.origin ?? []),
  }
}

/** Options for fetching an address that an ad server returned. */
type AdFetch = OutboundOptions & Exceptions & { libraryFolder: string }

/**
 * Opens a document or a video: a file in the library's folder, or a public address through the checked outbound
 * path.
 *
 * @returns the content, in pieces
 * @throws OutboundError; for a file in the library also PathError, URIError and the errors of the file system
 */
export async function openAd(
  address: string,
  { libraryFolder, ...options }: AdFetch,
): Promise<AsyncIterable<Buffer>> {
  if (!isOwn(address)) return (await fetchOutside(address, options)).body
  const named = joinInside(libraryFolder, decodeURIComponent(address.slice(OWN.length)))
  // Checks the real path, because a symbolic link may lead out of the library.
  const [folder, real] = await Promise.all([realpath(libraryFolder), realpath(named)])
  const path = joinInside(folder, relative(folder, real))
  if ((await stat(path)).size > options.maxBytes)
    throw new OutboundError('too-large', `The file has more than ${options.maxBytes} bytes.`)
  return createReadStream(path)
}
