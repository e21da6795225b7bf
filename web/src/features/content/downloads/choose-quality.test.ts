import { expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { chooseQuality } from './choose-quality.ts'

vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn<() => Promise<number | null>>() } }))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => ({ t: (key: string) => key }) }))
vi.mock('./bytes-left.ts', () => ({ bytesLeft: async () => undefined }))

const TITLE = { title: 'La Houle', image: null }
const HIGH = { height: 720, bytes: 2000 }
const LOW = { height: 360, bytes: 1000 }

test.each([
  ['without video', [], { height: undefined }],
  ['with one quality', [HIGH], { height: 720 }],
] as const)('A4.9-02 a title %s is downloaded without a question', async (_what, qualities, quality) => {
  expect(await chooseQuality(TITLE, qualities, 'fra')).toEqual(quality)
  expect(modal.open).not.toHaveBeenCalled()
})

test.each([
  [1, { height: 360 }],
  [null, null],
])('A4.9-02 the viewer chooses between two qualities: %s', async (chosen, quality) => {
  vi.mocked(modal.open).mockResolvedValueOnce(chosen)
  expect(await chooseQuality(TITLE, [HIGH, LOW], 'fra')).toEqual(quality)
})
