import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataInUseError, ownData, socketPath } from './ownership.ts'

describe('the owner of the data', () => {
  let folder: string
  const owners: Server[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-owner-'))
  })
  afterEach(async () => {
    for (const owner of owners.splice(0)) owner.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function own(dataDir = folder): Promise<Server> {
    const owner = await ownData(dataDir, (server) => server)
    owners.push(owner)
    return owner
  }

  it('is a single process', async () => {
    const first = await own()
    await expect(own()).rejects.toThrow(DataInUseError)
    await new Promise((resolve) => first.close(resolve))
    await expect(own()).resolves.toBeDefined()
  })

  it('is one of many processes that start at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, async () => await own()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is no longer a process that was killed', async () => {
    const child = ownInAnotherProcess(folder)
    await once(child.stdout!, 'data')
    await expect(own()).rejects.toThrow(DataInUseError)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect(own()).resolves.toBeDefined()
  })

  it('listens only once requests are answered, because an earlier request would get no answer', async () => {
    let isListening: boolean | undefined
    owners.push(
      await ownData(folder, (server) => {
        isListening = server.listening
        return server
      }),
    )
    expect(isListening).toBe(false)
  })

  it('is found in a folder with a long name', async () => {
    const long = join(folder, 'x'.repeat(120))
    expect(Buffer.byteLength(socketPath(long))).toBeLessThanOrEqual(100)
    await own(long)
    await expect(own(long)).rejects.toThrow(DataInUseError)
  })

  it('is not looked for in a temporary folder to which others may write', async () => {
    const long = join(folder, 'y'.repeat(120))
    const substitute = dirname(socketPath(long))
    await chmod(substitute, 0o777)
    expect(() => socketPath(long)).toThrow(DataInUseError)
    await rm(substitute, { recursive: true })
    expect(dirname(socketPath(long))).toBe(substitute)
    await rm(substitute, { recursive: true })
  })
})

function ownInAnotherProcess(dataDir: string): ChildProcess {
  const module = JSON.stringify(new URL('./ownership.ts', import.meta.url).href)
  const script = `const { ownData } = await import(${module}); await ownData(${JSON.stringify(dataDir)}, () => undefined); console.log('owned')`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
