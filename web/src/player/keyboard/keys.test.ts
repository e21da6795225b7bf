import { expect, test } from 'vitest'
import { type KeyPress, type KeySituation, keyCommand, shortcutsIn } from './keys.ts'

const film: KeySituation = {
  live: false,
  timeshift: true,
  channel: false,
  marks: true,
  recordable: false,
  ad: false,
  paused: false,
}
const live: KeySituation = {
  live: true,
  timeshift: false,
  channel: true,
  marks: true,
  recordable: true,
  ad: false,
  paused: false,
}

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...more }
}

test('V4-59 space plays, arrows seek and set the volume, m mutes, f is full screen, Escape closes', () => {
  expect(keyCommand(press(' '), film)).toEqual({ type: 'togglePlay' })
  expect(keyCommand(press('ArrowLeft'), film)).toEqual({ type: 'seekBy', seconds: -10 })
  expect(keyCommand(press('ArrowRight'), film)).toEqual({ type: 'seekBy', seconds: 10 })
  expect(keyCommand(press('ArrowUp'), film)).toEqual({ type: 'volumeBy', percent: 10 })
  expect(keyCommand(press('ArrowDown'), film)).toEqual({ type: 'volumeBy', percent: -10 })
  expect(keyCommand(press('m'), film)).toEqual({ type: 'toggleMute' })
  expect(keyCommand(press('F'), film)).toEqual({ type: 'toggleFullscreen' })
  expect(keyCommand(press('Escape'), film)).toEqual({ type: 'close' })
})

test('V4-59 live ignores the keys for seeking and playing', () => {
  for (const key of [' ', 'ArrowLeft', 'ArrowRight']) expect(keyCommand(press(key), live)).toBeUndefined()
  expect(keyCommand(press('ArrowUp'), live)).toEqual({ type: 'volumeBy', percent: 10 })
  expect(keyCommand(press('Escape'), live)).toEqual({ type: 'close' })
})

test('spec 17: with timeshift live seeks by 10 s and pauses', () => {
  const shifted = { ...live, timeshift: true }
  expect(keyCommand(press('ArrowLeft'), shifted)).toEqual({ type: 'seekBy', seconds: -10 })
  expect(keyCommand(press(' '), shifted)).toEqual({ type: 'togglePlay' })
})

test('V4-33 keys do nothing during advertisements', () => {
  for (const key of [' ', 'm', 'Escape'])
    expect(keyCommand(press(key), { ...film, ad: true })).toBeUndefined()
})

test('V4-33 a paused advertisement can be continued, and nothing else', () => {
  const paused = { ...film, ad: true, paused: true }
  expect(keyCommand(press(' '), paused)).toEqual({ type: 'togglePlay' })
  for (const key of ['ArrowRight', 'm', 'Escape']) expect(keyCommand(press(key), paused)).toBeUndefined()
})

test('a key that is held down plays, mutes and fills the screen once', () => {
  for (const key of [' ', 'm', 'f']) expect(keyCommand(press(key, { repeat: true }), film)).toBeUndefined()
  expect(keyCommand(press('ArrowRight', { repeat: true }), film)).toEqual({ type: 'seekBy', seconds: 10 })
})

test('page keys switch the channel on channels only', () => {
  expect(keyCommand(press('PageDown'), live)).toEqual({ type: 'zap', step: 1 })
  expect(keyCommand(press('PageUp'), live)).toEqual({ type: 'zap', step: -1 })
  expect(keyCommand(press('PageDown'), film)).toBeUndefined()
})

test('r records what can be recorded', () => {
  expect(keyCommand(press('r'), live)).toEqual({ type: 'record' })
  expect(keyCommand(press('R'), live)).toEqual({ type: 'record' })
  expect(keyCommand(press('r'), { ...live, recordable: false })).toBeUndefined()
  expect(keyCommand(press('r', { ctrlKey: true }), live)).toBeUndefined()
  // A repeated press would stop the recording that the first press has started.
  expect(keyCommand(press('r', { repeat: true }), live)).toBeUndefined()
  expect(keyCommand(press('ArrowUp', { repeat: true }), live)).toMatchObject({ type: 'volumeBy' })
})

test('V4-59 ? lists the keys', () => {
  expect(keyCommand(press('?'), film)).toEqual({ type: 'shortcuts' })
  expect(keyCommand(press('?'), live)).toEqual({ type: 'shortcuts' })
  expect(keyCommand(press('?'), { ...film, ad: true })).toBeUndefined()
})

test('keys with a modifier belong to the browser', () => {
  expect(keyCommand(press('f', { ctrlKey: true }), film)).toBeUndefined()
  expect(keyCommand(press('ArrowLeft', { altKey: true }), film)).toBeUndefined()
  expect(keyCommand(press('m', { metaKey: true }), film)).toBeUndefined()
})

test('with shift, left and right move between marks, where seeking is allowed', () => {
  expect(keyCommand(press('ArrowRight', { shiftKey: true }), film)).toEqual({ type: 'toMark', step: 1 })
  expect(keyCommand(press('ArrowLeft', { shiftKey: true }), film)).toEqual({ type: 'toMark', step: -1 })
  expect(keyCommand(press('ArrowLeft', { shiftKey: true }), live)).toBeUndefined()
})

test('with shift, left and right do nothing without marks', () => {
  const plain = { ...film, marks: false }
  expect(keyCommand(press('ArrowRight', { shiftKey: true }), plain)).toBeUndefined()
})

test('shift does not disable keys that have the same meaning with it', () => {
  expect(keyCommand(press('ArrowUp', { shiftKey: true }), film)).toEqual({ type: 'volumeBy', percent: 10 })
  expect(keyCommand(press('?', { shiftKey: true }), film)).toEqual({ type: 'shortcuts' })
})

const SITUATIONS = [film, live, { ...live, timeshift: true }, { ...film, marks: false }]

test.each(SITUATIONS)('V4-59 the list contains exactly the keys that do something: %o', (situation) => {
  const listed = shortcutsIn(situation).flatMap(({ commands, shift = false }) =>
    Object.entries(commands).map(([key, command]) => [press(key, { shiftKey: shift }), command] as const),
  )
  for (const [each, command] of listed) expect(keyCommand(each, situation)).toEqual(command)
  const names = new Set(listed.map(([{ key, shiftKey }]) => `${key} ${shiftKey}`))
  for (const { commands, shift = false } of shortcutsIn({
    ...film,
    channel: true,
    marks: true,
    recordable: true,
  }))
    for (const key of Object.keys(commands)) {
      const isListed = names.has(`${key} ${shift}`)
      expect(keyCommand(press(key, { shiftKey: shift }), situation) !== undefined, key).toBe(isListed)
    }
})
