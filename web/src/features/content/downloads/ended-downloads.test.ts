import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { askAsset } from './ask-asset.ts'
import type { Download } from './download.ts'
import { removeEnded } from './ended-downloads.ts'

const NOW = 1_800_000_000
const HOUR = 3600
const DAY = 24 * HOUR
/**
 * The clocks of the test, in seconds: those of the device and of the page, and the time that the service
 * confirms, which is undefined if the service does not answer.
 */
const clock = vi.hoisted(() => ({
  device: 1_800_000_000,
  page: 1_800_000_000,
  confirmed: 1_800_000_000 as number | undefined,
}))

let stored: Download[] = []

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({
  serviceNow: () => clock.page * 1000,
  confirmedNow: async () => clock.confirmed && clock.confirmed * 1000,
}))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => clock.device * 1000 }))
vi.mock('./ask-asset.ts', () => ({ askAsset: vi.fn() }))
vi.mock('./changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('./downloads.ts', () => ({
  removeDownload: async (key: string) => {
    stored = stored.filter((download) => download.key !== key)
  },
}))
vi.mock('./store.ts', () => ({
  listDownloads: async () => stored,
  changeDownload: async (key: string, change: (known: Download) => Partial<Download>) => {
    stored = stored.map((download) =>
      download.key === key ? { ...download, ...change(download) } : download,
    )
  },
}))

function download(assetId: number, checkedAt: number, fields: Partial<Download> = {}): Download {
  return {
    key: `1-${assetId}`,
    accountId: 5,
    profileId: 1,
    assetId,
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
    addedAt: 1,
    times: {
      expiresAt: NOW + 9999,
      playSeconds: 9999,
      firstPlayedAt: null,
      latestAt: checkedAt,
      confirmedAt: checkedAt,
      aheadSeconds: 0,
    },
    ...fields,
  }
}

const keys = () => stored.map(({ key }) => key)
const refusal = (code: number, status = 403) => new ApiError({ code, status, message: '' })

/** Simulates the active profile, which the service reads from the cookies of each call. */
const watchesAs = (profileId: number) => vi.mocked(call).mockResolvedValue({ profile: { id: profileId } })

beforeEach(() => {
  Object.assign(clock, { device: NOW, page: NOW, confirmed: NOW })
  vi.mocked(askAsset).mockReset()
  vi.mocked(call).mockReset()
  watchesAs(1)
  stored = [download(2, NOW - HOUR - 1)]
})

test.each([
  ['the right has ended', refusal(-11)],
  ['the title is gone', refusal(-404, 404)],
  ['the title is no longer available', refusal(-1605)],
])('spec 39 a download is removed if %s', async (_what, error) => {
  vi.mocked(askAsset).mockRejectedValue(error)
  await removeEnded(1)
  expect(keys()).toEqual([])
})

test.each([
  ['the account is suspended', refusal(-2409)],
  ['the parental code is needed', refusal(-1612)],
  ['the operator has switched downloads off', refusal(-512)],
  ['the connection is lost', new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: '' })],
  ['the service fails', refusal(-2, 500)],
])('spec 39 a download stays if %s', async (_what, error) => {
  vi.mocked(askAsset).mockRejectedValue(error)
  await removeEnded(1)
  expect(keys()).toEqual(['1-2'])
})

test('spec 39 the downloads of a profile stay if a child’s profile is chosen during the check', async () => {
  stored = [download(2, 1), download(3, 1), download(4, 1)]
  vi.mocked(askAsset).mockImplementationOnce(async () => {
    watchesAs(9)
    return await Promise.reject(refusal(-404, 404))
  })
  await removeEnded(1)
  expect(keys()).toEqual(['1-2', '1-3', '1-4'])
  // Every further answer would be about the child.
  expect(askAsset).toHaveBeenCalledOnce()
})

test('spec 39 a download stays if the service does not say who is watching', async () => {
  vi.mocked(askAsset).mockRejectedValue(refusal(-404, 404))
  vi.mocked(call).mockRejectedValue(new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: '' }))
  await removeEnded(1)
  expect(keys()).toEqual(['1-2'])
})

test('spec 39 the service is asked about each download once an hour, and only about those of the profile', async () => {
  stored = [download(2, NOW - HOUR - 1), download(3, NOW - HOUR + 60), download(4, 1, { profileId: 9 })]
  await removeEnded(1)
  expect(vi.mocked(askAsset).mock.calls.map(([{ assetId }]) => assetId)).toEqual([2])
  await removeEnded(1)
  expect(askAsset).toHaveBeenCalledOnce()
})

test('spec 39 a clock that was set back is noticed and corrected at once, although the hour is not over', async () => {
  clock.device = NOW - 7200
  stored = [download(2, NOW)]
  await removeEnded(1)
  expect(askAsset).toHaveBeenCalledOnce()
  expect(stored[0]?.times).toMatchObject({ latestAt: NOW, aheadSeconds: 7200 })
})

test('spec 39 the check of a page with an old time writes the time that the service confirms', async () => {
  clock.page = NOW - 3 * DAY
  const firstPlayedAt = NOW - 2 * HOUR
  const { times } = download(2, NOW - 2 * HOUR)
  stored = [download(2, 0, { times: { ...times, firstPlayedAt } })]
  await removeEnded(1)
  expect(stored[0]?.times).toEqual({
    ...times,
    firstPlayedAt,
    latestAt: NOW,
    confirmedAt: NOW,
    aheadSeconds: 0,
  })
})

test('spec 39 nothing is checked while the service does not confirm the time', async () => {
  Object.assign(clock, { page: NOW - 3 * DAY, confirmed: undefined })
  const before = [download(2, NOW), download(3, NOW, { state: 'REMOVING' })]
  stored = before
  await removeEnded(1)
  expect(stored).toEqual([before[0]])
  expect(askAsset).not.toHaveBeenCalled()
})

test('a removal that was interrupted goes on, without a question', async () => {
  stored = [download(2, NOW, { state: 'REMOVING' })]
  await removeEnded(1)
  expect(keys()).toEqual([])
  expect(askAsset).not.toHaveBeenCalled()
})
