import type { EditorialSummary, faqData } from '@ondine/contract/editorial'
import { fittingHeight } from '@ondine/contract/images'
import { isLanguage, languageTag } from '@ondine/contract/languages'
import type { OutputOf } from '@ondine/contract/operation'
import { plainText } from '@ondine/contract/plain-text'
import type { Block } from '@ondine/contract/rich-text'
import { type LanguagePrefix, withPrefix } from '../../../api/language-prefix.ts'

/** Height of the picture of an article, in px. */
const PICTURE_HEIGHT = 1080

/** The site that publishes an article. */
interface Site {
  origin: string
  name: string
  /** Prefix of the language in addresses. */
  prefix: LanguagePrefix
  /** The configured heights of pictures, in px (V3-50). */
  imageHeights: readonly number[]
}

/** Returns an article as structured data for search engines (schema.org). */
export function articleData(content: EditorialSummary, { origin, name, prefix, imageHeights }: Site) {
  const height = fittingHeight(PICTURE_HEIGHT, imageHeights)
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: content.title,
    description: content.description,
    inLanguage: isLanguage(content.language) ? languageTag(content.language) : content.language,
    datePublished: new Date(content.creationDate * 1000).toISOString(),
    mainEntityOfPage: origin + withPrefix(content.detailRoute, prefix),
    ...(content.image === null ? {} : { image: [`${origin}${content.image.url}/${height}`] }),
    ...(content.author === '' ? {} : { author: { '@type': 'Person', name: content.author } }),
    ...(content.keywords.length === 0 ? {} : { keywords: content.keywords.join(', ') }),
    publisher: { '@type': 'Organization', name },
  }
}

/** Returns questions and answers as structured data for search engines (schema.org). */
export function faqStructure(groups: OutputOf<typeof faqData>) {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: groups
      .flatMap(({ questions }) => questions)
      .map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer.map(textOf).filter(Boolean).join('\n') },
      })),
  }
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainText(block.content)
    case 'list':
      return block.items.map((item) => `– ${item.map(textOf).join(' ')}`).join('\n')
    case 'quote':
      return block.blocks.map(textOf).join('\n')
    case 'code':
      return block.text
    default:
      return ''
  }
}
