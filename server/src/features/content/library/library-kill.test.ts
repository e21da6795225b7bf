import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TrackSet } from '@ondine/media/track-set'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyEmbedded } from '../../../../test/databases.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'

const ONDINE = fileURLToPath(new URL('../../../../../script/ondine', import.meta.url))

let folder: string
let films: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-kill-'))
  films = join(folder, 'films')
  await copyEmbedded(join(folder, 'data'))
  await mkdir(films)
  // Preparing the first film is quick. The second film must be encoded, which takes some seconds.
  await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, join(films, 'a.mp4')])
  await ffmpeg([
    ...picture({ size: '640x360', seconds: 30 }),
    ...commandLine`-c:v libx264 -preset ultrafast -g 999 ${join(films, 'b.mp4')}`,
  ])
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

function importFilms(): ChildProcess {
  return spawn(ONDINE, ['import', films], {
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Waits until a line of the output matches. @returns the output until then */
async function outputUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let said = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (wanted.test(said)) resolve(said)
    })
    child.once('close', () => reject(new Error(`it ended: ${said}`)))
  })
}

it('an import that is killed repeatedly loses nothing that was ready, and finishes', async () => {
  const published = async (): Promise<string[]> =>
    (await readdir(join(folder, 'data', 'media'))).filter((name) => !name.startsWith('.'))

  // On a fast machine, the first film may be ready before its first progress report.
  const moments = [/now [ab]: \d+ %/, /now b: [1-9]\d* %/]
  let before: string[] = []
  for (const moment of moments) {
    const child = importFilms()
    await outputUntil(child, moment)
    child.kill('SIGKILL')
    await once(child, 'close')
    const now = await published()
    expect(now).toEqual(expect.arrayContaining(before))
    before = now
  }
  expect(before.length).toBeLessThanOrEqual(1)

  const last = importFilms()
  const said = await outputUntil(last, /titles withdrawn/)
  await once(last, 'close')
  expect(said).toContain('2 films')
  expect(said).toMatch(/, 0 not imported/)
  const sets = await published()
  expect(sets).toHaveLength(2)
  expect(sets).toEqual(expect.arrayContaining(before))
  expect(await readdir(join(folder, 'data', 'media', '.making'))).toEqual([])
  for (const id of sets) {
    const home = join(folder, 'data', 'media', id)
    const { renditions }: TrackSet = JSON.parse(await readFile(join(home, 'track-set.json'), 'utf8'))
    for (const rendition of renditions) {
      const count = rendition.segments.reduce((sum, [, times]) => sum + times, 0)
      expect(await readdir(join(home, rendition.id))).toHaveLength(count + 1)
    }
  }
}, 600_000)
