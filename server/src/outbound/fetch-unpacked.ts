import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { fetchOutside, type OutboundAnswer, OutboundError, type OutboundOptions } from './fetch-outside.ts'

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * Fetches an address as {@link fetchOutside} does. Requests an uncompressed body, and decompresses the body if the
 * server compresses it nevertheless. `maxBytes` limits it before and after decompression. The headers then lack the
 * encoding and the length.
 *
 * @throws OutboundError also for a compression that is not known, and for a part of a compressed body.
 */
export async function fetchUnpacked(address: string, options: OutboundOptions): Promise<OutboundAnswer> {
  const answer = await fetchOutside(address, {
    ...options,
    headers: { 'accept-encoding': 'identity', ...options.headers },
  })
  const { 'content-encoding': given, ...headers } = answer.headers
  const encoding = String(given ?? 'identity')
    .trim()
    .toLowerCase()
  if (encoding === 'identity') return { ...answer, headers }
  const unpacker = UNPACKERS.get(encoding)?.()
  if (!unpacker || answer.status === 206) {
    answer.close()
    throw new OutboundError('unreachable', `The address answers with the encoding ${encoding}.`)
  }
  return {
    ...answer,
    headers: { ...headers, 'content-length': undefined },
    body: unpacked(answer.body, unpacker, options.maxBytes),
  }
}

async function* unpacked(
  body: AsyncIterable<Buffer>,
  unpacker: Transform,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  // The callback is required. The loop receives each error, because the pipeline destroys the unpacker with it.
  pipeline(Readable.from(body, { objectMode: false }), unpacker, () => undefined)
  let bytes = 0
  try {
    for await (const chunk of unpacker) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new OutboundError('too-large', `The address gives more than ${maxBytes} bytes.`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OutboundError('unreachable', 'The body cannot be decompressed.', { cause: error })
  }
}
