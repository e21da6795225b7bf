import { expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { chooseDownload } from './choose-download.ts'

vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn<() => Promise<unknown>>() } }))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => ({ t: (key: string) => key }) }))
vi.mock('./chosen-files.ts', () => ({ downloadFiles: () => ({ bytesLeft: async () => undefined }) }))

const TITLE = { title: 'La Houle', image: null }
const HIGH = { height: 720, bytes: 2000 }
const LOW = { height: 360, bytes: 1000 }
const languages = { audio: 'fra', subtitle: 'non' }
/** Languages of the viewer. The title has no English subtitles. */
const WANTED = { audio: 'fra', subtitle: 'eng' }
const ONE_LANGUAGE = { languages, availableLanguages: { audio: ['fra'], subtitle: [] } }

test.each([
  ['without video', []],
  ['with one quality and one language', [HIGH]],
])(
  'A4.9-02 a title %s is downloaded without a question, in the languages of the viewer',
  async (_what, qualities) => {
    const choice = await chooseDownload(TITLE, { ...ONE_LANGUAGE, qualities }, WANTED, 'fra')
    expect(choice).toEqual({ height: undefined, languages: WANTED })
    expect(modal.open).not.toHaveBeenCalled()
  },
)

test.each([
  ['two qualities', { ...ONE_LANGUAGE, qualities: [HIGH, LOW] }],
  [
    'two audio languages',
    { languages, qualities: [HIGH], availableLanguages: { audio: ['fra', 'eng'], subtitle: [] } },
  ],
  ['subtitles', { languages, qualities: [], availableLanguages: { audio: ['fra'], subtitle: ['fra'] } }],
])('A4.9-02 A4.9-05 the viewer chooses where a title has %s', async (_what, choices) => {
  const chosen = { height: 360, languages: { audio: 'eng', subtitle: 'fra' } }
  for (const answer of [chosen, null]) {
    vi.mocked(modal.open).mockResolvedValueOnce(answer)
    expect(await chooseDownload(TITLE, choices, WANTED, 'fra')).toEqual(answer)
  }
})

test('A4.9-05 the choice begins with the best quality and with the languages that the title has', async () => {
  const availableLanguages = { audio: ['fra', 'eng'], subtitle: ['eng'] }
  await chooseDownload(TITLE, { qualities: [HIGH, LOW], languages, availableLanguages }, WANTED, 'fra')
  expect(vi.mocked(modal.open).mock.lastCall?.[1]).toMatchObject({
    qualities: [{ height: 720 }, { height: 360 }],
    audio: [
      { id: 'fra', title: 'Français' },
      { id: 'eng', title: 'Anglais' },
    ],
    subtitles: [
      { id: 'non', title: 'downloads.noSubtitles' },
      { id: 'eng', title: 'Anglais' },
    ],
    choice: { height: 720, languages },
  })
})
