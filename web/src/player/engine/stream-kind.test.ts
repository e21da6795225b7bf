import { expect, test } from 'vitest'
import { licenceKind, streamKind } from './stream-kind.ts'

test('V3-39 a path that ends in .m3u8 is HLS, any other DASH', () => {
  expect(streamKind('/play/token/master.m3u8')).toBe('hls')
  expect(streamKind('https://cdn.test/a.m3u8?token=1')).toBe('hls')
  expect(streamKind('/play/token/manifest.mpd')).toBe('dash')
  expect(streamKind('/play/manifest.mpd?next=x.m3u8')).toBe('dash')
  expect(streamKind('/play/m3u8')).toBe('dash')
})

test('V4-25 a channel requests FairPlay for .m3u8 and Widevine in every other case', () => {
  expect(licenceKind('/play/t/live.m3u8')).toBe('fairplay')
  expect(licenceKind('/play/t/live.mpd')).toBe('widevine')
  expect(licenceKind('/play/t/live')).toBe('widevine')
})
