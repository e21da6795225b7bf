import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keep, kept } from './kept.ts'

const device = vi.hoisted(() => ({ native: false }))
vi.mock('./native.ts', () => ({ isNative: () => device.native }))

/** A fake of `document`, whose `cookie` behaves as in a browser. */
function cookies() {
  const held = new Map<string, string>()
  return {
    get cookie() {
      return [...held].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(written: string) {
      const [pair = '', ...attributes] = written.split(/; ?/)
      const at = pair.indexOf('=')
      if (attributes.includes('max-age=0')) held.delete(pair.slice(0, at))
      else held.set(pair.slice(0, at), pair.slice(at + 1))
    },
  }
}

beforeEach(() => {
  device.native = false
  vi.stubGlobal('document', cookies())
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test.each([false, true])('a value is kept until it is replaced or deleted; native: %s', (native) => {
  device.native = native
  expect(kept('sort')).toBeUndefined()
  keep('sort', 'random', 60)
  keep('timezone', 'Europe/Paris; x=1')
  expect([kept('sort'), kept('timezone'), kept('sor'), kept('x')]).toEqual([
    'random',
    'Europe/Paris; x=1',
    undefined,
    undefined,
  ])
  keep('sort', '', 0)
  expect(kept('sort')).toBeUndefined()
})

test('a browser keeps cookies, which the service reads, and the app none', () => {
  keep('language', 'eng', 60)
  expect(document.cookie).toBe('language=eng')
  device.native = true
  keep('language', 'fra', 60)
  expect(document.cookie).toBe('language=eng')
  expect(kept('language')).toBe('fra')
})

test('a cookie that is not encoded as ours is no fault', () => {
  document.cookie = 'device=%E0%A4%A'
  expect(kept('device')).toBeUndefined()
})
