import type { EditorialSummary } from '@ondine/contract/editorial'
import type { Block } from '@ondine/contract/rich-text'
import { expect, test } from 'vitest'
import { NO_PREFIX } from '../../../api/language-prefix.ts'
import { articleData, faqStructure } from './structured-data.ts'

const ARTICLE: EditorialSummary = {
  id: 7,
  title: 'Lire la mer',
  type: 'making-of',
  slug: 'lire-la-mer',
  isPage: false,
  language: 'fra',
  author: '',
  description: 'Une gardienne.',
  keywords: [],
  creationDate: Date.UTC(2026, 0, 12) / 1000,
  detailRoute: '/read/making-of/lire-la-mer',
  image: null,
  imageAlt: '',
  imageCredit: '',
  readingMinutes: 3,
  directMetadata: {},
}
const SITE = {
  origin: 'https://ondine.test',
  name: 'Ondine',
  prefix: NO_PREFIX,
  imageHeights: [240, 444, 900],
}

test('an article has the fields for search engines, and omits unknown ones', () => {
  expect(articleData(ARTICLE, SITE)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: 'Lire la mer',
    description: 'Une gardienne.',
    inLanguage: 'fr',
    datePublished: '2026-01-12T00:00:00.000Z',
    mainEntityOfPage: 'https://ondine.test/read/making-of/lire-la-mer',
    publisher: { '@type': 'Organization', name: 'Ondine' },
  })
  const image = { url: '/images/a', width: 1600, height: 900, color: '#000000' }
  expect(articleData({ ...ARTICLE, image, author: 'Ada', keywords: ['mer', 'phare'] }, SITE)).toMatchObject({
    image: ['https://ondine.test/images/a/900'],
    author: { name: 'Ada' },
    keywords: 'mer, phare',
  })
})

test('V2.3-08 an article names its canonical address, with the language', () => {
  const site = { ...SITE, prefix: { path: '/fr', atRoot: false } }
  expect(articleData(ARTICLE, site).mainEntityOfPage).toBe(
    'https://ondine.test/fr/read/making-of/lire-la-mer',
  )
})

test('questions contain their answers as text', () => {
  const text = (words: string): Block => ({ kind: 'paragraph', content: [{ kind: 'text', text: words }] })
  const answer: Block[] = [
    text('Oui :'),
    { kind: 'list', ordered: false, start: 1, items: [[text('ici')], [text('là')]] },
    { kind: 'card', reference: 'vod_asset/la-houle' },
  ]
  const group = { id: 1, title: 'Regarder', slug: 'watching', language: 'fra', cards: {} }
  expect(
    faqStructure([{ ...group, questions: [{ id: 'ou', question: 'Où ?', answer }] }]).mainEntity,
  ).toEqual([
    {
      '@type': 'Question',
      name: 'Où ?',
      acceptedAnswer: { '@type': 'Answer', text: 'Oui :\n– ici\n– là' },
    },
  ])
})
