import { LIVE_AD_SCHEME, type LiveAd } from '@ondine/contract/playback'
import { describe, expect, it } from 'vitest'
import { liveAdAt, type Region } from './live-ads.ts'

const AD: LiveAd = {
  duration: 10,
  skipAfter: null,
  clickUrl: 'https://shop.test/été',
  report: 'one',
  number: 1,
  count: 2,
}

function region(
  startTime: number,
  ad: LiveAd,
  { schemeIdUri = LIVE_AD_SCHEME, endTime = startTime + ad.duration } = {},
): Region {
  const messageData = Buffer.from(JSON.stringify(ad)).toString('base64')
  return { schemeIdUri, startTime, endTime, eventNode: { attributes: { messageData } } }
}

describe('advertisements in a live stream', () => {
  const second = { ...AD, report: 'two', number: 2 }
  const regions = [region(110, second), region(100, AD), region(100, AD)]

  it('V4-32 are those that the manifest announces, with their number and the time that has passed', () => {
    expect(liveAdAt(regions, 99.9)).toBeUndefined()
    expect(liveAdAt(regions, 104)).toEqual({ ad: AD, number: 1, count: 2, position: 4 })
    expect(liveAdAt(regions, 110)).toEqual({ ad: second, number: 2, count: 2, position: 0 })
    expect(liveAdAt(regions, 120)).toBeUndefined()
  })

  it('are not other events of the stream', () => {
    expect(liveAdAt([region(100, AD, { schemeIdUri: 'urn:scte:scte35:2014:xml+bin' })], 104)).toBeUndefined()
    expect(
      liveAdAt([{ schemeIdUri: LIVE_AD_SCHEME, startTime: 100, endTime: 110, eventNode: null }], 104),
    ).toBeUndefined()
  })

  it('V4-32 end where the channel returns, also if they were announced as longer before', () => {
    const cut = [region(100, AD), region(100, AD, { endTime: 103 })]
    expect(liveAdAt(cut, 102)).toMatchObject({ position: 2 })
    expect(liveAdAt(cut, 104)).toBeUndefined()
  })
})
