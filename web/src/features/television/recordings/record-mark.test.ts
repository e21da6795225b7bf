import type { Recording } from '@ondine/contract/recordings'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { RecordMark } from './record-mark.tsx'
import { markOf } from './recorded-programmes.ts'

vi.mock('../../../api/query.ts', () => ({ query: () => ({}) }))

test.each([
  ['planned', 'Enregistrement programmé'],
  ['withheld', 'Enregistrement non autorisé'],
  ['recordingPlaying', 'Enregistrement en cours'],
  ['played', 'Enregistré'],
] as const)('A4.2-04 the mark of a programme whose recording is %s says so', (state, text) => {
  const mark = markOf(new Map([[21, { id: 7, state } as Recording]]), { id: 21 })
  if (mark === undefined) throw new Error('The programme has no mark.')
  const html = renderToStaticMarkup(
    createElement(I18nextProvider, { i18n: bundledWords('fra') }, createElement(RecordMark, { state: mark })),
  )
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(text)
})
