/** Reads the bytes of a source, by count or by chunk. */
export interface ByteInput {
  /** Number of bytes taken so far. */
  position(): number
  /** Returns the next bytes without taking them; fewer than `count` only at the end. */
  peek(count: number): Promise<Buffer>
  /** Takes the next bytes; fewer than `count` only at the end. */
  take(count: number): Promise<Buffer>
  /** Takes the next available chunk; undefined at the end. */
  chunk(): Promise<Buffer | undefined>
  /** Puts back bytes that were taken last and not used. */
  putBack(bytes: Buffer): void
}

export function createByteInput(source: AsyncIterator<Buffer>): ByteInput {
  let waiting: Buffer = Buffer.alloc(0)
  let position = 0

  async function next(): Promise<Buffer | undefined> {
    for (;;) {
      const { done, value } = await source.next()
      if (done) return undefined
      if (value.length > 0) return value
    }
  }

  async function peek(count: number): Promise<Buffer> {
    while (waiting.length < count) {
      const more = await next()
      if (!more) break
      waiting = waiting.length === 0 ? more : Buffer.concat([waiting, more])
    }
    return waiting.subarray(0, count)
  }

  function took(bytes: Buffer): Buffer {
    waiting = waiting.subarray(bytes.length)
    position += bytes.length
    return bytes
  }

  return {
    position: () => position,
    peek,
    take: async (count) => took(await peek(count)),
    chunk: async () => {
      if (waiting.length === 0) waiting = (await next()) ?? waiting
      return waiting.length === 0 ? undefined : took(waiting)
    },
    putBack: (bytes) => {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([bytes, waiting])
      position -= bytes.length
    },
  }
}
