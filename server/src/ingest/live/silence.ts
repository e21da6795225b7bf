/** A silent frame of AAC-LC for each number of channels (ISO/IEC 14496-3), in hexadecimal digits. */
const FRAMES: readonly string[] = [
  '00c800802380',
  '210049900219002380',
  '00c8008020840126400864008e',
  '00c800802084012640086400802c80080238',
  '00c800802084012640086400823004990021900238',
  '00c800802084012640086400823004990021900200b2002008e0',
]

/** Returns a silent frame of AAC-LC; undefined for an unusual number of channels. */
export function silentFrame(channels: number): Buffer | undefined {
  const frame = FRAMES[channels - 1]
  return frame === undefined ? undefined : Buffer.from(frame, 'hex')
}
