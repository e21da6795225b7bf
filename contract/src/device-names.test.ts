import { expect, it } from 'vitest'
import { describeDevice, deviceKind, deviceLook } from './device-names.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

it.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0`,
    'device_pc_windows',
    'Edge 140, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'device_pc_osx',
    'Safari 18, macOS',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'device_pc_linux',
    'Firefox 140, Linux',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64) ${CHROME} Safari/537.36`, 'device_pc_linux', 'Chrome 140, Linux'],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${CHROME} Mobile Safari/537.36`,
    'device_android_phone',
    'Chrome 140, Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1',
    'device_ios_phone',
    'Safari 18, iOS',
  ],
  [`Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) ${CHROME} TV Safari/537.36`, 'device_tv', 'Chrome 140, TV'],
  [`Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS76; wv) ${CHROME}`, 'device_tv', 'Chrome 140, TV'],
  [`Mozilla/5.0 (Linux; Android 11; AFTKA) ${CHROME} Safari/537.36`, 'device_tv', 'Chrome 140, TV'],
  ['curl/8.5.0', 'device_pc_other', ''],
  ['', 'device_pc_other', ''],
  ['<script>Windows</script>', 'device_pc_windows', 'Windows'],
])('A3-14 A3-15 %s is of type %s and named "%s"', (userAgent, type, name) => {
  expect(describeDevice(userAgent)).toEqual({ type, name })
})

it.each([
  ['device_pc_osx', 'laptop'],
  ['device_ios_phone', 'phone'],
  ['device_android_phone', 'phone'],
  ['device_pc_windows', 'television'],
  ['device_pc_linux', 'television'],
  ['device_pc_other', 'television'],
  ['device_tv', 'television'],
  ['', 'television'],
  ['constructor', 'television'],
])('A2.3-10 a device of type %j looks like a %s', (type, look) => {
  expect(deviceLook(type)).toBe(look)
})

it.each([
  ['device_pc_windows', 'computer'],
  ['device_pc_osx', 'computer'],
  ['device_pc_linux', 'computer'],
  ['device_pc_other', 'computer'],
  ['device_ios_phone', 'phone'],
  ['device_android_phone', 'phone'],
  ['device_tv', 'television'],
] as const)('A3-14 a device of type %s is shown as a %s', (type, kind) => {
  expect(deviceKind(type)).toBe(kind)
})
