import { LAYOUT } from '@ondine/contract/constants'
import { adultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import type { DownloadChoice } from '../../../modals/modal-kinds.ts'
import { buildAsset } from '../catalogue/asset-builder.ts'
import type { Download } from './download.ts'
import { prepare } from './downloads.ts'
import { NoRoomError } from './failure.ts'
import type { WantedDownload } from './prepare-download.ts'
import { requestSeason } from './request-season.ts'

const LANGUAGES = { audio: 'fra', subtitle: 'non' }
const PROOF = 'proof of the code'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/environment.ts', () => ({ environment: () => ({ language: 'fra' }) }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn(), free: async () => {} } }))
vi.mock('../../../words/fetch-words.ts', () => ({
  // Returns each text with its values, as the viewer reads it.
  pageWords: () => ({ t: (key: string, values = {}) => [key, ...Object.values(values)].join(' ') }),
}))
vi.mock('./downloads.ts', () => ({ prepare: vi.fn<typeof prepare>() }))

beforeEach(() => {
  vi.mocked(prepare).mockImplementation(async ({ choice }) => prepared(choice))
})
afterEach(() => {
  vi.resetAllMocks()
})

const CHOICE = { height: 360, languages: { audio: 'fra', subtitle: 'eng' } }

/** A download that the viewer requested with a choice, and that the service delivered without subtitles. */
function prepared(choice: DownloadChoice = CHOICE): NonNullable<Awaited<ReturnType<typeof prepare>>> {
  // The code under test reads only these fields of a download.
  const download = { height: 360, languages: LANGUAGES } as Download
  return { download, choice }
}

/** Episodes of a season with the titles `1`, `2` and so on. */
function season(count: number): WantedDownload[] {
  const common = {
    subtitle: '',
    account: { id: 5, firstName: 'Anne', lastName: 'Morel' },
    profileId: 1,
    languages: LANGUAGES,
    language: 'fra' as const,
    imageHeights: LAYOUT.imageHeights,
  }
  return Array.from({ length: count }, (_, index) => {
    return { ...common, asset: buildAsset({ idAsset: index + 1, title: String(index + 1) }) }
  })
}

/** Makes the preparation of one episode fail. */
function failAt(title: string, failure: () => Promise<null>): void {
  vi.mocked(prepare).mockImplementation(async ({ asset }) =>
    asset.title === title ? await failure() : prepared(),
  )
}

const refuse =
  (code: number, status = 403) =>
  async () =>
    await Promise.reject(new ApiError({ code, status, message: '' }))

/** Titles of the episodes whose preparation was begun. */
const begun = () => vi.mocked(prepare).mock.calls.map(([{ asset }]) => asset.title)
/** Texts of the messages that the viewer has read. */
const messages = () =>
  vi
    .mocked(modal.open)
    .mock.calls.flatMap(([kind, { description }]) => (kind === 'alert' ? [description] : []))

test('A6-08 a season above the level of the profile asks for the parental code once', async () => {
  vi.mocked(prepare).mockImplementation(async (_wanted, proof) =>
    proof === PROOF ? prepared() : await refuse(-1612)(),
  )
  vi.mocked(call).mockImplementation(async ({ name }) => (name === adultCode.name ? { set: true } : PROOF))
  vi.mocked(modal.open).mockImplementation(async (_kind, props) => {
    if ('check' in props) await props.check?.('2580')
    return null
  })
  await requestSeason(season(3))
  expect(vi.mocked(call).mock.calls.filter(([{ name }]) => name === validateAdultCode.name)).toHaveLength(1)
  expect(begun()).toEqual(['1', '1', '2', '3'])
  expect(messages()).toEqual([])
})

test('all episodes get the quality and the languages that the viewer has chosen for the first one', async () => {
  await requestSeason(season(3))
  const choices = vi.mocked(prepare).mock.calls.map(([{ choice }]) => choice)
  // The first episodes have no subtitles, and the last one can have them.
  expect(choices).toEqual([undefined, CHOICE, CHOICE])
})

test.each([-512, -1605, -404, -1602])(
  'A8.3-14 an episode that the service refuses with %s is named after all others are requested',
  async (code) => {
    failAt('2', refuse(code))
    await requestSeason(season(4))
    expect(begun()).toEqual(['1', '2', '3', '4'])
    expect(messages()).toEqual(['downloads.failed-refused 2'])
  },
)

test('A8.3-14 several refused episodes are named in one message', async () => {
  vi.mocked(prepare).mockImplementation(async ({ asset }) =>
    asset.title === '2' ? prepared() : await refuse(-1605)(),
  )
  await requestSeason(season(3))
  expect(messages()).toEqual(['downloads.failed-several downloads.quoted 1 et downloads.quoted 3'])
})

test.each([
  ['a full device', async () => await Promise.reject(new NoRoomError()), ['downloads.failed-full 2']],
  ['the limit of titles', refuse(-513), ['downloads.failed-titles 2']],
  ['the limit of devices', refuse(-514), ['downloads.failed-devices 2']],
  ['a lost connection', refuse(NO_ANSWER, NO_ANSWER), ['downloads.failed-unknown 2']],
  ['a cancel', async () => null, []],
])('A8.3-14 %s ends the download of a season', async (_what, failure, read) => {
  failAt('2', failure)
  await requestSeason(season(4))
  expect(begun()).toEqual(['1', '2'])
  expect(messages()).toEqual(read)
})
