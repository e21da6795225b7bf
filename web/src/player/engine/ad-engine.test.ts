import type { AdBreak } from '@ondine/contract/playback'
import { describe, expect, test } from 'vitest'
import { withAds } from './ad-engine.ts'
import { NOTHING_READ, type Stream, type StreamEngine } from './engine.ts'

const ad = (duration: number, skipAfter: number | null = null) => ({
  duration,
  skipAfter,
  clickUrl: null,
  report: `${duration}`,
})

/**
 * A film of 100 s with three breaks: 10 s at the beginning, 20 + 5 s at 40 s, and 8 s at the end. Total: 143 s.
 */
const BREAKS: AdBreak[] = [
  { position: 0, startsAt: 0, ads: [ad(10)] },
  { position: 40, startsAt: 50, ads: [ad(20, 5), ad(5)] },
  { position: 100, startsAt: 135, ads: [ad(8)] },
]
const STREAM: Stream = {
  url: '/play/t/manifest.mpd',
  licence: null,
  startAt: null,
  languages: { audio: 'fra', sub: 'non' },
}

/** Creates an engine whose position jumps to the target of each seek. */
function player(breaks: AdBreak[] | undefined = BREAKS) {
  const at = { position: 0 }
  const loaded: Stream[] = []
  const bare: StreamEngine = {
    prepare: () => {},
    load: async (stream) => {
      loaded.push(stream)
      at.position = stream.startAt ?? 0
    },
    play: async () => true,
    pause: () => {},
    unload: () => {},
    seek: (position) => {
      at.position = position
    },
    read: () => ({
      ...NOTHING_READ,
      position: at.position,
      duration: 143,
      bufferedUntil: at.position,
      range: { start: 0, end: 143 },
      edge: 143,
    }),
    setVolume: () => {},
    setMuted: () => {},
    setSpeed: () => {},
    chooseAudio: () => {},
    chooseSubtitles: () => {},
    chooseQuality: () => {},
    thumbnail: async (position) => ({
      url: `${position}`,
      x: 0,
      y: 0,
      width: 1,
      height: 1,
      imageWidth: 1,
      imageHeight: 1,
    }),
    listen: () => () => {},
    destroy: () => {},
  }
  const engine = withAds(bare)
  /** Plays the stream to a position of the manifest, and reads the engine once a second. */
  const playTo = (position: number) => {
    while (at.position < position) {
      at.position = Math.min(position, at.position + 1)
      engine.read()
    }
  }
  return {
    engine,
    at,
    loaded,
    playTo,
    open: async (startAt: number | null = null) => await engine.load({ ...STREAM, startAt, breaks }),
  }
}

describe('an engine with advertisements', () => {
  test('V4-32 tells the advertisement, its number and the count of its break', async () => {
    const { engine, open, at, playTo } = player()
    await open()
    expect(engine.read()).toMatchObject({ position: 0, duration: 100, ad: { number: 1, count: 1 } })
    playTo(30)
    expect(engine.read()).toMatchObject({ position: 20, range: { start: 0, end: 100 } })
    expect(engine.read().ad).toBeUndefined()
    at.position = 72
    expect(engine.read()).toMatchObject({ position: 40, ad: { number: 2, count: 2, position: 2 } })
    at.position = 80
    expect(engine.read()).toMatchObject({ position: 45 })
  })

  test('V4-33 does not seek during an advertisement', async () => {
    const { engine, open, at } = player()
    await open()
    engine.seek(30)
    expect(at.position).toBe(0)
  })

  test('V4-52 continues at the position of the other screen after the advertisement', async () => {
    const { engine, open, at, playTo } = player()
    await open()
    playTo(5)
    engine.seek(60)
    expect(engine.read()).toMatchObject({ position: 60, ad: { number: 1 } })
    playTo(10)
    expect(at.position).toBe(95)
    expect(engine.read()).toMatchObject({ position: 60 })
    expect(engine.read().ad).toBeUndefined()
  })

  test('V4-32 skips an advertisement that may be skipped, after its delay', async () => {
    const { engine, open, at } = player()
    await open()
    engine.skipAd()
    expect(at.position).toBe(0)
    at.position = 54
    engine.skipAd()
    expect(at.position).toBe(54)
    at.position = 55
    engine.skipAd()
    expect(at.position).toBe(70)
    // The second advertisement of the break may not be skipped, so nothing changes.
    engine.skipAd()
    expect(at.position).toBe(70)
  })

  test('a seek over a break plays the break, and then continues where the viewer wanted', async () => {
    const { engine, open, at, playTo } = player()
    await open()
    playTo(20)
    engine.seek(90)
    expect(at.position).toBe(50)
    expect(engine.read()).toMatchObject({ position: 90, ad: { number: 1 } })
    playTo(75)
    expect(at.position).toBe(125)
    expect(engine.read()).toMatchObject({ position: 90 })
    // A break that was watched does not play again.
    engine.seek(30)
    expect(at.position).toBe(40)
    engine.seek(39)
    playTo(50)
    expect(at.position).toBe(75)
    expect(engine.read()).toMatchObject({ position: 40, duration: 100 })
    expect(engine.read().ad).toBeUndefined()
  })

  test('a seek back plays no break, not even an unwatched break', async () => {
    const { engine, open, at, playTo } = player()
    await open(45)
    expect(engine.read()).toMatchObject({ position: 45, ad: { number: 1 } })
    playTo(75)
    expect(engine.read()).toMatchObject({ position: 45 })
    // Playback began at 45 s, so the break at the beginning of the film is still unwatched.
    engine.seek(35)
    expect(at.position).toBe(45)
    expect(engine.read()).toMatchObject({ position: 35 })
    expect(engine.read().ad).toBeUndefined()
  })

  test('a film that is continued begins with a break too', async () => {
    const { engine, open, loaded, playTo } = player()
    await open(20)
    expect(loaded[0]?.startAt).toBeNull()
    expect(engine.read()).toMatchObject({ position: 20, ad: { number: 1 } })
    playTo(10)
    expect(engine.read()).toMatchObject({ position: 20 })
  })

  test('V4-32 the break after the film ends with the stream', async () => {
    const { engine, open, playTo, at } = player()
    await open()
    at.position = 134
    playTo(142)
    expect(engine.read()).toMatchObject({ position: 100, ad: { number: 1 } })
    at.position = 142.95
    expect(engine.read()).toMatchObject({ position: 100 })
    expect(engine.read().ad).toBeUndefined()
  })

  test('the breaks of a stream that is prepared change nothing for the stream that plays', async () => {
    const { engine, open, playTo } = player()
    await open()
    playTo(30)
    engine.prepare({ ...STREAM, breaks: [] })
    expect(engine.read()).toMatchObject({ position: 20, duration: 100 })
  })

  test('previews are those of the film', async () => {
    const { engine, open } = player()
    await open()
    expect((await engine.thumbnail(45))?.url).toBe('80')
  })

  test('without breaks, positions stay as they are', async () => {
    const { engine, open, at } = player([])
    await open(20)
    expect(engine.read()).toMatchObject({ position: 20, duration: 143 })
    engine.seek(130)
    engine.skipAd()
    expect(at.position).toBe(130)
  })
})
