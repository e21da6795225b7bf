import { describe, expect, it } from 'vitest'
import { readAmf, writeAmf } from './amf.ts'
import { ChunkReader, type RtmpMessage, writeChunks } from './chunks.ts'

const BODY = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256))

function header(format: number, id: number, fields: readonly number[]): Buffer {
  return Buffer.from([(format << 6) | id, ...fields])
}

/** Header of format 0: a message of type 9 on stream 1. */
const FIRST = (time: readonly number[], length: number) =>
  header(0, 4, [...time, 0, length >> 8, length & 255, 9, 1, 0, 0, 0])

function read(bytes: Buffer, mostBytes = 1000): RtmpMessage[] {
  return new ChunkReader(mostBytes).push(bytes)
}

describe('the reader of chunks', () => {
  it('returns the same messages, however the bytes arrive', () => {
    const bytes = Buffer.concat([
      writeChunks(3, { type: 20, streamId: 0, body: BODY }),
      writeChunks(4, { type: 8, streamId: 1, body: Buffer.alloc(0) }),
      writeChunks(4, { type: 9, streamId: 1, body: BODY.subarray(0, 128) }),
    ])
    const whole = read(bytes)
    expect(whole.map(({ type, body }) => [type, body.length])).toEqual([
      [20, 300],
      [8, 0],
      [9, 128],
    ])
    expect(whole[0]?.body).toEqual(BODY)
    for (const size of [1, 7, 129]) {
      const reader = new ChunkReader(1000)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(whole)
    }
  })

  it('completes shorter headers from the previous header, and adds their times', () => {
    const one = Buffer.from([1])
    const messages = read(
      Buffer.concat([
        FIRST([0, 0, 100], 1),
        one,
        header(1, 4, [0, 0, 40, 0, 0, 1, 8]),
        one,
        header(2, 4, [0, 0, 20]),
        one,
        header(3, 4, []),
        one,
      ]),
    )
    expect(messages.map(({ type, streamId, timestamp }) => [type, streamId, timestamp])).toEqual([
      [9, 1, 100],
      [8, 1, 140],
      [8, 1, 160],
      [8, 1, 180],
    ])
  })

  it('reads extended timestamps, also in the chunks that continue a message', () => {
    const extended = Buffer.from([1, 0, 0, 5])
    const [message] = read(
      Buffer.concat([
        FIRST([255, 255, 255], 200),
        extended,
        BODY.subarray(0, 128),
        header(3, 4, []),
        extended,
        BODY.subarray(128, 200),
      ]),
    )
    expect(message).toMatchObject({ timestamp: 0x01_00_00_05, body: BODY.subarray(0, 200) })
  })

  it('takes larger chunks after their size was set, and forgets a message that is aborted', () => {
    const size = Buffer.from([0, 0, 1, 0])
    const messages = read(
      Buffer.concat([
        writeChunks(2, { type: 1, streamId: 0, body: size }),
        FIRST([0, 0, 0], 300),
        BODY.subarray(0, 256),
        writeChunks(2, { type: 2, streamId: 0, body: Buffer.from([0, 0, 0, 4]) }),
        FIRST([0, 0, 0], 256),
        BODY.subarray(0, 256),
      ]),
    )
    expect(messages.map(({ body }) => body.length)).toEqual([256])
  })

  it.each([
    ['a message that is too long', FIRST([0, 0, 0], 1001), /too long/],
    [
      'chunks that are too small',
      writeChunks(2, { type: 1, streamId: 0, body: Buffer.from([0, 0, 0, 1]) }),
      /small/,
    ],
    ['a stream without a header', header(3, 9, []), /no header/],
    [
      'a message within a message',
      Buffer.concat([FIRST([0, 0, 0], 200), BODY.subarray(0, 128), FIRST([0, 0, 0], 200)]),
      /within another/,
    ],
    [
      'too many streams',
      Buffer.concat(
        Array.from({ length: 40 }, (_, index) =>
          writeChunks(3 + index, { type: 8, streamId: 1, body: BODY }),
        ),
      ),
      /too many/,
    ],
    ['a size that is cut off', writeChunks(2, { type: 1, streamId: 0, body: Buffer.from([1]) }), /cut off/],
  ])('refuses %s', (_what, bytes, reason) => {
    expect(() => read(bytes)).toThrow(reason)
  })
})

describe('AMF0', () => {
  it('reads values as they were written', () => {
    const values = ['connect', 1, { app: 'live', deep: { on: true, none: null } }, [1, 'two'], false]
    expect(readAmf(writeAmf(values))).toEqual(values)
  })

  it.each([
    ['a text that is cut off', Buffer.from([2, 0, 9, 97]), /cut off/],
    ['an object without its end', writeAmf([{ app: 'live' }]).subarray(0, -1), /cut off/],
    ['an unknown type', Buffer.from([42]), /type 42/],
    ['an array that is longer than the message', Buffer.from([10, 255, 255, 255, 255]), /cut off/],
    [
      'a thousand levels',
      Buffer.from(Array.from({ length: 5000 }, (_, at) => [10, 0, 0, 0, 1][at % 5] ?? 0)),
      /levels/,
    ],
  ])('refuses %s', (_what, bytes, reason) => {
    expect(() => readAmf(bytes)).toThrow(reason)
  })
})
