import { beforeEach, expect, test, vi } from 'vitest'
import { showOnCards } from '../catalogue/card-notes.ts'
import { followDownloads } from './changes.ts'
import { showDownloadsOnCards } from './show-on-cards.ts'

const stored = vi.hoisted(() => ({ downloads: [] as unknown[] }))

vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => ({ t: (key: string) => key }) }))
vi.mock('../catalogue/card-notes.ts', () => ({ showOnCards: vi.fn() }))
vi.mock('./changes.ts', () => ({ followDownloads: vi.fn() }))
vi.mock('./store.ts', () => ({ listDownloads: async () => stored.downloads }))

const download = (profileId: number, assetId: number, state: string, percentDownloaded = 0) => ({
  profileId,
  assetId,
  state,
  downloadProgress: { percentDownloaded },
})
const unfollow = vi.fn()

/** Returns the notes that cards show. */
async function shown(): Promise<unknown[]> {
  await vi.waitFor(() => expect(showOnCards).toHaveBeenCalled())
  return [...(vi.mocked(showOnCards).mock.lastCall?.[0] ?? [])]
}

beforeEach(() => {
  vi.clearAllMocks()
  vi.mocked(followDownloads).mockReturnValue(unfollow)
})

test('A3-33 cards show the running downloads of the active profile only', async () => {
  stored.downloads = [
    download(1, 11, 'DOWNLOADING', 40),
    download(1, 12, 'QUEUED'),
    download(1, 13, 'COMPLETED', 100),
    download(1, 14, 'STOPPED', 10),
    download(2, 15, 'DOWNLOADING', 40),
  ]
  showDownloadsOnCards(1)
  const tag = (state: string) => ({
    tone: 'preparing',
    text: `downloads.button-${state}`,
    label: `downloads.state-${state}`,
  })
  expect(await shown()).toEqual([
    [11, { tags: [tag('DOWNLOADING')], progress: 0.4 }],
    [12, { tags: [tag('QUEUED')], progress: 0 }],
  ])
})

test('A3-33 cards follow the changes of downloads, and forget those of the profile before', async () => {
  stored.downloads = [download(1, 11, 'DOWNLOADING', 40)]
  showDownloadsOnCards(1)
  expect(await shown()).toHaveLength(1)
  vi.mocked(showOnCards).mockClear()
  stored.downloads = [download(1, 11, 'COMPLETED', 100)]
  vi.mocked(followDownloads).mock.lastCall?.[0]()
  expect(await shown()).toEqual([])
  unfollow.mockClear()
  showDownloadsOnCards(null)
  expect(unfollow).toHaveBeenCalledOnce()
})
