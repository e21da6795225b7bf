import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentData, homeContent } from '@ondine/contract/catalogue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { TOPICS } from '../../../database/changes.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { fingerprint } from './fingerprint.ts'
import { followImports, putImport } from './library.repository.ts'
import { prepareMedia } from './prepare-media.ts'

describe.each(MAIN_DB)('encoding progress, on a database of kind %s', { timeout: 300_000 }, (kind) => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-progress-'))
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it('appears on the page of the title, and clears no cache until the title is ready', async () => {
    const { context } = service
    const { changes } = context.connection
    const source = join(folder, 'slow.mp4')
    // The key frames are too far apart for copying the video, so ingest must encode it.
    const encoding = commandLine`-c:v libx264 -preset ultrafast -g 999`
    await ffmpeg([...picture({ size: '640x360', seconds: 8 }), ...tone(8), ...encoding, ...stereo, source])
    const sourceKey = 'films:slow.mp4'
    const film = await buildersOf(context).asset('La Houle', { sourceKey, trackSet: null })
    const id = await putImport(
      context.db,
      {
        kind: 'film',
        source,
        library: 'films',
        work: { target: { asset: sourceKey }, media: 'main', subtitles: [] },
        title: 'La Houle',
        fingerprint: await fingerprint({ path: source, subtitles: [] }),
      },
      service.clock.now(),
    )
    const availability = async () => {
      const { result } = await service.call(contentData, { idAsset: film.id })
      return result.content?.type === 'asset' ? result.content.payload.availability : undefined
    }
    expect(await availability()).toEqual({ state: 'preparing', percent: 0 })
    await service.call(homeContent, {})
    await changes.settled()
    const heard: string[] = []
    for (const topic of TOPICS) changes.on(topic, () => heard.push(topic))

    const preparing = prepareMedia(context, id, new AbortController().signal)
    const seen = new Set<number>()
    /** Numbers of notices before the title was ready. */
    const early = new Set<number>()
    let isOver = false
    const ending = preparing.finally(() => {
      isOver = true
    })
    // The interval leaves the processor to the encoder, which has a low priority.
    const observed = async () => {
      const told = heard.length
      const { states } = await followImports(context.db, [id])
      const shown = await availability()
      if (states.ready === undefined && shown?.state === 'preparing') {
        early.add(told)
        seen.add(shown.percent)
      }
      return isOver
    }
    await expect.poll(observed, { interval: 100, timeout: 240_000 }).toBe(true)
    expect(await ending).toBe('ready')
    expect([...early]).toEqual([0])
    expect([...seen].some((percent) => percent > 2)).toBe(true)
    expect(await availability()).toEqual({ state: 'ready', percent: 100 })
    await changes.settled()
    // One transaction makes the title ready, so there is one notice of a catalogue change.
    expect(heard.filter((topic) => topic === 'catalogue')).toEqual(['catalogue'])
    expect(new Set(heard)).toEqual(new Set(['catalogue', 'searchDocuments']))
  })
})
