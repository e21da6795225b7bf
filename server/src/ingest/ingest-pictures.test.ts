import { describe, expect, it } from 'vitest'
import { commandLine } from './command-line.ts'
import { useWorkbench, videoLengths, videosOf } from './test-ingest.ts'
import {
  assemble,
  copyable,
  describeStreams,
  ffmpeg,
  packetHashes,
  picture,
  stereo,
  tone,
} from './test-media.ts'

const bench = useWorkbench()

describe('unusual pictures', { timeout: 240_000 }, () => {
  it('rotated pictures are turned upright', async () => {
    const flat = bench.file('flat.mp4')
    const path = bench.file('turned.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...tone(5), ...copyable, ...stereo, flat])
    await ffmpeg(commandLine`-i ${flat} -c copy -metadata:s:v:0 rotate=90 ${path}`)
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('it is turned')
    expect(videosOf(published)).toMatchObject([{ id: 'v180', width: 180, height: 320 }])
    const [stream] = await describeStreams(await assemble(published, bench.mediaRoot, 'v180'), 'width,height')
    expect(stream).toEqual({ width: 180, height: 320 })
    expect(published.trackSet.thumbnails).toMatchObject({ tileWidth: 144, tileHeight: 256 })
  })

  it('non-square pixels become square', async () => {
    const path = bench.file('anamorphic.mp4')
    await ffmpeg([...picture({ size: '360x288', seconds: 5 }), '-vf', 'setsar=64/45', ...copyable, path])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('its pixels are not square')
    expect(videosOf(published)).toMatchObject([{ width: 512, height: 288 }])
  })

  it('odd sizes become even, without growing', async () => {
    const path = bench.file('odd.mkv')
    await ffmpeg([...picture({ size: '321x181', seconds: 5 }), ...commandLine`-c:v ffv1`, path])
    expect(videosOf(await bench.take(path))).toMatchObject([{ width: 320, height: 180 }])
  })

  it('4:2:2 at 10 bits becomes 4:2:0 at 8 bits', async () => {
    const path = bench.file('ten-bits.mp4')
    await ffmpeg([
      ...picture({ seconds: 5 }),
      ...commandLine`-c:v libx264 -preset ultrafast -pix_fmt yuv422p10le -g 50`,
      path,
    ])
    const published = await bench.take(path)
    expect(published.copyObstacle).toMatch(/profile|pixel format/)
    const file = await assemble(published, bench.mediaRoot, 'v180')
    expect(await describeStreams(file, 'pix_fmt')).toMatchObject([{ pix_fmt: 'yuv420p' }])
  })

  it('interlaced pictures are deinterlaced', async () => {
    const path = bench.file('interlaced.mp4')
    await ffmpeg([
      ...picture({ rate: 50, seconds: 6 }),
      ...commandLine`-vf tinterlace=interleave_top,fieldorder=tff,format=yuv420p -flags +ildct+ilme -c:v libx264 -preset ultrafast -g 50 -x264opts tff=1`,
      path,
    ])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('it is interlaced')
    const file = await assemble(published, bench.mediaRoot, 'v180')
    expect(await describeStreams(file, 'field_order')).toMatchObject([{ field_order: 'progressive' }])
  })

  it('high dynamic range is mapped to standard', async () => {
    const path = bench.file('hdr.mkv')
    await ffmpeg([
      ...picture({ seconds: 4.5 }),
      ...commandLine`-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params log-level=error`,
      ...commandLine`-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc`,
      path,
    ])
    const published = await bench.take(path)
    const file = await assemble(published, bench.mediaRoot, 'v180')
    expect(await describeStreams(file, 'pix_fmt,color_transfer,color_space')).toMatchObject([
      { pix_fmt: 'yuv420p', color_transfer: 'bt709', color_space: 'bt709' },
    ])
  })
})

describe('frame rates', { timeout: 240_000 }, () => {
  const cases: [rate: string, frameRate: number, segment: number][] = [
    ['30000/1001', 30000 / 1001, 4.004],
    ['24000/1001', 24000 / 1001, 4.004],
    ['25/2', 12.5, 4],
    ['24', 24, 4],
    ['60', 60, 4],
    ['17', 17, 4],
    ['1000', 50, 4],
    ['120', 60, 4],
    ['1', 5, 4],
  ]
  for (const [rate, frameRate, segment] of cases) {
    it(`of ${rate} give segments of ${segment} s`, async () => {
      const path = bench.file(`rate-${rate.replace('/', '-')}.mkv`)
      await ffmpeg([
        ...picture({ rate, seconds: 9, size: '160x90' }),
        ...commandLine`-c:v libx264 -preset ultrafast`,
        path,
      ])
      const published = await bench.take(path)
      const [video] = videosOf(published)
      expect(video?.frameRate).toBeCloseTo(frameRate, 9)
      expect(videoLengths(published)[0]).toBeCloseTo(segment, 9)
      expect(published.durationSeconds).toBeGreaterThan(8.8)
      expect(published.durationSeconds).toBeLessThan(9.3)
    })
  }

  it('rounded to milliseconds are restored exactly in a copy', async () => {
    const path = bench.file('rounded.mkv')
    await ffmpeg([
      ...picture({ rate: '24000/1001', seconds: 13 }),
      ...commandLine`-c:v libx264 -preset ultrafast -bf 2 -g 48 -sc_threshold 0`,
      path,
    ])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBeNull()
    expect(await packetHashes(await assemble(published, bench.mediaRoot, 'v180'), 'v')).toEqual(
      await packetHashes(path, 'v'),
    )
  })

  it('that vary are made constant', async () => {
    const path = bench.file('variable.mkv')
    await ffmpeg([
      ...picture({ rate: 30, seconds: 10 }),
      ...commandLine`-vf select=lt(t\\,3)+not(mod(n\\,4)) -fps_mode vfr -c:v libx264 -preset ultrafast -g 60`,
      path,
    ])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('its frame rate varies')
    expect(videosOf(published)[0]?.frameRate).toBe(30)
    expect(published.durationSeconds).toBeGreaterThan(9.8)
  })

  it('a tail of two frames gets no segment of its own', async () => {
    const path = bench.file('runt.mp4')
    await ffmpeg([...picture({ seconds: 8.08 }), ...tone(9), ...copyable, ...stereo, path])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBeNull()
    expect(videoLengths(published)).toEqual([4, 4])
  })
})
