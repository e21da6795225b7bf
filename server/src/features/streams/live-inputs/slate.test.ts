import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import { layoutOfChannel } from '@ondine/media/layout'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import { NOON, startTestService, type TestService } from '../../../../test/service.ts'
import type { Cut } from '../../../ingest/live/cutter.ts'
import { Slate } from './slate.ts'
import { slateLook } from './slate-look.ts'

const SECOND = 1000

describe('the slate of a silent input', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService('embedded')
  })
  afterAll(async () => await service.remove())

  /** A recorder whose last segment ended at noon. */
  function recorderOf(heights: number[] = [180]) {
    const stored: { end: number; cut: Cut; isSlate: boolean | undefined }[] = []
    const layout = layoutOfChannel([buildTrackSet({ heights, audio: ['fra'], subtitles: [] })], 4)
    const recorder = {
      segmentMs: 2 * SECOND,
      hasSignal: async () => true,
      endsAt: async () => stored.at(-1)?.end ?? NOON,
      layout: async () => layout,
      append: async (cut: Cut, end: number, isSlate?: boolean) => {
        stored.push({ end, cut, isSlate })
      },
    }
    return { recorder, stored }
  }

  const configure = async (content: ConfigurationDocument) => {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const { revision } = configurations.stored(id)
    await configurations.document(id).replace(revision, { ...content }, { author: 'test', reason: 'test' })
  }

  it('is encoded in the background, and then fills the time since the last segment', async () => {
    const { recorder, stored } = recorderOf()
    const slate = new Slate(service.context, recorder, NOON - 60 * SECOND)
    expect(await slate.fill(NOON + SECOND)).toBe(false)
    // A segment is late. The encoding of the slate begins, and `fill` does not wait for it.
    expect(await slate.fill(NOON + 6 * SECOND)).toBe(false)
    expect(stored).toEqual([])
    await vi.waitFor(async () => expect(await slate.fill(NOON + 7 * SECOND)).toBe(true), { timeout: 20_000 })
    expect(stored.map(({ end, isSlate }) => [(end - NOON) / SECOND, isSlate])).toEqual([
      [2, true],
      [4, true],
      [6, true],
    ])
    expect(stored.map(({ cut }) => cut.isContinuous)).toEqual([false, true, true])
    // The temporary files of the slate are removed.
    expect(await readdir(join(service.context.segments.workFolder, '.making'))).toEqual([])
  })

  it('waits while media arrives, as long as the longest segment may take, and then leaves no gap', async () => {
    const { recorder, stored } = recorderOf()
    const slate = new Slate(service.context, recorder, NOON - 60 * SECOND)
    for (let second = 0; second <= 24; second++)
      expect([second, await slate.fill(NOON + second * SECOND, true)]).toEqual([second, false])
    await vi.waitFor(async () => expect(await slate.fill(NOON + 25 * SECOND, true)).toBe(true), {
      timeout: 20_000,
    })
    expect(stored.map(({ end }) => (end - NOON) / SECOND)).toEqual(
      Array.from({ length: 12 }, (_, number) => 2 * (number + 1)),
    )
    // Media that arrives after a segment of the input is waited for again.
    slate.end()
    expect(await slate.fill(NOON + 35 * SECOND, true)).toBe(false)
  })

  it('stops while media arrives again, and goes on when it is silent again', async () => {
    const { recorder, stored } = recorderOf()
    const slate = new Slate(service.context, recorder, NOON - 60 * SECOND)
    await slate.fill(NOON + 6 * SECOND)
    await vi.waitFor(async () => expect(await slate.fill(NOON + 6 * SECOND)).toBe(true), { timeout: 20_000 })
    for (let second = 7; second <= 16; second++) await slate.fill(NOON + second * SECOND, true)
    expect(stored.at(-1)?.end).toBe(NOON + 6 * SECOND)
    await slate.fill(NOON + 17 * SECOND)
    expect(stored.map(({ end }) => (end - NOON) / SECOND)).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
  })

  it('19.2 shows on a channel that was never on the air, once its first segment is overdue', async () => {
    const { recorder, stored } = recorderOf()
    const silent = {
      ...recorder,
      endsAt: async () => stored.at(-1)?.end ?? null,
      layout: async () => null,
    }
    const slate = new Slate(service.context, silent, NOON)
    for (let second = 0; second < 30; second++)
      expect([second, await slate.fill(NOON + second * SECOND)]).toEqual([second, false])
    await vi.waitFor(async () => expect(await slate.fill(NOON + 31 * SECOND)).toBe(true), { timeout: 20_000 })
    await slate.fill(NOON + 33 * SECOND)
    expect(stored.map(({ end, isSlate }) => [(end - NOON) / SECOND, isSlate])).toEqual([
      [31, true],
      [33, true],
    ])
    const [picture, sound] = stored[0]?.cut.tracks.map(({ format }) => format) ?? []
    expect(picture).toMatchObject({ width: 1280, height: 720 })
    expect(sound?.track).toMatchObject({ kind: 'audio', language: 'fra' })
  })

  it('19.2 waits for the first media that arrives', async () => {
    const { recorder } = recorderOf()
    const slate = new Slate(
      service.context,
      { ...recorder, endsAt: async () => null, layout: async () => null },
      NOON,
    )
    for (let second = 0; second < 40; second++)
      expect([second, await slate.fill(NOON + second * SECOND, true)]).toEqual([second, false])
  })

  it('is encoded once for all inputs of one shape', async () => {
    const { recorder, stored } = recorderOf()
    const slate = new Slate(service.context, recorder, NOON - 60 * SECOND)
    await slate.fill(NOON + 6 * SECOND)
    await vi.waitFor(async () => expect(await slate.fill(NOON + 7 * SECOND)).toBe(true), { timeout: 200 })
    expect(stored).toHaveLength(3)
  })

  it('has the name, the colours and the language of the storefront', async () => {
    expect(slateLook(service.context)).toMatchObject({
      name: 'Ondine',
      logo: '',
      sentence: 'Le signal revient dans un instant.',
    })
    expect(slateLook(service.context, true)).toMatchObject({ sentence: 'Le direct commence bientôt.' })
    await configure({
      brand: { name: 'Nocturne', logos: { compact: 'data:image/svg+xml,%3Csvg/%3E', full: '/logo.svg' } },
      colors: { surface0: '#120c12', accent: '#f2b880' },
      languages: { default: 'eng' },
    })
    expect(slateLook(service.context)).toMatchObject({
      name: 'Nocturne',
      logo: 'data:image/svg+xml,%3Csvg/%3E',
      sentence: 'The signal will be back in a moment.',
      background: '#120c12',
      accent: '#f2b880',
    })
  })
})
