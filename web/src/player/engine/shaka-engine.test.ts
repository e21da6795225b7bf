// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { Stream } from './engine.ts'
import { createShakaEngine } from './shaka-engine.ts'

const { preloads, errors } = vi.hoisted(() => ({
  preloads: new Map<string, { isDestroyed: boolean }>(),
  /** Listeners of the errors of all players. */
  errors: [] as ((event: Event) => void)[],
}))

vi.mock('./shaka.ts', () => ({
  loadShaka: async () => ({
    Player: class {
      configure() {}
      getNetworkingEngine() {
        return null
      }
      addEventListener(name: string, listener: (event: Event) => void) {
        if (name === 'error') errors.push(listener)
      }
      isDynamic() {
        return true
      }
      isLive() {
        return true
      }
      seekRange() {
        return { start: 0, end: 100 }
      }
      // Shaka says this of an HLS stream without EXT-X-PROGRAM-DATE-TIME.
      getPresentationStartTimeAsDate() {
        return new Date(0)
      }
      getAllTimelineRegions() {
        return []
      }
      async attach() {}
      async load() {
        const event = new CustomEvent('error', {
          cancelable: true,
          detail: { severity: 2, category: 6, code: 6007 },
        })
        for (const listener of errors) listener(event)
      }
      async unload() {}
      async destroy() {}
      async preload(url: string) {
        const made = { isDestroyed: false }
        preloads.set(new URL(url).pathname, made)
        return { destroy: async () => void (made.isDestroyed = true) }
      }
    },
  }),
}))

const stream = (url: string): Stream => ({
  url,
  licence: null,
  startAt: null,
  languages: { audio: '', sub: 'non' },
})

test('a stream that was prepared, and is not played after all, requests nothing more', async () => {
  vi.stubGlobal('location', { origin: 'https://ondine.test' })
  const engine = createShakaEngine(document.createElement('video'), document.createElement('div'))
  engine.prepare(stream('/play/first.mpd'))
  await vi.waitFor(() => expect(preloads.size).toBe(1))
  engine.prepare(stream('/play/second.mpd'))
  await vi.waitFor(() => expect(preloads.get('/play/first.mpd')?.isDestroyed).toBe(true))
  await vi.waitFor(() => expect(preloads.has('/play/second.mpd')).toBe(true))
  expect(preloads.get('/play/second.mpd')?.isDestroyed).toBe(false)
  engine.unload()
  await vi.waitFor(() => expect(preloads.get('/play/second.mpd')?.isDestroyed).toBe(true))
  engine.destroy()
  vi.unstubAllGlobals()
})

test('V3-36 a relayed channel without dates has no wall clock', async () => {
  const video = document.createElement('video')
  Object.defineProperty(video, 'readyState', { value: 4 })
  const engine = createShakaEngine(video, document.createElement('div'))
  await vi.waitFor(() => expect(engine.read().edge).toBe(100))
  expect(engine.read().epoch).toBeNull()
  engine.destroy()
})

test('19.3 a seek to the beginning does not end where the element was before its start', async () => {
  const video = document.createElement('video')
  const engine = createShakaEngine(video, document.createElement('div'))
  engine.seek(0)
  expect(video.currentTime).toBeGreaterThan(0)
  expect(video.currentTime).toBeLessThan(0.01)
  engine.destroy()
})

test.each([
  ['a segment of a live stream that Shaka requests again', { category: 1, code: 1002 }, 0],
  ['a status that Shaka requests again', { category: 1, code: 1001, data: ['/a.m4s', 503] }, 0],
  ['a refused segment', { category: 1, code: 1001, data: ['/a.m4s', 403] }, 1],
  ['a licence', { category: 6, code: 6007 }, 1],
])('V8-02 %s ends live playback, or does not', async (_what, error, count) => {
  errors.splice(0)
  const engine = createShakaEngine(document.createElement('video'), document.createElement('div'))
  const failures: unknown[] = []
  engine.listen((event) => event.type === 'engine.failed' && failures.push(event))
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  const event = new CustomEvent('error', { cancelable: true, detail: { severity: 2, ...error } })
  errors[0]?.(event)
  expect(failures).toHaveLength(count)
  // Otherwise Shaka would request the segment again.
  expect(event.defaultPrevented).toBe(count > 0)
  engine.destroy()
})

test('V8-02 a stream whose licence fails while it is being loaded cannot be loaded', async () => {
  errors.splice(0)
  const engine = createShakaEngine(document.createElement('video'), document.createElement('div'))
  const failures: unknown[] = []
  engine.listen((event) => event.type === 'engine.failed' && failures.push(event))
  await expect(engine.load(stream('https://ondine.test/play/first.mpd'))).rejects.toMatchObject({
    kind: 'licence',
    code: 'S6007',
  })
  expect(failures).toEqual([])
  engine.destroy()
})
