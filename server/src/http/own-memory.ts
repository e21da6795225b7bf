/**
 * Copies a text that is kept for long into a separate buffer. `Buffer.from` puts small texts into shared
 * slabs of 64 kB (`Buffer.poolSize`), and one kept text would keep its whole slab in memory.
 */
export function inOwnMemory(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
