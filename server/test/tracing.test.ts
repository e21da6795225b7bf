import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { redirectedKey } from '@ondine/contract/configuration-calls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { copyEmbedded } from './databases.ts'
import { closeServer, listenLocally } from './local-server.ts'

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

describe('traces', { timeout: 300_000 }, () => {
  let folder: string
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-tracing-'))
    await copyEmbedded(folder)
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  async function collector(answer: RequestListener): Promise<string> {
    const server = createServer(answer)
    const origin = await listenLocally(server)
    closing.push(async () => await closeServer(server))
    return origin
  }

  /** Runs a service that sends traces to `endpoint`, and makes a call. */
  async function serviceAfterCall(endpoint: string) {
    const service = spawn(ONDINE, ['serve'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_FORMAT: 'json',
        OVERLOAD_DELAY_MS: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      },
    })
    const log = text(service.stderr)
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
    const origin = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`
    expect((await fetch(`${origin}${redirectedKey.path}`)).status).toBe(200)
    return {
      /** Ends the service, and returns its exit code and log. */
      end: async () => {
        service.kill('SIGTERM')
        const [code] = (await once(service, 'exit')) as [number]
        return { code, log: await log }
      },
    }
  }

  it.each([
    ['refuses connections', async () => 'http://127.0.0.1:1'],
    ['never answers', async () => await collector(() => undefined)],
  ])('a collector that %s is logged, and the service ends in time all the same', async (_how, start) => {
    const service = await serviceAfterCall(await start())
    const { code, log } = await service.end()
    expect(log).toContain('the last traces could not be sent to the collector')
    expect(code).toBe(0)
    // The embedded database removes this file when it is closed.
    await expect(access(join(folder, 'database', 'postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  it('the address of a collector may end with a slash', async () => {
    const paths: (string | undefined)[] = []
    const origin = await collector(({ url }, response) => {
      paths.push(url)
      response.end()
    })
    const service = await serviceAfterCall(`${origin}/`)
    expect((await service.end()).code).toBe(0)
    expect(paths).toEqual(['/v1/traces'])
  })
})
