import { expect, test } from 'vitest'
import { remoteKey } from './remote-keys.ts'

test.each([
  ['Android', 'GoBack', 0, 'back'],
  ['a keyboard', 'BrowserBack', 166, 'back'],
  ['Tizen', 'XF86Back', 10_009, 'back'],
  ['Tizen without a name', 'Unidentified', 10_009, 'back'],
  ['webOS', '', 461, 'back'],
  ['webOS', 'PageUp', 33, 'channelUp'],
  ['webOS', 'PageDown', 34, 'channelDown'],
  ['webOS', '', 415, 'play'],
  ['webOS', 'Pause', 19, 'pause'],
  ['Tizen', 'MediaPlayPause', 10_252, 'playPause'],
  ['Tizen', '', 427, 'channelUp'],
])('%s: %s %i is %s', (_system, key, keyCode, name) => {
  expect(remoteKey({ key, keyCode })).toBe(name)
})

test.each([
  ['ArrowLeft', 37],
  ['Enter', 13],
  ['Escape', 27],
  ['Backspace', 8],
  ['', 0],
  // Every object inherits a property with this name, so a lookup in an object would find it.
  ['constructor', 0],
])('%s is no key of a remote', (key, keyCode) => {
  expect(remoteKey({ key, keyCode })).toBeUndefined()
})
