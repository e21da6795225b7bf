import { mkdir, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderSegments } from '../segments/folder-segments.ts'
import { commandLine } from './command-line.ts'
import { ingest } from './ingest.ts'
import { type Reason } from './reasons.ts'
import { useWorkbench } from './test-ingest.ts'
import { copyable, ffmpeg, picture, stereo, tone } from './test-media.ts'

const bench = useWorkbench()
const signal = new AbortController().signal

describe('hostile and broken files', { timeout: 240_000 }, () => {
  it('with strange names are accepted', async () => {
    const plain = bench.file('name.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...tone(5), ...copyable, ...stereo, plain])
    const names = [
      '-i',
      'a\nb.mp4',
      `it's "so" $(touch x); |&.mp4`,
      '\u202E4pm.exe\u2066.mp4',
      '%d.mp4',
      'a,b=c:d.mp4',
      'concat:x|y.mp4',
    ]
    await mkdir(bench.file('names, a=b'))
    let current = plain
    for (const name of names) {
      const path = bench.file(`names, a=b/${name}`)
      await rename(current, path)
      current = path
      expect(await bench.reasonOf(path), name).toBe('taken')
    }
  })

  it('a media root with a strange name works', async () => {
    const path = bench.file('root.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...copyable, path])
    const strange = bench.file('media, root=1 $Number$ %d')
    const published = await ingest(
      { path, segments: folderSegments(strange), encrypted: true, subtitles: [] },
      { signal },
    )
    expect(await readdir(join(strange, published.trackSet.id))).toContain('track-set.json')
  })

  const written: [name: string, content: string | Buffer, reason: Reason][] = [
    ['text.mp4', 'This is no film.\n'.repeat(100), 'notMedia'],
    ['empty.mp4', '', 'notMedia'],
    ['zeros.mkv', Buffer.alloc(100_000), 'notMedia'],
    [
      'passwd.mp4',
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
      'notMedia',
    ],
    [
      'remote.mp4',
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttp://127.0.0.1:1/a.ts\n#EXT-X-ENDLIST\n',
      'notMedia',
    ],
    ['concat.mp4', 'ffconcat version 1.0\nfile plain.mp4\n', 'notMedia'],
    [
      'dash.mp4',
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"></MPD>',
      'notMedia',
    ],
  ]
  for (const [name, content, reason] of written) {
    it(`${name} is refused: ${reason}`, async () => {
      await writeFile(bench.file(name), content)
      expect(await bench.reasonOf(bench.file(name))).toBe(reason)
    })
  }

  it('a playlist reads no other film, even a playable one', async () => {
    await ffmpeg([...picture({ seconds: 5 }), ...copyable, '-f', 'mpegts', bench.file('private.ts')])
    const path = bench.file('leak.mp4')
    await writeFile(
      path,
      `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${bench.file('private.ts')}\n#EXT-X-ENDLIST\n`,
    )
    expect(await bench.reasonOf(path)).toBe('notMedia')
  })

  it('truncated: the index at the end is missing', async () => {
    const path = bench.file('truncated.mp4')
    await ffmpeg([...picture(), ...tone(), ...copyable, ...stereo, path])
    await truncate(path, 100_000)
    expect(await bench.reasonOf(path)).toBe('truncated')
  })

  it('truncated: the index at the beginning promises more than there is', async () => {
    const path = bench.file('truncated-fast.mp4')
    await ffmpeg([...picture(), ...tone(), ...copyable, ...stereo, '-movflags', '+faststart', path])
    const { size } = await stat(path)
    await truncate(path, Math.round(size * 0.6))
    expect(await bench.reasonOf(path)).toBe('truncated')
  })

  it('truncated: Matroska', async () => {
    const path = bench.file('truncated.mkv')
    await ffmpeg([...picture(), ...tone(), ...copyable, ...stereo, path])
    const { size } = await stat(path)
    await truncate(path, Math.round(size * 0.6))
    expect(await bench.reasonOf(path)).toBe('truncated')
  })

  it('truncated: Matroska with its true length, on a clock that starts later', async () => {
    const path = bench.file('late.mkv')
    await ffmpeg([
      ...picture({ seconds: 10 }),
      ...tone(10),
      ...copyable,
      ...stereo,
      ...commandLine`-output_ts_offset 100 ${path}`,
    ])
    const bytes = await readFile(path)
    // The element Duration is an 8-byte number, here in milliseconds. ffmpeg writes the file's end on the file's
    // clock, which starts at 100 s. The test replaces it by the true length.
    const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3
    expect(bytes.readDoubleBE(at)).toBeGreaterThan(105_000)
    bytes.writeDoubleBE(10_000, at)
    await writeFile(path, bytes)
    expect((await bench.take(path)).durationSeconds).toBeCloseTo(10, 0)
    await truncate(path, Math.round(bytes.length * 0.6))
    expect(await bench.reasonOf(path)).toBe('truncated')
  })

  it('zero duration', async () => {
    const path = bench.file('zero.mp4')
    await ffmpeg([...picture(), ...copyable, '-frames:v', '1', path])
    expect(await bench.reasonOf(path)).toBe('zeroDuration')
  })

  it('sound alone, with and without a cover', async () => {
    const path = bench.file('song.mp4')
    await ffmpeg([...tone(), ...stereo, path])
    expect(await bench.reasonOf(path)).toBe('noPicture')
    const cover = bench.file('cover.jpg')
    await ffmpeg([...picture({ seconds: 1 }), '-frames:v', '1', cover])
    const covered = bench.file('covered.mp4')
    await ffmpeg(
      commandLine`-i ${path} -i ${cover} -map 0 -map 1 -c copy -disposition:v:0 attached_pic ${covered}`,
    )
    expect(await bench.reasonOf(covered)).toBe('noPicture')
  })

  it('too many audio streams', async () => {
    const path = bench.file('crowd.mkv')
    const maps = Array.from({ length: 33 }, () => ['-map', '1:a']).flat()
    await ffmpeg([
      ...picture({ seconds: 2 }),
      ...tone(2),
      ...maps,
      '-map',
      '0:v',
      ...copyable,
      ...stereo,
      path,
    ])
    expect(await bench.reasonOf(path)).toBe('tooManyStreams')
  })

  it('a film with many attached fonts is accepted', async () => {
    const font = bench.file('font.ttf')
    await writeFile(font, 'a font')
    const path = bench.file('fonts.mkv')
    await ffmpeg([
      ...picture({ seconds: 2 }),
      ...tone(2),
      ...Array.from({ length: 101 }, () => commandLine`-attach ${font}`).flat(),
      ...commandLine`-metadata:s:t mimetype=application/x-truetype-font`,
      ...copyable,
      ...stereo,
      path,
    ])
    expect(await bench.reasonOf(path)).toBe('taken')
  })

  it('a folder, a missing file and a file without read permission', async () => {
    await mkdir(bench.file('folder.mp4'))
    expect(await bench.reasonOf(bench.file('folder.mp4'))).toBe('unreadable')
    expect(await bench.reasonOf(bench.file('missing.mp4'))).toBe('unreadable')
  })

  it('a film with a broken middle is accepted', async () => {
    const path = bench.file('scratched.mp4')
    await ffmpeg([
      ...picture({ size: '640x360' }),
      ...tone(),
      ...commandLine`-c:v libx264 -preset ultrafast -g 25`,
      ...stereo,
      path,
    ])
    const data = await readFile(path)
    data.fill(0x55, Math.round(data.length * 0.4), Math.round(data.length * 0.45))
    await writeFile(path, data)
    expect(await bench.reasonOf(path)).toBe('taken')
  })
})
