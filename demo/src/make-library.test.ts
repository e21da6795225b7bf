import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFrameStrip } from './frame-strip.ts'
import { type LibraryProgress, makeLibrary } from './make-library.ts'
import { BREAKS_FILE, SPOTS, SPOTS_FOLDER } from './spots.ts'

const run = promisify(execFile)
const TITLE = { only: ['ville-basse'], secondsPerFilm: 12, frameStrip: true }
const FOLDER = 'Films/Ville basse (2024)'
const FILM = `${FOLDER}/Ville basse (2024).mp4`

let library: string
beforeAll(async () => {
  library = await mkdtemp(join(tmpdir(), 'ondine-demo-'))
})
afterAll(() => rm(library, { recursive: true, force: true }))

async function unfinished(): Promise<string[]> {
  return (await readdir(library)).filter((name) => name.startsWith('.making-') || name.startsWith('.old-'))
}

async function frameAt(file: string, seconds: number) {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-ss',
      String(seconds),
      '-i',
      `file:${file}`,
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      'pipe:1',
    ],
    { encoding: 'buffer', maxBuffer: 8_000_000 },
  )
  return { data: stdout, width: 1280, height: 720 }
}

describe('invalid options', () => {
  it.each([{ secondsPerFilm: 11 }, { secondsPerFilm: Number.NaN }, { only: ['no-such-film'] }])(
    '%o is refused before anything is written',
    async (wish) => {
      const folder = join(library, 'refused')
      await expect(makeLibrary({ folder, ...wish })).rejects.toThrow(RangeError)
      expect(existsSync(folder)).toBe(false)
    },
  )

  it('does nothing when it was cancelled before the start', async () => {
    const folder = join(library, 'cancelled')
    await expect(makeLibrary({ folder, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(existsSync(folder)).toBe(false)
  })
})

describe('one title, from nothing to complete', () => {
  it('shows a title before its film is made, and leaves no half-made film when the process is killed', async () => {
    const killed = spawn(process.execPath, [
      fileURLToPath(new URL('./main.ts', import.meta.url)),
      library,
      '--only',
      'ville-basse',
      '--seconds',
      '12',
    ])
    const ended = once(killed, 'exit')
    const names = async () => await readdir(library, { recursive: true })
    const isMakingFilm = async () =>
      existsSync(join(library, FILM)) && (await names()).some((name) => /^\.making.*\.mp4$/.test(name))
    await expect.poll(isMakingFilm, { timeout: 240_000, interval: 20 }).toBe(true)
    killed.kill('SIGKILL')
    await ended
    // The title already has its pictures. Its film is unfinished, so its file is empty.
    expect(await readdir(join(library, FOLDER))).toContain('poster.jpg')
    expect((await stat(join(library, FILM))).size).toBe(0)
    expect(await unfinished()).toHaveLength(1)
  }, 300_000)

  it('leaves no film when it is cancelled', async () => {
    const stop = new AbortController()
    const cancelled = makeLibrary({
      folder: library,
      ...TITLE,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(cancelled).rejects.toThrow('enough')
    expect((await stat(join(library, FILM))).size).toBe(0)
    expect(await unfinished()).toEqual([])
  }, 300_000)

  it('makes the title with all its files', async () => {
    const seen: LibraryProgress[] = []
    const result = await makeLibrary({
      folder: library,
      ...TITLE,
      onProgress: (progress) => seen.push(progress),
    })
    expect(result).toEqual({ made: ['ville-basse'], kept: [] })
    expect((await readdir(join(library, FOLDER))).filter((name) => !name.startsWith('.')).sort()).toEqual([
      'Ville basse (2024)-trailer.mp4',
      'Ville basse (2024).en.nfo',
      'Ville basse (2024).en.vtt',
      'Ville basse (2024).fr.srt',
      'Ville basse (2024).mp4',
      'fanart.jpg',
      'keyart.jpg',
      'landscape.jpg',
      'logo.en.png',
      'logo.png',
      'movie.nfo',
      'poster.en.jpg',
      'poster.jpg',
    ])
    const drawn = await Promise.all(
      ['poster.jpg', 'poster.en.jpg'].map((name) => readFile(join(library, FOLDER, name))),
    )
    expect(drawn[0]?.equals(drawn[1] ?? Buffer.alloc(0))).toBe(false)
    expect(await unfinished()).toEqual([])
    expect(seen.map((progress) => progress.percent)).toEqual(
      seen.map((progress) => progress.percent).sort((a, b) => a - b),
    )
    expect(seen[0]).toMatchObject({ title: 'Ville basse', ready: [], step: 0 })
    expect(seen.find(({ step }) => step === 1)).toMatchObject({ ready: [], films: [] })
    expect(seen.at(-1)).toMatchObject({ ready: ['ville-basse'], step: 3 })
    expect(await readdir(join(library, 'Channels'))).toContain('la-houle-52.jpg')
    expect((await readFile(join(library, 'Channels/channels.json'), 'utf8')).length).toBeGreaterThan(1000)
  }, 300_000)

  it('encodes so that an import can copy: a key frame every two seconds, two languages, chapters', async () => {
    const film = join(library, FILM)
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-show_streams',
      '-show_chapters',
      '-show_format',
      '-of',
      'json',
      `file:${film}`,
    ])
    const probed = JSON.parse(stdout) as {
      streams: {
        codec_type: string
        codec_name: string
        width?: number
        pix_fmt?: string
        r_frame_rate?: string
        tags?: { language?: string }
      }[]
      chapters: { tags: { title: string } }[]
      format: { duration: string }
    }
    expect(probed.streams[0]).toMatchObject({
      codec_name: 'h264',
      width: 1280,
      pix_fmt: 'yuv420p',
      r_frame_rate: '24/1',
    })
    expect(
      probed.streams.filter((stream) => stream.codec_name === 'aac').map((stream) => stream.tags?.language),
    ).toEqual(['fra', 'eng'])
    expect(Number(probed.format.duration)).toBeCloseTo(12, 1)
    expect(probed.chapters.map((chapter) => chapter.tags.title)).toEqual([
      'Onze mots',
      'Le viaduc',
      'Pluie',
      'La dernière fenêtre',
      'Credits',
    ])
    const keys = await run('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-skip_frame',
      'nokey',
      '-show_entries',
      'frame=pts_time',
      '-of',
      'csv=p=0',
      `file:${film}`,
    ])
    expect(
      keys.stdout
        .trim()
        .split(/[\s,]+/)
        .map(Number),
    ).toEqual([0, 2, 4, 6, 8, 10])
  }, 300_000)

  it('burns in the film and the second, for tests only', async () => {
    const plain = join(library, 'plain')
    // Copies the pictures of the channels, because drawing them would take longer than making the film.
    await cp(join(library, 'Channels'), join(plain, 'Channels'), { recursive: true })
    await makeLibrary({ folder: plain, ...TITLE, frameStrip: false })
    expect(readFrameStrip(await frameAt(join(plain, FILM), 7.5))).toBeNull()
    expect(readFrameStrip(await frameAt(join(library, FILM), 7.5))).toEqual({ second: 7, film: 5 })
    expect(
      readFrameStrip(await frameAt(join(library, `${FOLDER}/Ville basse (2024)-trailer.mp4`), 2)),
    ).toEqual({ second: 2, film: 45 })
  }, 300_000)

  it('makes a title again whose manifest cannot be read', async () => {
    const manifest = join(library, FOLDER, '.ondine-demo.json')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, '{')
    const asked: string[] = []
    const stop = new AbortController()
    const again = makeLibrary({
      folder: library,
      ...TITLE,
      signal: stop.signal,
      onProgress: ({ title }) => {
        asked.push(title)
        stop.abort(new Error('enough'))
      },
    })
    await expect(again).rejects.toThrow('enough')
    expect(asked[0]).toBe('Ville basse')
    await writeFile(manifest, text)
    expect(await unfinished()).toEqual([])
  }, 300_000)

  it('draws the pictures of an older version again, and keeps the films', async () => {
    const before = await stat(join(library, FILM))
    const manifest = join(library, FOLDER, '.ondine-demo.json')
    const { artwork, ...older } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>
    await writeFile(manifest, JSON.stringify(older))
    await rm(join(library, FOLDER, 'poster.en.jpg'))
    await writeFile(join(library, FOLDER, 'banner.jpg'), 'of an older version')
    const found: (readonly string[])[] = []
    const onKept = (ids: readonly string[]) => found.push(ids)
    const result = await makeLibrary({ folder: library, ...TITLE, onKept })
    expect(result).toEqual({ made: ['ville-basse'], kept: [] })
    // The title stayed in the library while its pictures were drawn.
    expect(found).toEqual([['ville-basse']])
    const names = await readdir(join(library, FOLDER))
    expect(names).toContain('poster.en.jpg')
    expect(names).not.toContain('banner.jpg')
    expect((await stat(join(library, FILM))).ino).toBe(before.ino)
    expect(JSON.parse(await readFile(manifest, 'utf8'))).toEqual({ ...older, artwork })
    expect(await unfinished()).toEqual([])
  }, 300_000)

  it('makes spots and the document of their breaks, once', async () => {
    let told = 0
    const again = async () =>
      await makeLibrary({ folder: library, ...TITLE, spotsAt: 'demonstration', onSpots: () => told++ })
    await again()
    expect(told).toBe(1)
    const folder = join(library, SPOTS_FOLDER)
    expect((await readdir(folder)).sort()).toEqual([BREAKS_FILE, ...SPOTS.map(({ file }) => file)].sort())
    const document = await readFile(join(folder, BREAKS_FILE), 'utf8')
    for (const { file, number } of SPOTS) {
      expect(document).toContain(`>library:demonstration/Spots/${file}<`)
      expect(readFrameStrip(await frameAt(join(folder, file), 1.5))).toEqual({ second: 1, film: number })
    }
    const before = await stat(join(folder, 'mirage.mp4'))
    await again()
    expect(told).toBe(2)
    expect((await stat(join(folder, 'mirage.mp4'))).mtimeMs).toBe(before.mtimeMs)
  }, 300_000)

  it('makes nothing a second time', async () => {
    const before = await stat(join(library, FILM))
    const found: (readonly string[])[] = []
    const onKept = (ids: readonly string[]) => found.push(ids)
    const result = await makeLibrary({ folder: library, ...TITLE, onKept })
    expect(result).toEqual({ made: [], kept: ['ville-basse'] })
    expect(found).toEqual([['ville-basse']])
    expect((await stat(join(library, FILM))).mtimeMs).toBe(before.mtimeMs)
  })
})
