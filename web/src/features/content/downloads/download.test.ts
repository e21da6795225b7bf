import { describe, expect, test } from 'vitest'
import {
  bytesQueued,
  checkedAt,
  type Download,
  filesOf,
  haveOneLicence,
  isCheckDue,
  isOrphaned,
  type LicenceTimes,
  licenceStateOf,
  offlineManifestText,
  percentOf,
  playedAt,
  seenAt,
  shownDownloads,
  stateOf,
} from './download.ts'
import { offlineMedia } from './offline-address.ts'

const HOUR = 3600
const DAY = 86_400
const NOW = 1_800_000_000
const TIMES: LicenceTimes = {
  expiresAt: NOW + 30 * DAY,
  playSeconds: 48 * HOUR,
  firstPlayedAt: null,
  latestAt: NOW,
  confirmedAt: NOW,
  aheadSeconds: 0,
}

function download(fields: Partial<Download>): Download {
  return {
    key: '1-2',
    accountId: 5,
    profileId: 1,
    assetId: 2,
    state: 'COMPLETED',
    downloadProgress: { percentDownloaded: 100 },
    failure: null,
    title: 'La Houle',
    subtitle: '',
    durationSeconds: 60,
    bytes: 1000,
    height: 720,
    folders: [],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    addedAt: NOW,
    times: TIMES,
    ...fields,
  }
}

describe('the state of a download', () => {
  test('A4.2-06 a completed download with 0 percent downloaded counts as failed', () => {
    expect(stateOf(download({ downloadProgress: { percentDownloaded: 0 } }))).toBe('FAILED')
    expect(stateOf(download({}))).toBe('COMPLETED')
    expect(stateOf(download({ state: 'QUEUED', downloadProgress: { percentDownloaded: 0 } }))).toBe('QUEUED')
  })

  test('A3-33 A2.4-02 a profile sees its own downloads, offline only the completed ones', () => {
    const all = [
      download({ key: '1-2', addedAt: 1 }),
      download({ key: '1-3', state: 'DOWNLOADING', addedAt: 2 }),
      download({ key: '1-4', downloadProgress: { percentDownloaded: 0 }, addedAt: 3 }),
      download({ key: '9-2', profileId: 9 }),
    ]
    const keys = (...shown: Parameters<typeof shownDownloads>) =>
      shownDownloads(...shown).map(({ key }) => key)
    expect(keys(all, 1, true)).toEqual(['1-4', '1-3', '1-2'])
    expect(keys(all, 1, false)).toEqual(['1-2'])
    expect(keys(all, 9, false)).toEqual(['9-2'])
    expect(keys(all, null, true)).toEqual([])
  })
})

test('profiles of one account share the licence of a title, those of two accounts do not', () => {
  const one = download({})
  expect(haveOneLicence(one, download({ profileId: 3 }))).toBe(true)
  expect(haveOneLicence(one, download({ accountId: 6, profileId: 9 }))).toBe(false)
  expect(haveOneLicence(one, download({ assetId: 7 }))).toBe(false)
})

describe('the licence of a download (spec 39)', () => {
  test('ends at its expiry, or 48 hours after the first play', () => {
    expect(licenceStateOf(TIMES, NOW + 30 * DAY - 1)).toBe('valid')
    expect(licenceStateOf(TIMES, NOW + 30 * DAY)).toBe('expired')
    const played = playedAt(TIMES, NOW + DAY)
    expect(licenceStateOf(played, NOW + 3 * DAY - 1)).toBe('valid')
    expect(licenceStateOf(played, NOW + 3 * DAY)).toBe('expired')
    const late = playedAt(TIMES, NOW + 30 * DAY - HOUR)
    expect(licenceStateOf(late, NOW + 30 * DAY)).toBe('expired')
  })

  test('a second play does not prolong it', () => {
    const played = playedAt(playedAt(TIMES, NOW + DAY), NOW + 2 * DAY)
    expect(played.firstPlayedAt).toBe(NOW + DAY)
    expect(licenceStateOf(played, NOW + 3 * DAY)).toBe('expired')
  })

  test('a clock set back does not stretch it', () => {
    const played = playedAt(TIMES, NOW + 2 * DAY)
    expect(licenceStateOf(played, NOW + DAY)).toBe('clock')
    expect(licenceStateOf(played, NOW + 2 * DAY - 200)).toBe('valid')
    expect(playedAt(played, NOW).latestAt).toBe(NOW + 2 * DAY)
  })

  test('a device whose clock was corrected plays again after it was online', () => {
    const played = playedAt(TIMES, NOW + 2 * DAY)
    const online = checkedAt(played, NOW + DAY, NOW + DAY)
    expect(licenceStateOf(online, NOW + DAY + 1)).toBe('valid')
    // The clock was ahead at the first play. The 48 hours still begin at the correct time.
    expect(online.firstPlayedAt).toBe(NOW + DAY)
  })

  test('a clock set back after the end was seen does not play again', () => {
    const seen = seenAt(TIMES, NOW + 31 * DAY)
    expect(licenceStateOf(seen, NOW + 29 * DAY)).toBe('clock')
    expect(seen.firstPlayedAt).toBeNull()
    expect(seenAt(seen, NOW).latestAt).toBe(NOW + 31 * DAY)
  })

  test('the service is asked after an hour, and at once after a clock was wrong', () => {
    expect(isCheckDue(TIMES, NOW + HOUR, NOW + HOUR)).toBe(false)
    expect(isCheckDue(TIMES, NOW + HOUR + 1, NOW + HOUR + 1)).toBe(true)
    const listed = seenAt(TIMES, NOW + HOUR + 1)
    expect(isCheckDue(listed, NOW + HOUR + 1, NOW + HOUR + 1)).toBe(true)
    expect(isCheckDue({ ...TIMES, confirmedAt: undefined }, NOW, NOW)).toBe(true)
    const ahead = playedAt(TIMES, NOW + 2 * DAY)
    expect(isCheckDue(ahead, NOW, NOW)).toBe(true)
    expect(isCheckDue(ahead, NOW, NOW + 2 * DAY)).toBe(true)
    expect(isCheckDue(TIMES, NOW, NOW - HOUR)).toBe(true)
  })

  test('a device whose clock is always wrong plays for as long as any other', () => {
    const wrong = { ...TIMES, aheadSeconds: 10 * DAY }
    expect(licenceStateOf(wrong, NOW - 10 * DAY)).toBe('valid')
    expect(licenceStateOf(wrong, NOW + 20 * DAY)).toBe('expired')
  })
})

test('A8.3-14 downloads in the queue need their missing part of the room', () => {
  const half = { downloadProgress: { percentDownloaded: 50 } }
  const all = [
    download({ key: '1-2', state: 'QUEUED', downloadProgress: { percentDownloaded: 0 } }),
    download({ key: '1-3', state: 'DOWNLOADING', ...half }),
    download({ key: '1-4', state: 'STOPPED', ...half }),
    download({ key: '1-5' }),
  ]
  expect(bytesQueued(all, '1-9')).toBe(1500)
  expect(bytesQueued(all, '1-2')).toBe(500)
  expect(bytesQueued([], '1-2')).toBe(0)
})

test('a download is orphaned 30 days after its licence, or when its profile is deleted', () => {
  const end = TIMES.expiresAt + 30 * DAY
  expect(isOrphaned(download({}), undefined, end - 1)).toBe(false)
  expect(isOrphaned(download({}), undefined, end)).toBe(true)
  const played = download({ times: playedAt(TIMES, NOW) })
  expect(isOrphaned(played, undefined, NOW + 2 * DAY + 30 * DAY)).toBe(true)
  const signedIn = { accountId: 5, profileIds: new Set([3, 4]) }
  expect(isOrphaned(download({ profileId: 1 }), signedIn, NOW)).toBe(true)
  expect(isOrphaned(download({ profileId: 3 }), signedIn, NOW)).toBe(false)
  expect(isOrphaned(download({ accountId: 6, profileId: 1 }), signedIn, NOW)).toBe(false)
  expect(isOrphaned(download({ profileId: 1 }), undefined, NOW)).toBe(false)
})

test('the files of a download are its init segments, then its segments side by side', () => {
  expect(
    filesOf([
      { address: '/media/a/v720/', segments: 2 },
      { address: '/media/a/a-fra-1/', segments: 3 },
    ]),
  ).toEqual([
    '/media/a/v720/init.mp4',
    '/media/a/a-fra-1/init.mp4',
    '/media/a/v720/1.m4s',
    '/media/a/a-fra-1/1.m4s',
    '/media/a/v720/2.m4s',
    '/media/a/a-fra-1/2.m4s',
    '/media/a/a-fra-1/3.m4s',
  ])
  expect(filesOf([])).toEqual([])
})

test('100 percent is only the whole download', () => {
  expect([percentOf(0, 7), percentOf(999, 1000), percentOf(7, 7), percentOf(0, 0)]).toEqual([0, 99, 100, 0])
})

test('the manifest of a download leads to its own files, and asks for no clock', () => {
  const manifest =
    '<MPD>\n<SegmentTemplate initialization="/media/a/v720/init.mp4" media="/media/a/v720/$Number$.m4s"/>\n' +
    '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"/>\n</MPD>\n'
  expect(offlineManifestText(manifest, offlineMedia)).toBe(
    '<MPD>\n<SegmentTemplate initialization="/offline/media/a/v720/init.mp4" media="/offline/media/a/v720/$Number$.m4s"/>\n</MPD>\n',
  )
})
