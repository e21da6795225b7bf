import { describe, expect, it } from 'vitest'
import { isLive, joinNames, readPairs, splitNames, writePairs } from './asset-state.ts'

describe('the state of an asset', () => {
  const event = { TS_STARTUTC: 1000, TS_ENDUTC: 2000 }

  it.each([
    [999, false],
    [1000, true],
    [1999.9, true],
    [2000, false],
  ])('V3-15 an event from 1000 to 2000 is live at %d: %j', (now, live) => {
    expect(isLive(event, now)).toBe(live)
  })

  it('V3-15 is never live without a start or an end, and accepts times as text', () => {
    expect(isLive({}, 1500)).toBe(false)
    expect(isLive({ TS_STARTUTC: 1000 }, 1500)).toBe(false)
    expect(isLive({ TS_ENDUTC: 2000 }, 1500)).toBe(false)
    expect(isLive({ TS_STARTUTC: 'soon', TS_ENDUTC: 2000 }, 1500)).toBe(false)
    expect(isLive({ TS_STARTUTC: '1000', TS_ENDUTC: '2000' }, 1500)).toBe(true)
  })

  it.each([
    [[], ''],
    [['Ada Lorn'], 'Ada Lorn'],
    [['Ada Lorn', 'Sammy Davis, Jr.', 'Ilan Vey'], 'Ada Lorn, Sammy Davis,\u00A0Jr., Ilan Vey'],
    [['A, B, C', 'D,E'], 'A,\u00A0B,\u00A0C, D,E'],
  ])('V2.1-18 V3-13 the names %j are joined, and split again', (names, joined) => {
    expect(joinNames(names)).toBe(joined)
    if (names.length > 0) expect(splitNames(joined)).toEqual(names)
  })

  it('V3-12 reads pairs as written, and leaves out anything else', () => {
    const pairs = [
      { audio: 'fra', subtitle: 'non' },
      { audio: 'eng', subtitle: 'fra' },
    ]
    expect(readPairs({ AD_LIASMEDI: writePairs(pairs) })).toEqual(pairs)
    expect(readPairs({ AD_LIASMEDI: 'fra, /, fra/non/eng, FRA/non, eng / fra' })).toEqual([
      { audio: 'eng', subtitle: 'fra' },
    ])
    expect(readPairs({})).toEqual([])
  })
})
