import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { psshBoxes } from '@ondine/media/pssh'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { folderSegments } from '../segments/folder-segments.ts'
import { commandLine } from './command-line.ts'
import { type IngestProgress, ingest } from './ingest.ts'
import { checkPublished, useWorkbench, videoLengths, videosOf } from './test-ingest.ts'
import {
  assemble,
  copyable,
  describeStreams,
  ffmpeg,
  flashAndBeep,
  frameHashes,
  packetHashes,
  picture,
  stereo,
  tone,
} from './test-media.ts'

const bench = useWorkbench()
const signal = new AbortController().signal

describe('a plain film', { timeout: 240_000 }, () => {
  it('is copied byte for byte, encrypted, with exact segments', async () => {
    const path = bench.file('plain.mp4')
    await ffmpeg([...picture(), ...tone(), ...copyable, ...stereo, path])
    const progress: IngestProgress[] = []
    const published = await ingest(
      { path, segments: folderSegments(bench.mediaRoot), encrypted: true, subtitles: [] },
      { signal, onProgress: (step) => progress.push(step) },
    )
    await checkPublished(published, bench.mediaRoot)

    expect(published.copyObstacle).toBeNull()
    expect(published.key).toHaveLength(16)
    expect(published.trackSet.encryption?.keyId).toMatch(/^[0-9a-f]{32}$/)
    expect(published.durationSeconds).toBe(10)
    const [video] = videosOf(published)
    expect(video).toMatchObject({ id: 'v180', width: 320, height: 180, frameRate: 25 })
    expect(videoLengths(published)).toEqual([4, 4, 2])
    expect(video?.codec).toMatch(/^avc1\.[0-9a-f]{6}$/)
    const audio = published.trackSet.renditions.find(({ kind }) => kind === 'audio')
    expect(audio).toMatchObject({ id: 'a-und-1', codec: 'mp4a.40.2', channels: 2, sampleRate: 48_000 })

    expect(await packetHashes(await assemble(published, bench.mediaRoot, 'v180'), 'v')).toEqual(
      await packetHashes(path, 'v'),
    )
    const sound = await packetHashes(await assemble(published, bench.mediaRoot, 'a-und-1'), 'a')
    // The source's first packet is missing: it is the encoder's priming frame, which no player renders.
    expect(sound.slice(0, 400)).toEqual((await packetHashes(path, 'a')).slice(1, 401))

    expect(progress.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['probing', 'encoding', 'packaging', 'publishing']),
    )
    const percents = progress.map(({ percent }) => percent)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
  })

  it('is ciphertext on the disk, and the key is in no file', async () => {
    const path = bench.file('secret.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...tone(5), ...copyable, ...stereo, path])
    const published = await bench.take(path, { encrypted: true })
    const home = join(bench.mediaRoot, published.trackSet.id)
    const init = await readFile(join(home, 'v180', 'init.mp4'))
    expect(init.includes('cbcs')).toBe(true)
    for (const name of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      const data = await readFile(join(name.parentPath, name.name))
      expect(data.includes(published.key ?? 'none')).toBe(false)
      expect(data.includes(published.key?.toString('hex') ?? 'none')).toBe(false)
    }
    const [first = ''] = await packetHashes(path, 'v')
    const segments = ['init.mp4', '1.m4s'].map(async (name) => await readFile(join(home, 'v180', name)))
    await writeFile(bench.file('undecrypted.mp4'), Buffer.concat(await Promise.all(segments)))
    expect(await packetHashes(bench.file('undecrypted.mp4'), 'v')).not.toContain(first)
  })

  it('V4-27 has boxes for Widevine and FairPlay, and one vector for all renditions, which it states', async () => {
    const path = bench.file('licensed.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...tone(5), ...copyable, ...stereo, path])
    const { trackSet } = await bench.take(path, { encrypted: true })
    const { keyId = '', iv = '' } = trackSet.encryption ?? {}
    const { common, widevine, fairPlay } = psshBoxes(keyId)
    // The last fields of a `tenc` box: key id, size of the constant vector, vector.
    const protection = Buffer.from(`${keyId}10${iv}`, 'hex')
    for (const { id } of trackSet.renditions) {
      const init = await readFile(join(bench.mediaRoot, trackSet.id, id, 'init.mp4'))
      for (const part of [protection, common, widevine, fairPlay])
        expect(init.includes(Buffer.from(part))).toBe(true)
    }
  })

  it('gets a ladder of smaller renditions with the same cuts, never larger than the source', async () => {
    const path = bench.file('hd.mp4')
    await ffmpeg([
      ...picture({ size: '1280x720', seconds: 6 }),
      ...tone(6),
      ...copyable,
      '-crf',
      '35',
      ...stereo,
      path,
    ])
    const published = await bench.take(path)
    expect(videosOf(published).map(({ id, width, height }) => ({ id, width, height }))).toEqual([
      { id: 'v720', width: 1280, height: 720 },
      { id: 'v360', width: 640, height: 360 },
    ])
    const small = await assemble(published, bench.mediaRoot, 'v360')
    expect(
      await describeStreams(small, 'width,height,pix_fmt,sample_aspect_ratio,r_frame_rate'),
    ).toMatchObject([{ width: 640, height: 360, pix_fmt: 'yuv420p', r_frame_rate: '25/1' }])
    expect(await frameHashes(small, 'v')).toHaveLength(150)
  })

  it('gets thumbnails of the right moments', async () => {
    const path = bench.file('flash.mp4')
    await ffmpeg([...flashAndBeep(8, 14), ...copyable, ...stereo, path])
    const { trackSet } = await bench.take(path)
    expect(trackSet.thumbnails).toMatchObject({
      intervalSeconds: 4,
      count: 4,
      tileWidth: 256,
      tileHeight: 144,
    })
    const tile = sharp(join(bench.mediaRoot, trackSet.id, 'thumbnails', '1.jpg'))
    const light = async (index: number) => {
      const box = {
        left: (index % 5) * 256 + 64,
        top: Math.floor(index / 5) * 144 + 32,
        width: 128,
        height: 80,
      }
      const { channels } = await sharp(await tile.clone().extract(box).toBuffer()).stats()
      return channels[0]?.mean ?? 0
    }
    expect(await light(2)).toBeGreaterThan(200)
    for (const dark of [0, 1, 3]) expect(await light(dark)).toBeLessThan(40)
  })
})

describe('aborting', { timeout: 240_000 }, () => {
  const run = promisify(execFile)
  const children = async (parent: number): Promise<string> =>
    await run('ps', ['-o', 'args=', '--ppid', `${parent}`]).then(
      ({ stdout }) =>
        stdout
          .split('\n')
          .filter((line) => /ffmpeg|ffprobe|packager/.test(line))
          .join('\n'),
      () => '',
    )

  async function longFilm(): Promise<string> {
    const path = bench.file('long.mp4')
    await ffmpeg([
      ...picture({ size: '1280x720', seconds: 40 }),
      ...commandLine`-c:v libx264 -preset ultrafast -g 999`,
      path,
    ])
    return path
  }

  it('in the middle leaves no files and no running program', async () => {
    const path = await longFilm()
    const root = bench.file('aborted')
    const controller = new AbortController()
    const running = ingest(
      { path, segments: folderSegments(root), encrypted: true, subtitles: [] },
      {
        signal: controller.signal,
        onProgress: ({ stage, secondsLeft }) => {
          if (stage === 'encoding' && secondsLeft !== null) controller.abort(new Error('enough'))
        },
      },
    )
    await expect(running).rejects.toThrow('enough')
    expect(await readdir(root)).toEqual(['.making'])
    expect(await readdir(join(root, '.making'))).toEqual([])
    expect(await children(process.pid)).toBe('')
  })

  it('before the start does nothing', async () => {
    const root = bench.file('never')
    await expect(
      ingest(
        { path: bench.file('any.mp4'), segments: folderSegments(root), encrypted: true, subtitles: [] },
        { signal: AbortSignal.abort(new Error('too late')) },
      ),
    ).rejects.toThrow('too late')
    await expect(readdir(root)).rejects.toThrow('ENOENT')
  })
})
