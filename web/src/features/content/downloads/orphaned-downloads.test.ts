import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import type { Download } from './download.ts'
import { removeOrphans } from './orphaned-downloads.ts'
import { markStored } from './stored-mark.ts'

const NOW = 1_800_000_000
const DAY = 86_400
const ACCOUNT = {
  id: 5,
  firstName: 'Gaspard',
  lastName: '',
  email: '',
  status: 'ACTIVE',
  tokenExpiresAt: NOW + DAY,
  isMultiProfile: true,
} as const

let stored: Download[] = []

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => 1_800_000_000_000 }))
vi.mock('./downloads.ts', () => ({
  removeDownload: async (key: string) => {
    stored = stored.filter((download) => download.key !== key)
  },
}))
vi.mock('./store.ts', () => ({ listDownloads: async () => stored }))
vi.mock('./stored-mark.ts', () => ({ markStored: vi.fn() }))

function download(accountId: number, profileId: number, expiresAt: number): Download {
  return {
    key: `${profileId}-2`,
    accountId,
    profileId,
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
    addedAt: 1,
    times: { expiresAt, playSeconds: DAY, firstPlayedAt: null, latestAt: 1, aheadSeconds: 0 },
  }
}

const keys = () => stored.map(({ key }) => key)

beforeEach(() => {
  vi.mocked(call).mockReset()
  vi.mocked(markStored).mockReset()
  stored = [
    download(5, 1, NOW + DAY),
    download(5, 9, NOW + DAY),
    download(6, 8, NOW - 29 * DAY),
    download(6, 7, NOW - 31 * DAY),
  ]
})

test('A3-33 removes the downloads of a deleted profile, and those that expired 30 days ago', async () => {
  vi.mocked(call).mockResolvedValueOnce([{ id: 1 }])
  await removeOrphans(ACCOUNT)
  expect(keys()).toEqual(['1-2', '8-2'])
  expect(markStored).toHaveBeenCalledExactlyOnceWith(true)
})

test('A3-33 a visitor’s visit removes those that expired 30 days ago, without a call', async () => {
  await removeOrphans(null)
  expect(keys()).toEqual(['1-2', '9-2', '8-2'])
  expect(call).not.toHaveBeenCalled()
})

/** A download that was played 40 days ago, with a licence of a year. Its playing time ended 38 days ago. */
function playedLongAgo(accountId: number, profileId: number): Download {
  const played = download(accountId, profileId, NOW + 325 * DAY)
  return { ...played, times: { ...played.times, playSeconds: 2 * DAY, firstPlayedAt: NOW - 40 * DAY } }
}

test.each([
  ['another account', ACCOUNT, ['6-2']],
  ['a visitor', null, ['5-2', '6-2']],
])('A3-33 the visit of %s keeps downloads whose licences it cannot release', async (_who, account, kept) => {
  stored = [playedLongAgo(5, 5), playedLongAgo(6, 6)]
  vi.mocked(call).mockResolvedValueOnce([{ id: 5 }])
  await removeOrphans(account)
  expect(keys()).toEqual(kept)
})

test('A3-33 without a connection, no profile counts as deleted', async () => {
  vi.mocked(call).mockRejectedValueOnce(new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: '' }))
  await removeOrphans(ACCOUNT)
  expect(keys()).toEqual(['1-2', '9-2', '8-2'])
})

test('A2.2-05 records that nothing is stored any more', async () => {
  stored = []
  await removeOrphans(ACCOUNT)
  expect(markStored).toHaveBeenCalledExactlyOnceWith(false)
})
