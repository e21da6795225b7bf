import { expect, it } from 'vitest'
import { oneVariant } from './one-variant.ts'

const MASTER = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="fr",URI="low.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="fr",LANGUAGE="fr",URI="fr.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="en",LANGUAGE="en",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="high",NAME="fr",URI="text.m3u8"
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=900,BANDWIDTH=1000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="low"
1.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=3000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="high"

3.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=9000,CODECS="hvc1.2.4.L123",AUDIO="high"
9.m3u8
`

it('takes the best variant that can be copied, with its sound', () => {
  expect(oneVariant(MASTER).split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="fr",LANGUAGE="fr",URI="fr.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="en",LANGUAGE="en",URI="en.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=3000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="high"',
    '3.m3u8',
    '',
  ])
})

it.each([
  ['a playlist of segments', '#EXTM3U\n#EXTINF:2,\n1.ts\n'],
  ['a variant without an address', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n'],
])('leaves %s as it is', (_what, playlist) => {
  expect(oneVariant(playlist)).toBe(playlist)
})
