import type { ProgramResult } from './kept-program.ts'

/** A message of the keeper: a piece of output, or the end of the program. */
export type Frame =
  | {
      kind: 'piece'
      /** ffmpeg's file descriptor for this output. */
      descriptor: number
      number: number
      /** Time since the piece was complete, in milliseconds. */
      ageMs: number
      bytes: Buffer
    }
  | { kind: 'end'; result: ProgramResult }

/** Bytes of the header: descriptor, number, age and length, each an unsigned 32-bit integer. */
const HEADER_BYTES = 16
/** Descriptor of the frame that contains the program's result. */
const END = 0

/** Writes a frame. */
export function writeFrame(frame: Frame): Buffer {
  const { descriptor, number, ageMs, bytes } =
    frame.kind === 'piece'
      ? frame
      : { descriptor: END, number: 0, ageMs: 0, bytes: Buffer.from(JSON.stringify(frame.result)) }
  const header = Buffer.alloc(HEADER_BYTES)
  for (const [place, value] of [descriptor, number, Math.round(ageMs), bytes.length].entries())
    header.writeUInt32BE(value, place * 4)
  return Buffer.concat([header, bytes])
}

/** Reads frames as they arrive, in chunks of any size. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0
  /** Number of bytes that complete the next header or frame. */
  #needed = HEADER_BYTES

  /** Returns the frames that `chunk` completes. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const frames: Frame[] = []
    while (this.#length >= this.#needed) {
      const all = Buffer.concat(this.#chunks)
      this.#needed = HEADER_BYTES + all.readUInt32BE(12)
      this.#chunks = [all]
      if (all.length < this.#needed) break
      frames.push(readFrame(all.subarray(0, this.#needed)))
      const rest = all.subarray(this.#needed)
      this.#chunks = [rest]
      this.#length = rest.length
      this.#needed = HEADER_BYTES
    }
    return frames
  }
}

function readFrame(frame: Buffer): Frame {
  const descriptor = frame.readUInt32BE(0)
  const bytes = frame.subarray(HEADER_BYTES)
  // `writeFrame` wrote the frame in the keeper, so the cast is safe.
  if (descriptor === END) return { kind: 'end', result: JSON.parse(bytes.toString()) as ProgramResult }
  return { kind: 'piece', descriptor, number: frame.readUInt32BE(4), ageMs: frame.readUInt32BE(8), bytes }
}
