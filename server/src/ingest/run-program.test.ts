import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { inspect, promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ProgramError, programReason, runProgram } from './run-program.ts'

const limits = { wallSeconds: 20, memoryBytes: 4e9, outputBytes: 1e6 }
const { signal } = new AbortController()

/**
 * Returns whether a process is running. A process that has ended, but that its parent has not reaped yet, is not
 * running.
 */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status !== '' && !/\) [ZX] /.test(status)
}

describe('a program', () => {
  it('gets its arguments unchanged, and hardly any environment', async () => {
    process.env.ONDINE_TEST_SECRET = 'secret'
    const hostile = ['$(id)', 'a b', '; touch x', '\n', '"', '-n']
    const output = await runProgram({ program: 'printf', arguments: ['%s|', ...hostile], signal, limits })
    expect(output.toString()).toBe(hostile.map((word) => `${word}|`).join(''))
    const environment = await runProgram({ program: 'env', arguments: [], signal, limits })
    expect(environment.toString()).not.toContain('secret')
  })

  it('runs at low priority', async () => {
    const output = await runProgram({ program: 'nice', arguments: [], signal, limits })
    expect(Number(output.toString())).toBeGreaterThanOrEqual(10)
  })

  it('has a session of low priority, where the system shares out the processors by session', async () => {
    const session = '/proc/self/autogroup'
    const isGrouped = existsSync(session)
    // The program waits until its priority has been lowered. If it waits too long, the time limit kills it.
    const waiting = `until grep -q 'nice 10$' ${session}; do :; done; cat ${session}`
    const output = await runProgram({
      program: 'sh',
      arguments: ['-c', isGrouped ? waiting : 'echo nice 10'],
      signal,
      limits,
    })
    expect(output.toString()).toMatch(/nice 10\n$/)
  })

  it('that fails reports its last output', async () => {
    const failing = runProgram({ program: 'sh', arguments: ['-c', 'echo why >&2; exit 3'], signal, limits })
    await expect(failing).rejects.toMatchObject({ name: 'ProgramError', end: 'exit', tail: 'why' })
  })

  it('that is not installed is reported as missing', async () => {
    const missing = runProgram({ program: 'no-such-program', arguments: [], signal, limits })
    await expect(missing).rejects.toMatchObject({ name: 'ProgramError', end: 'missing' })
  })

  it('that cannot be started does not tell its arguments, which may contain secrets', async () => {
    const run = { program: 'true', arguments: ['secret'], folder: '/no/such/folder', signal, limits }
    const error: unknown = await runProgram(run).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(inspect(error)).not.toContain('secret')
  })

  it('that takes too long is killed', async () => {
    const slow = runProgram({
      program: 'sleep',
      arguments: ['30'],
      signal,
      limits: { ...limits, wallSeconds: 0.2 },
    })
    await expect(slow).rejects.toMatchObject({ end: 'time' })
  })

  it('that writes too much is killed', async () => {
    const endless = runProgram({ program: 'yes', arguments: [], signal, limits })
    await expect(endless).rejects.toMatchObject({ end: 'output' })
  })

  it('that needs too much memory fails', async () => {
    const greedy = runProgram({
      program: 'sh',
      arguments: ['-c', 'head -c 500000000 /dev/zero | tail -c 500000000 >/dev/null'],
      signal,
      limits: { ...limits, memoryBytes: 1e8 },
    })
    await expect(greedy).rejects.toMatchObject({ name: 'ProgramError' })
  })

  it('is killed with all its children when the signal aborts', async () => {
    const controller = new AbortController()
    let pids: number[] = []
    const running = runProgram({
      program: 'sh',
      arguments: ['-c', 'sleep 60 & echo $$ $!; wait'],
      signal: controller.signal,
      limits,
      onOutput: (chunk) => {
        pids = chunk.toString().trim().split(' ').map(Number)
        controller.abort(new Error('enough'))
      },
    })
    await expect(running).rejects.toThrow('enough')
    expect(pids).toHaveLength(2)
    for (const pid of pids) await expect.poll(async () => await isRunning(pid)).toBe(false)
  })

  it('dies with the process that started it, even by kill -9', async () => {
    const script =
      `import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};` +
      `await runProgram({ program: 'sh', arguments: ['-c', 'echo $$; exec sleep 60'], signal: new AbortController().signal,` +
      `limits: ${JSON.stringify(limits)}, onOutput: (chunk) => { console.log(chunk.toString()); process.kill(process.pid, 'SIGKILL') } })`
    const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    const killed: unknown = await child.catch((error: unknown) => error)
    expect(killed).toMatchObject({ signal: 'SIGKILL' })
    const pid = Number((killed as { stdout: string }).stdout)
    expect(pid).toBeGreaterThan(1)
    await expect.poll(async () => await isRunning(pid)).toBe(false)
  })
})

describe('a failure', () => {
  it.each([
    [new ProgramError('ffmpeg', 'time', ''), 'tookTooLong'],
    [new ProgramError('ffmpeg', 'missing', ''), 'programMissing'],
    [new ProgramError('ffmpeg', 'exit', 'av_interleaved_write_frame(): No space left on device'), 'diskFull'],
    [new ProgramError('ffmpeg', 'exit', 'Cannot allocate memory'), 'tooMuchMemory'],
    [new ProgramError('ffmpeg', 'exit', 'something else'), 'encodingFailed'],
  ])('%s is %s', (error, reason) => expect(programReason(error, 'encodingFailed')).toMatchObject({ reason }))

  it('of another kind is passed on unchanged', () => {
    const error = new Error('stop')
    expect(programReason(error, 'encodingFailed')).toBe(error)
  })
})
