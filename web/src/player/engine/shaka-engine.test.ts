// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { Stream } from './engine.ts'
import { createShakaEngine } from './shaka-engine.ts'

const { preloads } = vi.hoisted(() => ({ preloads: new Map<string, { isDestroyed: boolean }>() }))

vi.mock('./shaka.ts', () => ({
  loadShaka: async () => ({
    Player: class {
      configure() {}
      getNetworkingEngine() {
        return null
      }
      addEventListener() {}
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
