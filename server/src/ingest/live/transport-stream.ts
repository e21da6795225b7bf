/** Length of a packet of MPEG-TS in bytes, and its first byte (ISO/IEC 13818-1, 2.4.3.2). */
const PACKET_BYTES = 188
const SYNC_BYTE = 0x47
/** Number of consecutive packets that identify an MPEG-TS stream. */
const PACKETS = 3

/** Number of bytes that {@link isTransportStream} needs. */
export const SNIFFED_TRANSPORT_BYTES = PACKETS * PACKET_BYTES

/** Returns whether bytes are MPEG-TS. The bytes may begin in the middle of a packet. */
export function isTransportStream(bytes: Buffer): boolean {
  if (bytes.length < SNIFFED_TRANSPORT_BYTES) return false
  return Array.from({ length: PACKET_BYTES }, (_, at) => at).some((at) =>
    Array.from({ length: PACKETS }, (_, packet) => bytes[at + packet * PACKET_BYTES]).every(
      (byte) => byte === SYNC_BYTE,
    ),
  )
}
