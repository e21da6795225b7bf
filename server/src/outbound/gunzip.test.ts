import { randomBytes } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createByteInput } from './byte-input.ts'
import { gunzip } from './gunzip.ts'

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Unpacked {
  text: string
  /** Position of trailing data. */
  trailing: number | undefined
}

async function unpack(bytes: Buffer, size = 65_536): Promise<Unpacked> {
  return await unpackFrom(piecesOf(bytes, size))
}

async function unpackFrom(source: AsyncGenerator<Buffer>): Promise<Unpacked> {
  let trailing: number | undefined
  const chunks: Buffer[] = []
  const unpacked = gunzip(createByteInput(source), (at) => {
    trailing = at
  })
  for await (const chunk of unpacked) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString('latin1'), trailing }
}

/** Makes a member whose header has every optional field. */
function withFullHeader(text: string): Buffer {
  const plain = gzipSync(text)
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x1f, 0, 0, 0, 0, 0, 3, 3, 0, 1, 0, 2]),
    Buffer.from('guide.xml\0of tonight\0\x12\x34', 'latin1'),
    deflateRawSync(text),
    plain.subarray(-8),
  ])
}

const LONG = randomBytes(400_000).toString('latin1')
const ONE = gzipSync('one')
const GARBAGE = Buffer.from('<!-- served by a tired proxy -->')

describe('gunzip', () => {
  // Chunks end at all critical places: inside a header, at the end of a member, inside a trailer.
  it.each([1, 2, 7, ONE.length, ONE.length - 3, 1000, 65_536])(
    'decompresses input in chunks of %s bytes',
    async (size) => {
      const long = size < 100 ? LONG.slice(0, 3000) : LONG
      const members = [ONE, gzipSync(''), withFullHeader('two'), gzipSync(Buffer.from(long, 'latin1'))]
      const whole = Buffer.concat(members)
      const text = `onetwo${long}`
      expect(await unpack(whole, size)).toEqual({ text, trailing: undefined })
      expect(await unpack(Buffer.concat([whole, Buffer.alloc(3000)]), size)).toEqual({
        text,
        trailing: undefined,
      })
      expect(await unpack(Buffer.concat([whole, GARBAGE]), size)).toEqual({ text, trailing: whole.length })
      expect(await unpack(Buffer.concat([whole, Buffer.alloc(3000), GARBAGE]), size)).toEqual({
        text,
        trailing: whole.length + 3000,
      })
    },
  )

  it('reads no more trailing data than it needs', async () => {
    let asked = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (yield ONE; ; asked++) yield GARBAGE
    }
    expect(await unpackFrom(endless())).toEqual({ text: 'one', trailing: ONE.length })
    expect(asked).toBe(0)
  })

  it.each<[what: string, bytes: Buffer, reason: string]>([
    ['cut off in its header', ONE.subarray(0, 5), 'it ends in the middle, at byte 5.'],
    [
      'cut off in a text of its header',
      withFullHeader('x').subarray(0, 20),
      'it ends in the middle, at byte 20.',
    ],
    ['cut off in its content', ONE.subarray(0, 12), 'it ends in the middle, at byte 12.'],
    ['cut off in its trailer', ONE.subarray(0, -3), `it ends in the middle, at byte ${ONE.length - 3}.`],
    [
      'cut off in its second member',
      Buffer.concat([ONE, ONE.subarray(0, 12)]),
      `it ends in the middle, at byte ${ONE.length + 12}.`,
    ],
    [
      'followed by data that only begins like a member',
      Buffer.concat([ONE, Buffer.from('1f8b7f00000000000000', 'hex')]),
      `there is no known header at byte ${ONE.length}.`,
    ],
    [
      'broken in its second member',
      Buffer.concat([ONE, Buffer.from(gzipSync('two, three')).fill(0xff, 10, 16)]),
      `it cannot be read on from byte ${ONE.length + 10}.`,
    ],
    [
      'inconsistent with its checksum',
      Buffer.from(ONE).fill(0x55, ONE.length - 8, ONE.length - 4),
      `the checksum at byte ${ONE.length - 8} does not match the content.`,
    ],
    [
      'inconsistent with its length',
      Buffer.from(ONE).fill(0x55, ONE.length - 4),
      `the checksum at byte ${ONE.length - 8} does not match the content.`,
    ],
  ])('refuses input that is %s, and says where', async (_what, bytes, reason) => {
    for (const size of [1, 65_536]) {
      const failure = unpack(bytes, size)
      // The exact position of the fault inside a chunk is unknown.
      await expect(failure).rejects.toThrow(
        reason.startsWith('it cannot') && size === 1 ? 'it cannot be read on from byte' : reason,
      )
      await expect(failure).rejects.toThrow('Its gzip stream is broken: ')
    }
  })

  it('passes on the error of a failing source', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield ONE.subarray(0, 12)
      throw new Error('hung up')
    }
    await expect(unpackFrom(failing())).rejects.toThrow('hung up')
  })

  it('refuses input with too many members', async () => {
    const pieces = Buffer.concat(Array.from({ length: 20_001 }, () => gzipSync('')))
    await expect(unpack(pieces)).rejects.toThrow('more than 20000 members')
  })
})
