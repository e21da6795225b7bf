import { expect, test } from 'vitest'
import { swipeGesture, wheelGesture } from './suggestions-gesture.ts'

test('V4-35 spec 22: the wheel opens above 20 px down and closes above 20 px up', () => {
  expect(wheelGesture(20)).toBeUndefined()
  expect(wheelGesture(21)).toBe('open')
  expect(wheelGesture(-20)).toBeUndefined()
  expect(wheelGesture(-21)).toBe('close')
})

test('V4-35 a swipe up opens and a swipe down closes, at widths above 600 and outside full screen', () => {
  const swipe = { dx: 0, dy: -80, windowWidth: 820, fullscreen: false }
  expect(swipeGesture(swipe)).toBe('open')
  expect(swipeGesture({ ...swipe, dy: 80 })).toBe('close')
  expect(swipeGesture({ ...swipe, windowWidth: 600 })).toBeUndefined()
  expect(swipeGesture({ ...swipe, fullscreen: true })).toBeUndefined()
})

test('ignores an unsteady tap and a sideways swipe', () => {
  expect(swipeGesture({ dx: 0, dy: -12, windowWidth: 820, fullscreen: false })).toBeUndefined()
  expect(swipeGesture({ dx: 200, dy: -80, windowWidth: 820, fullscreen: false })).toBeUndefined()
})
