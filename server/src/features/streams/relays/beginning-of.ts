/** Body whose beginning has been read. */
interface Begun {
  begin: Buffer
  /** The whole body, including its beginning. */
  body: AsyncIterable<Buffer>
  /** Closes the body without reading it. */
  close(): Promise<void>
}

/**
 * Reads the beginning of a body. For a body that is not text, which its first byte shows, it waits for one chunk only.
 *
 * @param most bytes to read of a text
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
 * Whether the first byte can begin a text. Boxes of MP4 begin with a length, and packets of MPEG-2 with a `G`; no
 * playlist or XML does.
 */
function mayBeText(first: Buffer | undefined): boolean {
  const byte = first?.[0]
  return byte === undefined || (byte !== 0x47 && byte !== 0)
}
