import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../command-line.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import { copyable, ffmpeg, picture, stereo, temporaryFolder, tone } from '../test-media.ts'
import { Cutter } from './cutter.ts'
import { FragmentReader } from './fragments.ts'
import { freePort } from './free-port.ts'
import { sourceArguments } from './live-source.ts'
import { makeLoop, sendLoop } from './loop.ts'

const NEVER = new AbortController().signal

describe('a loop', { timeout: 60_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let film: string
  let loop: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    film = join(folder.path, 'film.mp4')
    loop = join(folder.path, 'loop.mp4')
    const chapters = join(folder.path, 'chapters.txt')
    const chapter = (from: number, to: number) =>
      `[CHAPTER]\nTIMEBASE=1/1\nSTART=${from}\nEND=${to}\ntitle=Mer\n`
    await writeFile(chapters, `;FFMETADATA1\n${chapter(0, 5)}${chapter(5, 12)}`)
    await ffmpeg([
      ...picture({ seconds: 12, rate: 24 }),
      ...tone(12),
      ...commandLine`-i ${chapters} -map_chapters 2 -map 0 -map 1`,
      ...copyable,
      ...stereo,
      film,
    ])
    await rm(chapters)
    await makeLoop({ file: film, from: 1.2, to: 10.9 }, loop, NEVER)
  })
  afterAll(async () => await folder[Symbol.asyncDispose]())

  it('has whole groups of 2 s, and sound that is as long as its picture', async () => {
    expect(await readdir(folder.path)).toEqual(['film.mp4', 'loop.mp4'])
    const tracks = await ffmpeg(commandLine`-i ${loop} -map 0 -c copy -f streamhash -`)
    expect(
      tracks
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 3)),
    ).toEqual(['0,v', '1,a'])
    const frames = await ffmpeg(commandLine`-i ${loop} -map 0:v -c copy -f framecrc -`)
    expect(frames.split('\n').filter((line) => line.startsWith('0,'))).toHaveLength(6 * 24)
    const sound = await ffmpeg(commandLine`-i ${loop} -map 0:a -c copy -f framecrc -`)
    const seconds = (sound.split('\n').filter((line) => line.startsWith('0,')).length * 1024) / 48_000
    expect(Math.abs(seconds - 6)).toBeLessThan(0.1)
  })

  it('is not made of a scene that is too short', async () => {
    const target = join(folder.path, 'short.mp4')
    await expect(makeLoop({ file: film, from: 2, to: 5 }, target, NEVER)).rejects.toThrow(RangeError)
    await expect(makeLoop({ file: film, from: 5, to: 2 }, target, NEVER)).rejects.toThrow(RangeError)
  })

  it('leaves nothing behind when its film cannot be read', async () => {
    const target = join(folder.path, 'broken.mp4')
    await expect(makeLoop({ file: '/dev/null', from: 0, to: 20 }, target, NEVER)).rejects.toThrow(
      ProgramError,
    )
    expect(await readdir(folder.path)).not.toContain('broken.mp4')
  })

  it('arrives over SRT without a jump of the clock where it begins again, until the listener goes', async () => {
    const port = await freePort()
    const listening = new AbortController()
    const cutter = new Cutter()
    const reader = new FragmentReader()
    let segments = 0
    const words = sourceArguments({ kind: 'srt', mode: 'listener', host: '127.0.0.1', port, latencyMs: 200 })
    const received = runProgram({
      program: 'ffmpeg',
      arguments: words,
      signal: listening.signal,
      limits: { wallSeconds: 60, memoryBytes: 2e9, outputBytes: Infinity },
      onOutput: (chunk) => {
        for (const part of reader.push(chunk)) segments += [...cutter.push(part)].length
        // Two rounds of the loop have six segments.
        if (segments >= 7) listening.abort()
      },
    })
    await Promise.all([
      expect(received).rejects.toThrow(),
      expect(sendLoop(loop, port, NEVER)).rejects.toThrow(ProgramError),
    ])
    expect(cutter.counts).toMatchObject({ jumps: 0, lostFrames: 0 })
  })

  it('is not sent where nobody listens', async () => {
    await expect(sendLoop(loop, await freePort(), NEVER)).rejects.toThrow(ProgramError)
  })
})
