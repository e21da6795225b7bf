import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commandLine } from './command-line.ts'
import { useWorkbench } from './test-ingest.ts'
import {
  assemble,
  copyable,
  ffmpeg,
  findFlashAndBeep,
  flashAndBeep,
  picture,
  stereo,
  tone,
} from './test-media.ts'

const bench = useWorkbench()

describe('sound and picture stay together', { timeout: 240_000 }, () => {
  const kinds: Record<string, string[]> = {
    'copied from MP4': [...copyable, ...stereo, '-f', 'mp4'],
    'copied from Matroska': [...copyable, ...stereo, '-f', 'matroska'],
    'copied from MPEG-TS': [...copyable, ...stereo, '-f', 'mpegts'],
    'encoded from MPEG-4 and MP3': commandLine`-c:v mpeg4 -q:v 4 -c:a libmp3lame -f matroska`,
    'encoded from H.264 without regular key frames': commandLine`-c:v libx264 -preset ultrafast -g 999 -c:a aac -f mp4`,
  }
  for (const [name, options] of Object.entries(kinds)) {
    it(name, async () => {
      const path = bench.file(`${name}.media`)
      await ffmpeg([...flashAndBeep(4.4), ...options, path])
      const published = await bench.take(path)
      const { flash, beep } = await findFlashAndBeep(
        await assemble(published, bench.mediaRoot, 'v180'),
        await assemble(published, bench.mediaRoot, 'a-und-1'),
      )
      expect(Math.abs(flash - 4.4)).toBeLessThanOrEqual(0.041)
      expect(Math.abs(beep - flash)).toBeLessThan(0.03)
    })
  }

  it('when the sound begins late', async () => {
    const path = bench.file('late-sound.mkv')
    const plain = bench.file('late-sound-base.mp4')
    await ffmpeg([...flashAndBeep(4.4), ...copyable, ...stereo, plain])
    await ffmpeg(commandLine`-i ${plain} -itsoffset 0.5 -i ${plain} -map 0:v -map 1:a -c copy ${path}`)
    const published = await bench.take(path)
    const { flash, beep } = await findFlashAndBeep(
      await assemble(published, bench.mediaRoot, 'v180'),
      await assemble(published, bench.mediaRoot, 'a-und-1'),
    )
    expect(beep - flash).toBeGreaterThan(0.47)
    expect(beep - flash).toBeLessThan(0.53)
  })

  it('when the picture begins late', async () => {
    const path = bench.file('late-picture.mkv')
    const plain = bench.file('late-picture-base.mp4')
    await ffmpeg([...flashAndBeep(4.4), ...copyable, ...stereo, plain])
    await ffmpeg(commandLine`-itsoffset 0.52 -i ${plain} -i ${plain} -map 0:v -map 1:a -c copy ${path}`)
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('it begins after the sound')
    const { flash, beep } = await findFlashAndBeep(
      await assemble(published, bench.mediaRoot, 'v180'),
      await assemble(published, bench.mediaRoot, 'a-und-1'),
    )
    expect(flash - beep).toBeGreaterThan(0.48)
    expect(flash - beep).toBeLessThan(0.57)
  })

  it('keeps the last picture while the sound continues without pictures', async () => {
    const path = bench.file('long-sound.mp4')
    await ffmpeg([...picture({ seconds: 3 }), ...tone(13), ...copyable, ...stereo, path])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBe('the sound outlasts the picture')
    expect(published.durationSeconds).toBeCloseTo(13, 1)
  })

  it('pads a sound that ends early', async () => {
    const path = bench.file('short-sound.mp4')
    await ffmpeg([...picture(), ...tone(6), ...copyable, ...stereo, path])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBeNull()
    expect(published.durationSeconds).toBe(10)
  })
})

describe('sounds', { timeout: 240_000 }, () => {
  it('five languages become five renditions, and the source’s default stays the default', async () => {
    const path = bench.file('languages.mkv')
    const languages = ['fre', 'eng', 'ger', 'eng', 'ja']
    await ffmpeg([
      ...picture({ seconds: 5 }),
      ...languages.flatMap((_, index) => tone(5, 300 + index * 100)),
      ...languages.flatMap(
        (language, index) => commandLine`-map ${index + 1}:a -metadata:s:a:${index} language=${language}`,
      ),
      ...commandLine`-map 0:v -metadata:s:a:3 title=Commentary -disposition:a:0 0 -disposition:a:2 default`,
      ...copyable,
      ...stereo,
      path,
    ])
    const { trackSet } = await bench.take(path)
    const audio = trackSet.renditions.filter((rendition) => rendition.kind === 'audio')
    expect(audio.map(({ id, language, label, isDefault }) => [id, language, label, isDefault])).toEqual([
      ['a-fra-1', 'fra', '', false],
      ['a-eng-1', 'eng', '1', false],
      ['a-deu-1', 'deu', '', true],
      ['a-eng-2', 'eng', 'Commentary', false],
      ['a-jpn-1', 'jpn', '', false],
    ])
  })

  it('a commentary and a description are marked, and are never the default', async () => {
    const path = bench.file('additions.mkv')
    await ffmpeg([
      ...picture({ seconds: 5 }),
      ...tone(5, 300),
      ...tone(5, 400),
      ...tone(5, 500),
      ...commandLine`-map 0:v -map 1:a -map 2:a -map 3:a`,
      ...[0, 1, 2].flatMap((index) => commandLine`-metadata:s:a:${index} language=eng`),
      ...commandLine`-disposition:a:0 default+comment -disposition:a:1 visual_impaired -disposition:a:2 0`,
      ...copyable,
      ...stereo,
      path,
    ])
    const { trackSet } = await bench.take(path)
    const audio = trackSet.renditions.filter((rendition) => rendition.kind === 'audio')
    expect(audio.map(({ label, isDefault, addition }) => [label, isDefault, addition])).toEqual([
      ['1', false, 'commentary'],
      ['AD', false, 'description'],
      ['3', true, undefined],
    ])
  })

  it('surround becomes stereo', async () => {
    const path = bench.file('surround.mkv')
    await ffmpeg([...picture({ seconds: 5 }), ...tone(5), ...copyable, ...commandLine`-c:a ac3 -ac 6`, path])
    const { trackSet } = await bench.take(path)
    expect(trackSet.renditions.find(({ kind }) => kind === 'audio')).toMatchObject({
      channels: 2,
      sampleRate: 48_000,
    })
  })

  it('a film without sound gets a silent rendition', async () => {
    const path = bench.file('silent.mp4')
    await ffmpeg([...picture({ seconds: 5 }), ...copyable, path])
    const published = await bench.take(path)
    expect(published.copyObstacle).toBeNull()
    const audio = published.trackSet.renditions.find(({ kind }) => kind === 'audio')
    expect(audio).toMatchObject({ id: 'a-und-1', language: 'und', isDefault: true })
  })
})

describe('subtitles', { timeout: 240_000 }, () => {
  it('come from files and from inside the film, cut at the video’s segments', async () => {
    const french = bench.file('film.fr.srt')
    const english = bench.file('film.en.vtt')
    await writeFile(french, Buffer.from('1\n00:00:01,000 --> 00:00:05,500\n<i>Déjà vu</i>\n\n', 'latin1'))
    await writeFile(english, 'WEBVTT\n\n00:09.000 --> 00:09.500 line:10%\n<v Ann>Bye<script>\n')
    const inside = bench.file('film.it.srt')
    await writeFile(inside, '1\n00:00:02,000 --> 00:00:03,000\nGià visto\n')
    const broken = bench.file('film.de.srt')
    await writeFile(broken, 'nothing here')
    const path = bench.file('subtitled.mkv')
    await ffmpeg([
      ...picture(),
      ...tone(),
      ...commandLine`-i ${inside} -map 0:v -map 1:a -map 2:s -c:s ass -metadata:s:s:0 language=ita`,
      ...copyable,
      ...stereo,
      path,
    ])
    const file = { label: '', forced: false, captions: false }
    const { trackSet, notes } = await bench.take(path, {
      subtitles: [
        { ...file, path: french, language: 'fra' },
        { ...file, path: english, language: 'eng', captions: true },
        { ...file, path: broken, language: 'deu' },
      ],
    })
    const text = trackSet.renditions.filter(({ kind }) => kind === 'text')
    expect(text.map(({ id }) => id)).toEqual(['t-fra-1', 't-eng-1', 't-ita-1'])
    expect(text[1]).toMatchObject({ captions: true, forced: false })
    expect(notes).toMatchObject([{ origin: broken, reason: 'subtitleUnreadable' }])

    const segment = async (id: string, number: number) =>
      await readFile(join(bench.mediaRoot, trackSet.id, id, `${number}.vtt`), 'utf8')
    const head = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n'
    const cue = '00:00:01.000 --> 00:00:05.500\n<i>Déjà vu</i>\n\n'
    expect(await segment('t-fra-1', 1)).toBe(head + cue)
    expect(await segment('t-fra-1', 2)).toBe(head + cue)
    expect(await segment('t-fra-1', 3)).toBe(head)
    expect(await segment('t-eng-1', 3)).toBe(`${head}00:00:09.000 --> 00:00:09.500 line:10%\nBye\n\n`)
    expect(await segment('t-ita-1', 1)).toBe(`${head}00:00:02.000 --> 00:00:03.000\nGià visto\n\n`)
  })

  it('name their variant in its own language, and are read by its script', async () => {
    const path = bench.file('variants.mp4')
    await ffmpeg([...picture({ seconds: 4 }), ...copyable, path])
    const files = ['zh-TW', 'zh-Hans'].map((variant) => ({
      variant,
      path: bench.file(`variants.${variant}.srt`),
    }))
    for (const file of files)
      await writeFile(
        file.path,
        Buffer.concat([
          Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'),
          Buffer.from(file.variant === 'zh-TW' ? [0xa7, 0x41, 0xa6, 0x6e] : [0xc4, 0xe3, 0xba, 0xc3]),
        ]),
      )
    const file = { language: 'zho', label: '', forced: false, captions: false }
    const { trackSet } = await bench.take(path, { subtitles: files.map((each) => ({ ...file, ...each })) })
    const text = trackSet.renditions.filter((each) => each.kind === 'text')
    expect(text.map(({ label }) => label)).toEqual(['中文（台灣）', '简体中文'])
    for (const { id } of text)
      expect(await readFile(join(bench.mediaRoot, trackSet.id, id, '1.vtt'), 'utf8')).toContain('你好')
  })

  describe('of several streams in a film', () => {
    /** Puts an `ffmpeg` before the real one that lists its outputs of subtitles, and runs `begin` before them. */
    const listRuns = async (begin: string): Promise<() => Promise<string[]>> => {
      const folder = await mkdtemp(bench.file('programs-'))
      const list = join(folder, 'runs')
      await writeFile(list, '')
      const script = `#!/bin/sh
n=0; for word in "$@"; do [ "$word" = webvtt ] && n=$((n + 1)); done
if [ $n -gt 0 ]; then echo $((n / 2)) >> ${list}; ${begin}; fi
PATH=\${PATH#*:}; exec ffmpeg "$@"\n`
      await writeFile(join(folder, 'ffmpeg'), script, { mode: 0o755 })
      vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
      return async () => (await readFile(list, 'utf8')).trim().split('\n')
    }
    afterEach(() => {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    })

    /** Makes a film with two text streams, and returns its TrackSet. */
    const takeFilm = async (name: string) => {
      const path = bench.file(`${name}.mkv`)
      const words = ['Bonjour', 'Hello']
      const files = words.map((word) => bench.file(`${name}-${word}.srt`))
      for (const [index, file] of files.entries())
        await writeFile(file, `1\n00:00:01,000 --> 00:00:02,000\n${words[index]}\n`)
      await ffmpeg([
        ...picture({ seconds: 4 }),
        ...tone(4),
        ...files.flatMap((file) => commandLine`-i ${file}`),
        ...commandLine`-map 0:v -map 1:a -map 2:s -map 3:s -c:s srt`,
        ...commandLine`-metadata:s:s:0 language=fra -metadata:s:s:1 language=eng`,
        ...copyable,
        ...stereo,
        path,
      ])
      return await bench.take(path)
    }
    const firstCue = async (id: string, rendition: string) =>
      await readFile(join(bench.mediaRoot, id, rendition, '1.vtt'), 'utf8')

    it('are extracted in one run, which reads the film once', async () => {
      const runs = await listRuns(':')
      const { trackSet, notes } = await takeFilm('once')
      expect(await runs()).toEqual(['2'])
      expect(notes).toEqual([])
      expect(await firstCue(trackSet.id, 't-fra-1')).toContain('Bonjour')
      expect(await firstCue(trackSet.id, 't-eng-1')).toContain('Hello')
    })

    it('are extracted one by one if a stream breaks the common run', async () => {
      const runs = await listRuns('case "$*" in *"-map 0:2"*) exit 1;; esac')
      const { trackSet, notes } = await takeFilm('broken')
      expect(await runs()).toEqual(['2', '1', '1'])
      expect(notes).toMatchObject([{ origin: 'stream 2', reason: 'subtitleUnreadable' }])
      expect(await firstCue(trackSet.id, 't-eng-1')).toContain('Hello')
    })

    it('are not extracted one by one after a common run that took all the time', async () => {
      await listRuns('exit 1')
      const real = performance.now.bind(performance)
      let isFirst = true
      vi.spyOn(performance, 'now').mockImplementation(() => {
        // The first call is that of the common run.
        const passed = isFirst ? 0 : 1_801_000
        isFirst = false
        return real() + passed
      })
      const { notes } = await takeFilm('slow')
      expect(notes.map(({ reason }) => reason)).toEqual(['tookTooLong', 'tookTooLong'])
    })
  })

  it('chapters keep their names and times', async () => {
    const list = bench.file('chapters.txt')
    const chapter = (start: number, end: number, title: string) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`
    await writeFile(list, `;FFMETADATA1\n${chapter(0, 3000, 'Intro')}${chapter(3000, 9000, 'Le large')}`)
    const path = bench.file('chapters.mp4')
    await ffmpeg([
      ...picture({ seconds: 9 }),
      ...tone(9),
      ...commandLine`-i ${list} -map 0:v -map 1:a -map_metadata 2 -map_chapters 2`,
      ...copyable,
      ...stereo,
      path,
    ])
    const { chapters } = await bench.take(path)
    expect(chapters).toEqual([
      { startSeconds: 0, endSeconds: 3, title: 'Intro' },
      { startSeconds: 3, endSeconds: 9, title: 'Le large' },
    ])
  })
})
