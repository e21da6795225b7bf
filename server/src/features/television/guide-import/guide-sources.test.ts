import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { programmes } from './guide.table.ts'
import { startGuideJobs } from './guide-jobs.ts'
import { requestGuideImport } from './guide-sources.service.ts'
import { endLostRuns } from './import-runs.service.ts'

describe.each(MAIN_DB)('guide sources, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let elsewhere: Server
  let base: string
  let served: Buffer = Buffer.alloc(0)
  let whenServed: () => Promise<void> = async () => {}

  beforeAll(async () => {
    elsewhere = createServer((_request, response) => {
      const half = served.length >> 1
      response.writeHead(200, { 'content-length': served.length }).write(served.subarray(0, half))
      void whenServed().then(() => response.end(served.subarray(half)))
    })
    base = await listenLocally(elsewhere)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
    const list = join(folder, 'list.m3u')
    await writeFile(list, '#EXTM3U\n#EXTINF:-1 tvg-id="trois",Trois\nhttp://stream.example/trois.m3u8\n')
    await runCommand(service, 'channels import', [list])
  })
  afterAll(async () => {
    await closeServer(elsewhere)
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const announced = async () =>
    (await service.context.db.select().from(programmes)).map(({ titles }) => titles.fra)

  it('imports a compressed guide from an address in a job; another process sees the result', async () => {
    served = gzipSync(guideOf(show('trois', 0, 1, '<title>Nightly</title>')))
    const said = await runCommand(service, 'guide sources add', ['night', `${base}/guide.xml.gz`], {
      cron: '15 3 * * *',
      timeZone: 'Europe/Paris',
    })
    expect(said).toContain('it is imported by 15 3 * * *, in UTC.')
    expect(await runCommand(service, 'guide sources list')).toContain('not imported yet')
    expect(await runCommand(service, 'guide sources run', ['night'])).toContain('1 programmes added')
    expect(await announced()).toEqual(['Nightly'])
    served = gzipSync(guideOf(show('trois', 0, 1, '<title>By the job</title>')))
    await startGuideJobs(service.context)
    await requestGuideImport(service.context, 'night')
    await expect.poll(async () => await announced(), { timeout: 20_000 }).toEqual(['By the job'])
    await expect(
      runCommand(service, 'guide sources add', ['bad', base], { cron: 'every day' }),
    ).rejects.toThrow('cron')
    await expect(
      runCommand(service, 'guide sources add', ['bad', base], { timeZone: 'Mars' }),
    ).rejects.toThrow('time zone')
    await expect(runCommand(service, 'guide sources add', ['bad', 'ftp://x/y'])).rejects.toThrow('http')
    await expect(runCommand(service, 'guide sources run', ['bad'])).rejects.toThrow('There is no source bad.')
    await runCommand(service, 'guide sources remove', ['night'])
    expect(await announced()).toEqual([])
    await expect(runCommand(service, 'guide import', ['http://10.0.0.1/guide.xml'])).rejects.toThrow(
      'private network',
    )
  })

  it('records the success of an import although a service that started meanwhile marked it as lost', async () => {
    const { context, clock } = service
    served = Buffer.from(guideOf(show('trois', 0, 1, '<title>Not lost</title>')))
    whenServed = async () => await endLostRuns(context.db, clock.now() + 1, clock.now())
    await runCommand(service, 'guide sources add', ['begun', `${base}/guide.xml`])
    await runCommand(service, 'guide sources run', ['begun'])
    whenServed = async () => {}
    expect(await runCommand(service, 'guide sources list')).toMatch(/begun: .*\n.*added 1,/)
    await runCommand(service, 'guide sources remove', ['begun'])
  })

  it('leaves no spooled data on the disk when an import is killed', async () => {
    const temporary = join(folder, 'temporary')
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    served = Buffer.from(
      guideOf(show('trois', 0, 1, `<title>Half of it</title><desc>${'x'.repeat(1e6)}</desc>`)),
    )
    let left: string[] | undefined
    whenServed = async () => {
      const underWay = async () => await runCommand(service, 'guide sources list')
      await expect.poll(underWay, { timeout: 20_000 }).toMatch(/under way: [1-9]/)
      left = await readdir(temporary)
    }
    try {
      await runCommand(service, 'guide sources add', ['killed', `${base}/guide.xml`])
      await runCommand(service, 'guide sources run', ['killed'])
    } finally {
      vi.unstubAllEnvs()
      whenServed = async () => {}
    }
    // During the import, the folder for temporary files is empty: the files are already unlinked. The system frees
    // them when the process ends, even if it is killed.
    expect(left).toEqual([])
    expect(await announced()).toEqual(['Half of it'])
    await runCommand(service, 'guide sources remove', ['killed'])
  })

  it('keeps an import although its pictures could not be requested', async () => {
    const { db } = service.context
    served = Buffer.from(guideOf(show('trois', 0, 1, '<title>Without pictures</title>')))
    await runCommand(service, 'guide sources add', ['alone', `${base}/guide.xml`])
    await db.execute(sql`alter schema jobs rename to jobs_away`)
    try {
      expect(await runCommand(service, 'guide sources run', ['alone'])).toContain('1 programmes added')
    } finally {
      await db.execute(sql`alter schema jobs_away rename to jobs`)
    }
    expect(await announced()).toEqual(['Without pictures'])
    expect(await runCommand(service, 'guide sources list')).toMatch(/alone: .*\n.*added 1,/)
  })
})
