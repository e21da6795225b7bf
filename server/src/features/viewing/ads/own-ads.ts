import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { fetchOutside, OutboundError, type OutboundOptions } from '../../../outbound/fetch-outside.ts'
import { joinInside } from '../../../paths.ts'

/** Scheme of files in the library's folder, for an operator without an ad server. */
const OWN = 'library:'

/** Returns whether an address is a file in the library's folder. */
export function isOwn(address: string): boolean {
  return address.startsWith(OWN)
}

/**
 * Opens a document or a video: a file in the library's folder, or an address outside through the checked outbound path.
 *
 * @returns the content, in pieces
 * @throws OutboundError; for a file in the library also PathError, URIError and the errors of the file system
 */
export async function openAd(
  address: string,
  { libraryFolder, ...options }: OutboundOptions & { libraryFolder: string },
): Promise<AsyncIterable<Buffer>> {
  if (!isOwn(address)) return (await fetchOutside(address, options)).body
  const named = joinInside(libraryFolder, decodeURIComponent(address.slice(OWN.length)))
  // A symbolic link may lead out of the library.
  const [folder, real] = await Promise.all([realpath(libraryFolder), realpath(named)])
  const path = joinInside(folder, relative(folder, real))
  if ((await stat(path)).size > options.maxBytes)
    throw new OutboundError('too-large', `The file has more than ${options.maxBytes} bytes.`)
  return createReadStream(path)
}
