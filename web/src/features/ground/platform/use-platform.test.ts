import { expect, test } from 'vitest'
import { deviceOf } from './use-platform.ts'

test.each([
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36',
    5,
    'android',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (iPad; CPU OS 15_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18 Safari/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18 Safari/605.1.15', 0, 'desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/130', 0, 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130', 10, 'desktop'],
  ['', 0, 'desktop'],
])('V2.4-11 the device of %s with %i touch points is %s', (userAgent, touchPoints, device) => {
  expect(deviceOf(userAgent, touchPoints)).toBe(device)
})
