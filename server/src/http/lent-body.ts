/** The body of one answer, in memory that later answers use again. */
export interface LentBody {
  body: Buffer
  /** To be called once nothing reads the body any more: it will be another answer's. */
  giveBack(): void
}

/** Memory comes in multiples of this, so that pages of nearly the same size have the same, in bytes. */
const STEP = 64 * 1024

/** Most buffers that wait to be used again. More are made when more answers are on their way at once. */
const MOST_FREE = 16

/** What was given back last is taken first. */
const FREE: Buffer[] = []

/**
 * Pieces as one body. Memory outside the heap that comes and goes with each answer would have the whole heap searched several
 * times a second; so it is lent.
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
