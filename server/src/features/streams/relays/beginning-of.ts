/** Body whose beginning has been read. */
interface Begun {
  begin: Buffer
  /** The whole body, including its beginning. */
  body: AsyncIterable<Buffer>
  /** Closes the body without reading it. */
  close(): Promise<void>
}

/**
 * Reads the beginning of a body. If the first byte shows that the body is not text, returns after one chunk.
 *
 * @param most number of bytes to read if the body may be text
 */
export async function beginningOf(body: AsyncIterable<Buffer>, most: number): Promise<Begun> {
  const iterator = body[Symbol.asyncIterator]()
  const read: Buffer[] = []
  let bytes = 0
  do {
    const next = await iterator.next()
    if (next.done === true) break
    read.push(next.value)
    bytes += next.value.length
  } while (bytes < most && mayBeText(read[0]))
  const begin = Buffer.concat(read).subarray(0, most)
  const close = async () => {
    await iterator.return?.()
  }
  const whole: AsyncIterator<Buffer> = {
    next: async () => {
      const value = read.shift()
      return value === undefined ? await iterator.next() : { value }
    },
    return: async () => {
      await close()
      return { done: true, value: undefined }
    },
  }
  return { begin, body: { [Symbol.asyncIterator]: () => whole }, close }
}

/**
 * Returns whether the first byte can begin a text. MP4 boxes begin with a length, and packets of an MPEG-2
 * transport stream with a `G`. Playlists and XML documents begin with other bytes.
 */
function mayBeText(first: Buffer | undefined): boolean {
  const byte = first?.[0]
  return byte === undefined || (byte !== 0x47 && byte !== 0)
}
