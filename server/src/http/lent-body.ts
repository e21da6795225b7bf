/** The body of one answer, in pooled memory that later answers reuse. */
export interface LentBody {
  body: Buffer
  /** Returns the memory to the pool. The caller must not read the body afterwards. */
  giveBack(): void
}

/** Buffers are allocated in multiples of this, in bytes, so that pages of similar size can reuse each other's buffers. */
const STEP = 64 * 1024

/** Maximum number of free buffers in the pool. More buffers exist while more answers are being sent at once. */
const MOST_FREE = 16

/** Free buffers. The last one returned is taken first. */
const FREE: Buffer[] = []

/**
 * Joins pieces into one pooled body. Allocating memory outside the heap for each answer would trigger full garbage collections several
 * times a second, so buffers are pooled.
 */
export function lendJoined(pieces: readonly { bytes: Uint8Array }[]): LentBody {
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const memory = memoryFor(size)
  let end = 0
  for (const { bytes } of pieces) {
    memory.set(bytes, end)
    end += bytes.length
  }
  let lent = true
  return {
    body: memory.subarray(0, size),
    giveBack: () => {
      if (!lent) return
      lent = false
      FREE.push(memory)
      if (FREE.length > MOST_FREE) FREE.shift()
    },
  }
}

function memoryFor(size: number): Buffer {
  const at = FREE.findLastIndex(({ length }) => length >= size)
  const [known] = at < 0 ? [] : FREE.splice(at, 1)
  return known ?? Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP)
}
