import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/control/all-commands.ts'
import { readSettings } from '../src/env.ts'
import { scanFolder } from '../src/files/scan-folder.ts'
import { commandLine } from '../src/ingest/command-line.ts'
import { probe } from '../src/ingest/probe.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../src/ingest/test-media.ts'
import { createService } from '../src/service.ts'
import { buildersOf } from './builders.ts'
import { runCommand } from './commands.ts'
import { copyEmbedded } from './databases.ts'
import { startTestService, type TestService } from './service.ts'

const { signal } = new AbortController()

describe('awkward input', { timeout: 300_000 }, () => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startTestService()
    folder = await mkdtemp(join(tmpdir(), 'ondine-awkward-'))
    // `vouchers generate` looks for its voucher before it opens the file.
    const vouchers = join(folder, 'vouchers.yaml')
    await writeFile(vouchers, 'vouchers:\n  - { key: x, percentage: 10 }\n')
    await runCommand(service, 'vouchers import', [vouchers])
    OTHERS.account = (await buildersOf(service.context).actor()).account.email
  }, 300_000)
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** Every argument and option of a command that names a file or a folder. */
  const PLACES = COMMANDS.flatMap((command) => [
    ...command.arguments.flatMap(({ name, isPath }) => (isPath ? { command, place: `<${name}>` } : [])),
    ...(command.options ?? []).flatMap(({ flags, isPath }) => (isPath ? { command, place: flags } : [])),
  ]).map(({ command, place }) => ({ title: `${command.name} ${place}`, command, place }))

  /** Values of the command arguments that are not paths, by the name of the argument. */
  const OTHERS: Record<string, string> = {
    language: 'fra',
    address: 'articles/la-houle',
    count: '1',
    channel: '42',
  }

  async function runWithPath({ command, place }: (typeof PLACES)[number], path: string): Promise<string> {
    const args = command.arguments.map(({ name, isPath }) =>
      place === `<${name}>` ? path : isPath ? import.meta.filename : (OTHERS[name] ?? 'x'),
    )
    const [, option] = /^--([\w-]+)/.exec(place) ?? []
    const options = {
      language: 'fra',
      month: '2026-01',
      ...(option === undefined ? { name: 'x' } : { [option]: path }),
    }
    return await runCommand(service, command.name, args, options)
  }

  // If a command waited for a FIFO, the test would time out.
  it.each(PLACES)('$title refuses a FIFO and an endless device', { timeout: 60_000 }, async (place) => {
    const fifo = join(folder, `${place.title.replaceAll(/\W+/g, '-')}.fifo`)
    execFileSync('mkfifo', [fifo])
    for (const path of [fifo, '/dev/zero']) {
      const words = ['channels', 'guide'].find(
        (kind) => place.title.startsWith(`${kind} `) && / add </.test(place.title),
      )
      if (words === undefined) {
        await expect(runWithPath(place, path)).rejects.toThrow(path)
        continue
      }
      // A new source is only stored. The import then reads it.
      await runWithPath(place, path)
      const run = words === 'guide' ? 'guide sources run' : 'channels lists run'
      await expect(runCommand(service, run, ['x'])).rejects.toThrow(path)
    }
  })

  it('every place of a command line that names a file is tested', () => {
    expect(PLACES.length).toBeGreaterThanOrEqual(12)
  })

  it.each([
    ['import', 'film.mkv'],
    ['editorial import', 'text.md'],
  ])(
    '%s names files that are left out because their name is not UTF-8, and ends well',
    async (command, name) => {
      const home = await mkdtemp(join(folder, 'latin-'))
      const latin = Buffer.concat([Buffer.from(`${home}/`), Buffer.from('Été', 'latin1')])
      await mkdir(latin)
      await writeFile(Buffer.concat([latin, Buffer.from(`/${name}`)]), '')
      await writeFile(Buffer.concat([latin, Buffer.from(`-${name}`)]), '')
      const said = await runCommand(service, command, [home], { language: 'fra' })
      expect(said.match(/its name is not written in UTF-8/g)).toHaveLength(2)
    },
  )

  it('leaves out a name that is not UTF-8 and a FIFO in a library with their reason, and reads the rest', async () => {
    const library = join(folder, 'library')
    await mkdir(join(library, 'Bien'), { recursive: true })
    await writeFile(join(library, 'Bien', 'Bien.mkv'), '')
    await mkdir(Buffer.concat([Buffer.from(`${library}/`), Buffer.from('Été', 'latin1')]))
    execFileSync('mkfifo', [join(library, 'film.mkv')])
    const { root, problems, unread } = await scanFolder(library, signal)
    expect(root.folders.map(({ name }) => name)).toEqual(['Bien'])
    expect(problems.map(({ reason }) => reason).toSorted()).toEqual([
      'it is neither a file nor a folder',
      'its name is not written in UTF-8; rename it',
    ])
    expect(unread).toEqual([])
  })

  it('accepts a Matroska file whose clock starts at 100 s, and refuses a truncated one', async () => {
    const late = join(folder, 'late.mkv')
    const made = [...picture({ seconds: 10 }), ...tone(10), ...copyable, ...stereo]
    await ffmpeg([...made, ...commandLine`-output_ts_offset 100 ${late}`])
    expect((await probe(late, signal)).durationSeconds).toBeCloseTo(10, 0)
    const whole = execFileSync('cat', [late], { maxBuffer: 1e8 })
    const cut = join(folder, 'cut.mkv')
    await writeFile(cut, whole.subarray(0, whole.length / 2))
    await expect(probe(cut, signal)).rejects.toMatchObject({ reason: 'truncated' })
  })

  it('/readyz reports when the disk is full and when it is no longer; the log reports each change once', async () => {
    let free = 10
    const lines: string[] = []
    await copyEmbedded(join(folder, 'data'))
    const small = await createService({
      settings: readSettings({ DATA_DIR: join(folder, 'data'), OVERLOAD_DELAY_MS: '0' }),
      log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
      freeBytes: async () => free,
    })
    const ready = async () => await small.app.inject({ url: '/readyz' })
    expect((await ready()).statusCode).toBe(503)
    expect((await ready()).json()).toMatchObject({ reason: 'The disk is full.' })
    free = 1e12
    expect((await ready()).json()).toEqual({ status: 'ready' })
    free = 10
    for (let probe = 0; probe < 5; probe++) expect((await ready()).statusCode).toBe(503)
    // The log must not grow with each probe, because that would fill the disk further.
    expect(lines.filter((line) => line.includes('the disk of DATA_DIR is full'))).toHaveLength(2)
    await small.close()
  })
})
