import { languageTag } from '@ondine/contract/languages'
import { expect, test } from 'vitest'
import { bundledWords } from './bundled-words.ts'
import * as eng from './eng.ts'
import * as fra from './fra.ts'

/** Returns the names of a text's placeholders. */
function values(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()
}

const TEXTS = Object.entries(fra).flatMap(([group, texts]) =>
  Object.entries(texts).map(
    ([name, text]) => [`${group}.${name}`, text, Reflect.get(Reflect.get(eng, group), name)] as const,
  ),
)

test.each(TEXTS)(
  'V1-14 %s exists in French and English, with the same values in it',
  (_key, french, english) => {
    expect(french).not.toBe('')
    expect(english).toEqual(expect.any(String))
    expect(values(String(english))).toEqual(values(french))
  },
)

test.each([
  ['fra', fra],
  ['eng', eng],
] as const)('V1-14 each plural form of a text is one that the service serves in %s', (language, texts) => {
  const keys = Object.entries(texts).flatMap(([group, named]) =>
    Object.keys(named).map((name) => `${group}.${name}`),
  )
  const forms = new Intl.PluralRules(languageTag(language)).resolvedOptions().pluralCategories
  const lost = keys.filter((key) => {
    const [, path, form] = /^(.+)_(zero|one|two|few|many|other)$/.exec(key) ?? []
    return keys.includes(`${path}_other`) && !forms.some((each) => each === form)
  })
  expect(lost).toEqual([])
})

test('V1-14 fra is French and eng is English', () => {
  expect(bundledWords('fra').language).toBe('fr')
  expect(bundledWords('eng').language).toBe('en')
  expect(bundledWords('fra').t('notFound.title')).toBe('Page introuvable')
  expect(bundledWords('eng').t('notFound.title')).toBe('Page not found')
})

test.each(['fra', 'eng'] as const)(
  'V4-51 what a phone says about a screen begins with a capital in %s',
  (language) => {
    const { t } = bundledWords(language)
    const device = t('cast.screen')
    for (const text of [t('cast.playsOn', { device }), t('cast.failed', { device }), t('cast.lost')])
      expect(text).toMatch(/^\p{Lu}/u)
  },
)

test('A8.3-10 the cart has the texts of the clause', () => {
  const { t } = bundledWords('eng')
  expect([t('cart.noMethod'), t('cart.blockedTitle'), t('cart.noOrder')]).toEqual([
    'No Payment Method Found',
    'Error while Opening Payment Window',
    'No Order To Check',
  ])
})
