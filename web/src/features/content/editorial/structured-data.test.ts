import type { EditorialSummary } from '@ondine/contract/editorial'
import type { Block } from '@ondine/contract/rich-text'
import { expect, test } from 'vitest'
import { articlePath } from './article-card.tsx'
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
const SITE = { origin: 'https://ondine.test', name: 'Ondine' }

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
    image: ['https://ondine.test/images/a/1080'],
    author: { name: 'Ada' },
    keywords: 'mer, phare',
  })
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

test('V2.2-15 a page has the path of its slug, an article that of type and slug, other types their own screens', () => {
  expect(articlePath(ARTICLE)).toBe('/read/making-of/lire-la-mer')
  expect(articlePath({ ...ARTICLE, type: 'page', isPage: true, slug: 'help' })).toBe('/help')
  expect(articlePath({ ...ARTICLE, type: 'disciplines', detailRoute: '/disciplines/voile' })).toBe(
    '/disciplines/voile',
  )
})
