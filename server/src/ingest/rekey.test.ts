import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { folderSegments } from '../segments/folder-segments.ts'
import { LiveTrackSet } from './live/live-track-set.ts'
import { initSegment, mediaSegment } from './live/segment-boxes.ts'
import { ENCODINGS, liveCuts } from './live/test-live-cuts.ts'
import { rekeyInit, rekeySegment } from './rekey.ts'
import { temporaryFolder } from './test-media.ts'

const iv = randomBytes(16)
const [from, to] = [
  { keyId: randomBytes(16), key: randomBytes(16) },
  { keyId: randomBytes(16), key: randomBytes(16) },
]
const liveKeyOf = ({ keyId, key }: typeof from) => ({ keyId, key: createSecretKey(key), iv })
const box = (type: string, payload: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(payload.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, payload])
}
/** A `trak` box of sound, with only the boxes that an init segment needs. */
const trak = box(
  'mdia',
  box('minf', box('stbl', box('stsd', Buffer.concat([Buffer.alloc(8), box('mp4a', Buffer.alloc(28))])))),
)
const initOf = (key: typeof from) => initSegment({ trak, kind: 'audio', timescale: 48_000 }, { ...key, iv })
const samples = [100, 16, 15, 0, 333].map((size) => randomBytes(size))
const segmentOf = (key: typeof from) =>
  mediaSegment(
    1,
    0,
    samples.map((data) => ({
      duration: 1024,
      offset: 0,
      isSync: true,
      data,
    })),
    liveKeyOf(key),
  )

it('a segment with another key is the one that was encrypted with that key', () => {
  expect(rekeyInit(initOf(from), { from, to })).toEqual(initOf(to))
  expect(rekeySegment(segmentOf(from), initOf(from), { from, to })).toEqual(segmentOf(to))
})

it.each([
  ['without protection', Buffer.alloc(0)],
  ['cut off', initOf(from).subarray(0, 100)],
])('an init segment %s is refused', (_what, init) => {
  expect(() => rekeySegment(segmentOf(from), init, { from, to })).toThrow(RangeError)
})

it('a segment that ends too early is refused', () => {
  const whole = segmentOf(from)
  expect(() => rekeySegment(whole.subarray(0, whole.length - 200), initOf(from), { from, to })).toThrow(
    RangeError,
  )
})

it.each(Object.keys(ENCODINGS))(
  'a live input with another key is the one that was encrypted with that key, with %s',
  { timeout: 120_000 },
  async (name) => {
    await using folder = await temporaryFolder()
    const { cuts } = await liveCuts(folder.path, ENCODINGS[name] ?? [])
    const store = folderSegments(folder.path)
    const [source, wanted] = [from, to].map(
      (key) => new LiveTrackSet(store, randomBytes(16).toString('hex'), liveKeyOf(key)),
    )
    if (!source || !wanted) throw new Error('There are two keys.')
    for (const set of [source, wanted]) for (const cut of cuts) await set.append(cut, async () => undefined)
    const { renditions } = source.document
    expect(renditions.map(({ kind }) => kind)).toEqual(['video', 'audio'])
    for (const { id } of renditions) {
      const fileOf = async (set: LiveTrackSet, file: string): Promise<Buffer> => {
        const bytes = await store.read({ trackSet: set.id, rendition: id, name: file })
        if (!bytes) throw new Error(`The file ${id}/${file} is missing.`)
        return bytes
      }
      const init = await fileOf(source, 'init.mp4')
      expect(rekeyInit(init, { from, to }).equals(await fileOf(wanted, 'init.mp4'))).toBe(true)
      for (const file of ['1.m4s', '2.m4s', '3.m4s']) {
        const [segment, expected] = [await fileOf(source, file), await fileOf(wanted, file)]
        expect(segment.equals(expected)).toBe(false)
        expect(rekeySegment(segment, init, { from, to }).equals(expected)).toBe(true)
      }
    }
  },
)
