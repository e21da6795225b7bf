import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { commandLine } from '../command-line.ts'
import { copyable, ffmpeg, picture, temporaryFolder } from '../test-media.ts'
import { TeletextDecoder } from './teletext-decoder.ts'
import { addStreams, teletextDescriptor, teletextPage } from './test-transport-stream.ts'

afterEach(() => vi.unstubAllEnvs())

/** Returns MPEG-TS that contains only teletext, as a live input passes it on. */
async function teletext(folder: string): Promise<Buffer> {
  const [source, alone] = [join(folder, 'source.ts'), join(folder, 'teletext.ts')]
  await ffmpeg([...picture({ seconds: 10 }), ...copyable, source])
  const units = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((atSeconds) => ({
    atSeconds,
    isSection: false,
    payload: () => teletextPage([`Page ${atSeconds}`]),
  }))
  await addStreams(source, [{ pid: 0x110, type: 6, descriptors: teletextDescriptor('fre'), units }])
  await ffmpeg([...commandLine`-i ${source} -map 0:s -c copy`, alone])
  return await readFile(alone)
}

it('reports that its program cannot be started, and tries again', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  const stream = await teletext(folder.path)
  const faults: unknown[] = []
  const decoder = new TeletextDecoder('fra', (error) => faults.push(error))
  // The system refuses to start a folder as a program.
  await mkdir(join(folder.path, 'ffmpeg'))
  vi.stubEnv('PATH', folder.path)
  decoder.push(stream)
  await expect.poll(() => faults).toEqual([expect.objectContaining({ code: 'EACCES' })])
  vi.unstubAllEnvs()
  await vi.waitFor(
    () => {
      decoder.push(stream)
      const [track] = decoder.take(0, 60)
      expect(track?.cues.map(({ text }) => text)).toContain('Page 3')
    },
    { timeout: 20_000, interval: 1000 },
  )
  expect(faults).toHaveLength(1)
  decoder.close()
})
