import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import * as library from 'react-i18next'
import { expect, test } from 'vitest'
import * as english from '../words/eng.ts'
import * as french from '../words/fra.ts'
import { wordsOf } from '../words/words.ts'
import * as own from './react-i18next.ts'

/** Texts with and without values, of all groups and of one group. */
function Shown({ hooks, title }: { hooks: typeof library; title: string }) {
  const { t, i18n } = hooks.useTranslation()
  const { t: modal } = hooks.useTranslation('modals')
  const texts = [
    t('shell.skip'),
    t('rail.allOf', { title }),
    t('kind.series', { count: title.length }),
    modal('close'),
    i18n.language,
  ]
  return texts.join('|')
}

test('returns in each language the same texts as the library’s own hook, with the current values', () => {
  const drawn = (hooks: typeof library, title: string) =>
    [wordsOf('fra', french), wordsOf('eng', english)].map((words) =>
      renderToString(
        createElement(library.I18nextProvider, { i18n: words }, createElement(Shown, { hooks, title })),
      ),
    )
  for (const title of ['A', 'Be', 'Cé']) expect(drawn(own, title)).toEqual(drawn(library, title))
  expect(new Set([...drawn(own, 'A'), ...drawn(own, 'Be')]).size).toBe(4)
})
