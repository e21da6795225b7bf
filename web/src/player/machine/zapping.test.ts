import { expect, test } from 'vitest'
import { neighbour } from './zapping.ts'

const item = (lcn: number) => ({
  type: 'library' as const,
  allowTimeshift: false,
  lcn,
  isRadio: false,
  allowRecording: false,
  isFta: true,
  localizeNumber: lcn,
  parentalControl: false,
})
const channels = [
  { idChannel: 30, item: item(3) },
  { idChannel: 10, item: item(1) },
  { idChannel: 20, item: item(2) },
]

test('channels follow in order of their numbers, and the first follows the last', () => {
  expect(neighbour(channels, 10, 1)).toBe(20)
  expect(neighbour(channels, 20, 1)).toBe(30)
  expect(neighbour(channels, 30, 1)).toBe(10)
  expect(neighbour(channels, 10, -1)).toBe(30)
})

test('a single channel has no neighbour, and neither has an empty list', () => {
  expect(neighbour(channels.slice(0, 1), 30, 1)).toBeUndefined()
  expect(neighbour([], 30, 1)).toBeUndefined()
})

test('a channel outside of the list has the first and the last as neighbours', () => {
  expect(neighbour(channels, 99, 1)).toBe(10)
  expect(neighbour(channels, 99, -1)).toBe(30)
  expect(neighbour(channels.slice(0, 1), 99, -1)).toBe(30)
})
