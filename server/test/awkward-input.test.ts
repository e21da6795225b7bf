import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../src/env.ts'
import { scanFolder } from '../src/features/library/scan-folder.ts'
import { probe } from '../src/ingest/probe.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../src/ingest/test-media.ts'
import { words } from '../src/ingest/words.ts'
import { createService } from '../src/service.ts'
import { runCommand } from './commands.ts'
import { freshPglite, startTestService, type TestService } from './service.ts'

const { signal } = new AbortController()

describe('awkward input', { timeout: 300_000 }, () => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startTestService()
    folder = await mkdtemp(join(tmpdir(), 'ondine-awkward-'))
  }, 300_000)
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['channels import', 'guide import', 'config load', 'menus load', 'import', 'editorial import'])(
    '%s takes neither a FIFO nor a device that never ends',
    async (command) => {
      const fifo = join(folder, `${command.replace(' ', '-')}.fifo`)
      execFileSync('mkfifo', [fifo])
      for (const path of [fifo, '/dev/zero'])
        await expect(runCommand(service, command, [path], { name: 'x', language: 'fra' })).rejects.toThrow(
          path,
        )
    },
  )

  it('a name that is not UTF-8 and a FIFO in a library are left out with their reason, and the rest is read', async () => {
    const library = join(folder, 'library')
    await mkdir(join(library, 'Bien'), { recursive: true })
    await writeFile(join(library, 'Bien', 'Bien.mkv'), '')
    await mkdir(Buffer.concat([Buffer.from(`${library}/`), Buffer.from('Été', 'latin1')]))
    execFileSync('mkfifo', [join(library, 'film.mkv')])
    const { root, problems, unread } = await scanFolder(library, signal)
    expect(root.folders.map(({ name }) => name)).toEqual(['Bien'])
    expect(problems.map(({ reason }) => reason).toSorted()).toEqual([
      'it is no file',
      'its name is not written in UTF-8; rename it',
    ])
    expect(unread).toEqual([])
  })

  it('a Matroska file whose clock starts at 100 s is whole; one that was cut is not', async () => {
    const late = join(folder, 'late.mkv')
    const made = [...picture({ seconds: 10 }), ...tone(10), ...copyable, ...stereo]
    await ffmpeg([...made, ...words`-output_ts_offset 100 ${late}`])
    expect((await probe(late, signal)).durationSeconds).toBeCloseTo(10, 0)
    const whole = execFileSync('cat', [late], { maxBuffer: 1e8 })
    const cut = join(folder, 'cut.mkv')
    await writeFile(cut, whole.subarray(0, whole.length / 2))
    await expect(probe(cut, signal)).rejects.toMatchObject({ reason: 'truncated' })
  })

  it('/readyz says that the disk is full, and when it is not any more', async () => {
    let free = 10
    const small = await createService({
      settings: readSettings({ DATA_DIR: join(folder, 'data'), OVERLOAD_DELAY_MS: '0' }),
      log: pino({ level: 'silent' }),
      pglite: await freshPglite(),
      freeBytes: async () => free,
    })
    const ready = async () => await small.app.inject({ url: '/readyz' })
    expect((await ready()).statusCode).toBe(503)
    expect((await ready()).json()).toMatchObject({ reason: 'The disk is full.' })
    free = 1e12
    expect((await ready()).json()).toEqual({ status: 'ready' })
    await small.close()
  })

  it('the command line names an unknown command', () => {
    const ondine = fileURLToPath(new URL('../../script/ondine', import.meta.url))
    expect(() =>
      execFileSync(ondine, ['reticulate'], {
        env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'none') },
        stdio: 'pipe',
      }),
    ).toThrow("unknown command 'reticulate'")
  })
})
