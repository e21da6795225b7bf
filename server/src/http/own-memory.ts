/**
 * Copies a long-lived text into a buffer with its own memory. `Buffer.from` puts small texts into shared slabs of
 * 64 kB (`Buffer.poolSize`), so that one long-lived text would hold a whole slab in memory.
 */
export function inOwnMemory(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
