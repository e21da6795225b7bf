import { generateKeySync, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layoutOfChannel, mapOnto } from '@ondine/media/layout'
import { psshBoxes } from '@ondine/media/pssh'
import { expect, it } from 'vitest'
import { folderSegments } from '../../segments/folder-segments.ts'
import { assemble, describeStreams, frameHashes, samples, temporaryFolder } from '../test-media.ts'
import { LiveTrackSet } from './live-track-set.ts'
import { ENCODINGS, liveCuts } from './test-live-cuts.ts'

it.each(Object.keys(ENCODINGS))(
  'stores a live input that decrypts to the source, encoded with %s',
  {
    timeout: 120_000,
  },
  async (name) => {
    await using folder = await temporaryFolder()
    const { source, cuts } = await liveCuts(folder.path, ENCODINGS[name] ?? [])
    const key = {
      keyId: randomBytes(16),
      key: generateKeySync('aes', { length: 128 }),
      iv: randomBytes(16),
    }
    const set = new LiveTrackSet(folderSegments(folder.path), randomBytes(16).toString('hex'), key)
    for (const cut of cuts) await set.append(cut, async () => undefined)
    expect(cuts.length).toBe(3)
    // Neither the same segment again nor a segment of another source is a continuation.
    const [first] = cuts
    if (first) await expect(set.append(first, async () => undefined)).rejects.toThrow(RangeError)

    const { document } = set
    const [video, audio] = document.renditions
    expect(video).toMatchObject({ id: 'v180', kind: 'video', width: 320, height: 180, frameRate: 25 })
    expect(audio).toMatchObject({ kind: 'audio', channels: 2, sampleRate: 48_000, isDefault: true })
    expect(mapOnto(layoutOfChannel([document], 2), document)).toHaveProperty('v180')
    expect(await readdir(join(folder.path, set.id, 'v180'))).toEqual(
      expect.arrayContaining(['init.mp4', '1.m4s', '2.m4s', '3.m4s']),
    )

    const keyId = key.keyId.toString('hex')
    expect(document.encryption).toEqual({ keyId, iv: key.iv.toString('hex') })
    const init = await readFile(join(folder.path, set.id, 'v180', 'init.mp4'))
    for (const pssh of Object.values(psshBoxes(keyId))) expect(init.includes(Buffer.from(pssh))).toBe(true)

    const published = { trackSet: document, key: key.key.export() }
    const clear = await assemble(published as Parameters<typeof assemble>[0], folder.path, 'v180')
    const frames = await frameHashes(clear, 'v')
    expect(frames.length).toBe(150)
    expect(frames).toEqual((await frameHashes(source, 'v')).slice(0, 150))
    const sound = await assemble(published as Parameters<typeof assemble>[0], folder.path, audio?.id ?? '')
    const loud = (await samples(sound)).filter((level) => Math.abs(level) > 1000)
    expect(loud.length).toBeGreaterThan(48_000)
    expect(await describeStreams(clear, 'codec_name')).toEqual([{ codec_name: 'h264' }])
  },
)
