import { createServer, type Server } from 'node:http'
import { epg, listChannels } from '@ondine/contract/channels'
import { ERRORS } from '@ondine/contract/errors'
import {
  addChannelList,
  addGuideSource,
  changeChannelList,
  changeGuideSource,
  channelListRuns,
  guideSourceRuns,
  importRemarks,
  listChannelLists,
  listGuideSources,
  removeChannelList,
  removeGuideSource,
  runChannelList,
  runGuideSource,
} from '@ondine/contract/import-calls'
import { channelList, guideSource } from '@ondine/contract/import-sources'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { pinMedia } from '../../../../test/pinned-media.ts'
import { MAIN_DB, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { startListJobs } from '../channel-lists/list-jobs.ts'
import { startGuideJobs } from './guide-jobs.ts'

const stamp = (hours: number) =>
  `${new Date(NOON + hours * 3600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')} +0000`
const LIST = `#EXTM3U
#EXTINF:-1 tvg-id="un.fr",Un
http://stream.example/un.m3u8
#EXTINF:-1,Dedans
http://192.168.1.7/live.m3u8
`
const GUIDE = `<tv>
<programme channel="un.fr" start="${stamp(0)}" stop="${stamp(1)}"><title>Midi</title></programme>
<programme channel="un.fr" start="soon"><title>Soon</title></programme>
<programme channel="un.fr" start="${stamp(1)}"><desc>No title</desc></programme>
</tv>`

describe.each(MAIN_DB)('import calls of operators, on a database of kind %s', (kind) => {
  let service: TestService
  let elsewhere: Server
  let base: string
  let headers: Tokens
  const served: Record<string, string> = { '/list.m3u': LIST, '/guide.xml': GUIDE }

  beforeAll(async () => {
    elsewhere = createServer((request, response) => response.end(served[request.url ?? ''] ?? ''))
    base = await listenLocally(elsewhere)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    headers = (await buildersOf(service.context).operator()).tokens
    await startGuideJobs(service.context)
    await startListJobs(service.context)
  })
  afterAll(async () => {
    await closeServer(elsewhere)
    await service.remove()
  })

  const list = (fields: object) => channelList.parse({ name: 'box', location: `${base}/list.m3u`, ...fields })
  const guide = (fields: object) =>
    guideSource.parse({ name: 'tv', location: `${base}/guide.xml`, ...fields })
  const PAGE = { offset: 0, limit: 50 }

  it('stores, imports, follows and changes a list of channels, and deletes it with its channels', async () => {
    const { result: made } = await service.call(
      addChannelList,
      { list: list({ cron: '45 2 * * *' }) },
      headers,
    )
    expect(made).toMatchObject({ name: 'box', cron: '45 2 * * *', defaults: {}, run: null })
    const { id } = made
    expect((await service.call(runChannelList, { id }, headers)).result).toEqual({ queued: true })
    const runs = async () => (await service.call(channelListRuns, { id, ...PAGE }, headers)).result
    await expect.poll(async () => (await runs()).runs[0]?.endedAt ?? null, { timeout: 30_000 }).not.toBeNull()
    const [run] = (await runs()).runs
    expect(run).toMatchObject({ percent: 100, failure: null, remarks: 1, counts: { added: 1, refused: 1 } })
    const { result: remarks } = await service.call(importRemarks, { id: run?.id ?? 0, ...PAGE }, headers)
    expect(remarks).toEqual({
      total: 1,
      remarks: [{ line: 5, reason: '192.168.1.7 is inside a private network; the operator can allow it.' }],
    })
    expect((await service.call(listChannels, {})).result.map(({ name }) => name)).toEqual(['Un'])
    const changes = { cron: null, defaults: { moralityLevel: 3 } }
    const { result: changed } = await service.call(changeChannelList, { id, changes }, headers)
    expect(changed).toMatchObject({ location: `${base}/list.m3u`, ...changes, run: { percent: 100 } })
    expect((await service.call(listChannelLists, {}, headers)).result).toEqual([changed])
    const { idChannel = 0 } = (await service.call(listChannels, {})).result[0] ?? {}
    await pinMedia(service.context.db, idChannel, { from: NOON, to: NOON + 1 })
    const refused = await service.call(removeChannelList, { id, withRecordings: false }, headers)
    expect(refused.error.code).toBe(ERRORS.conflict.code)
    expect((await service.call(listChannels, {})).result).toHaveLength(1)
    await service.call(removeChannelList, { id, withRecordings: true }, headers)
    expect((await service.call(listChannelLists, {}, headers)).result).toEqual([])
    expect((await service.call(listChannels, {})).result).toEqual([])
  })

  it('stores, imports and follows a guide, returns its remarks by pages, and deletes it with its programmes', async () => {
    const { result: channels } = await service.call(addChannelList, { list: list({}) }, headers)
    await service.call(runChannelList, { id: channels.id }, headers)
    const shown = async () => (await service.call(listChannels, {})).result.length
    await expect.poll(shown, { timeout: 30_000 }).toBe(1)
    const { result: made } = await service.call(addGuideSource, { source: guide({ priority: 70 }) }, headers)
    const { id } = made
    const runs = async () => (await service.call(guideSourceRuns, { id, ...PAGE }, headers)).result
    const ended = async (count: number) =>
      await expect
        .poll(async () => (await runs()).runs.filter(({ endedAt }) => endedAt !== null).length, {
          timeout: 30_000,
        })
        .toBe(count)
    await service.call(runGuideSource, { id }, headers)
    await ended(1)
    const [run] = (await runs()).runs
    expect(run).toMatchObject({ failure: null, remarks: 2, counts: { added: 1, refused: 2, read: 3 } })
    const page = async (offset: number) =>
      (await service.call(importRemarks, { id: run?.id ?? 0, offset, limit: 1 }, headers)).result
    expect(await page(0)).toEqual({
      total: 2,
      remarks: [{ line: 3, reason: 'Its start soon is not a time.' }],
    })
    expect(await page(1)).toEqual({ total: 2, remarks: [{ line: 4, reason: 'It has no title.' }] })
    expect((await page(2)).remarks).toEqual([])
    const titles = async () =>
      Object.values((await service.call(epg, { start: NOON / 1000, offset: 0, hours: 24 })).result).flatMap(
        (each) => each.map(({ title }) => title),
      )
    expect(await titles()).toEqual(['Midi'])
    served['/guide.xml'] = 'no guide'
    await service.call(runGuideSource, { id }, headers)
    await ended(2)
    expect(await runs()).toMatchObject({
      total: 2,
      runs: [{ failure: expect.stringContaining('not a guide') }, { failure: null }],
    })
    expect(await titles()).toEqual(['Midi'])
    const { result: all } = await service.call(listGuideSources, {}, headers)
    expect(all).toMatchObject([{ id, name: 'tv', priority: 70, run: { failure: expect.any(String) } }])
    await service.call(removeGuideSource, { id }, headers)
    expect(await titles()).toEqual([])
    expect((await service.call(guideSourceRuns, { id, ...PAGE }, headers)).status).toBe(404)
  })

  it('refuses invalid input by field, and stores nothing of it', async () => {
    const { result: known } = await service.call(
      addGuideSource,
      { source: guide({ name: 'known' }) },
      headers,
    )
    const refused: [object, string][] = [
      [{ location: '/etc/passwd' }, 'source.location'],
      [{ location: 'ftp://guides.example/x' }, 'source.location'],
      [{ cron: '61 99 * * *' }, 'source.cron'],
    ]
    for (const [fields, field] of refused) {
      const answer = await service.call(
        addGuideSource,
        { source: guide({ name: 'new', ...fields }) },
        headers,
      )
      expect(answer.status).toBe(400)
      expect(answer.error.details?.fields?.map((each) => each.field)).toEqual([field])
    }
    expect((await service.call(addGuideSource, { source: guide({ name: 'known' }) }, headers)).status).toBe(
      409,
    )
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: 'other' }, 'changes.name'],
      [{ timeZone: 'Mars' }, 'changes.timeZone'],
      [{ priority: 101 }, 'changes.priority'],
      [{ location: '/etc/passwd' }, 'changes.location'],
      [{ unratedLevel: 'high' }, 'changes.unratedLevel'],
    ]
    for (const [changes, field] of wrong) {
      const answer = await service.call(changeGuideSource, { id: known.id, changes }, headers)
      expect(answer.status).toBe(400)
      expect(answer.error.details?.fields?.map((each) => each.field)).toEqual([field])
    }
    const { result: all } = await service.call(listGuideSources, {}, headers)
    expect(all.map(({ name, timeZone }) => [name, timeZone])).toEqual([['known', 'UTC']])
  })
})
