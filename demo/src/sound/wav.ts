import { SAMPLE_RATE, type Stereo } from './stereo.ts'

/** Returns a WAV file of 16-bit samples. */
export function wavFile({ left, right }: Stereo): Buffer {
  const file = Buffer.alloc(44 + left.length * 4)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + left.length * 4, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(SAMPLE_RATE, 24)
  file.writeUInt32LE(SAMPLE_RATE * 4, 28)
  file.writeUInt16LE(4, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(left.length * 4, 40)
  const samples = new Int16Array(file.buffer, file.byteOffset + 44, left.length * 2)
  for (let at = 0; at < left.length; at++) {
    samples[at * 2] = toInt16(left[at]!)
    samples[at * 2 + 1] = toInt16(right[at]!)
  }
  return file
}

function toInt16(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767)))
}
