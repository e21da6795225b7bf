/**
 * Writes a text that is kept for long into memory of its own. `Buffer.from` puts small texts into slabs of 64 kB
 * (`Buffer.poolSize`), and one kept text would keep its whole slab.
 */
export function inOwnMemory(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
