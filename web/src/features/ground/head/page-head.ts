import { TEXTS } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import { fittingHeight } from '@ondine/contract/images'

/** Height of the picture of a link preview, in px. */
const OPEN_GRAPH_HEIGHT = 720

/** The metadata of a page for search engines and link previews. */
export interface PageHead {
  title: string
  description: string
  /** Canonical path of the page. */
  path: string
  image?: Image | null | undefined
  kind?: 'website' | 'article' | 'video.movie' | 'video.tv_show' | 'video.episode'
  /** Structured data for search engines (schema.org). */
  data?: object | undefined
  /** Whether search engines must not index the page. */
  unlisted?: boolean
}

/**
 * The texts and the picture for pages that have none, and the origin of the site. The origin is undefined if it is
 * not certain.
 */
export interface HeadDefaults {
  title: string
  description: string
  origin: string | undefined
  /** Address of the picture for pages without one; empty for no picture. */
  image: string
  /** The configured heights of pictures, in px (V3-50). */
  imageHeights: readonly number[]
}

/** Cuts a text after `max` characters and appends ` ...`. Shorter texts are not changed (V9-15). */
export function truncated(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, max).join('').trimEnd()} ...`
}

/**
 * Returns the head of a page. The title has at most 70 characters and the description at most 150. Defaults replace
 * empty texts (V2.4-25).
 */
export function pageHead(page: PageHead, defaults: HeadDefaults) {
  const title = truncated(page.title.trim() || defaults.title, TEXTS.titleMax)
  const description = truncated(page.description.trim() || defaults.description, TEXTS.descriptionMax)
  const { origin } = defaults
  const canonical = origin === undefined ? [] : [origin + page.path]
  const picture =
    page.image == null
      ? defaults.image
      : `${page.image.url}/${fittingHeight(OPEN_GRAPH_HEIGHT, defaults.imageHeights)}`
  const image = completed(picture, origin)
  return {
    meta: [
      { title },
      { name: 'description', content: description },
      { property: 'og:title', content: title },
      { property: 'og:description', content: description },
      { property: 'og:type', content: page.kind ?? 'website' },
      ...canonical.map((content) => ({ property: 'og:url', content })),
      ...image.map((content) => ({ property: 'og:image', content })),
      { name: 'twitter:card', content: image.length === 0 ? 'summary' : 'summary_large_image' },
      ...(page.unlisted === true ? [{ name: 'robots', content: 'noindex' }] : []),
      ...(page.data === undefined ? [] : [{ 'script:ld+json': page.data }]),
    ],
    links: canonical.map((href) => ({ rel: 'canonical', href })),
  }
}

/**
 * Returns the absolute address of a picture in a list. The list is empty without a picture, and for a path if the
 * origin is unknown.
 */
function completed(picture: string, origin: string | undefined): string[] {
  if (!picture.startsWith('/')) return picture === '' ? [] : [picture]
  return origin === undefined ? [] : [origin + picture]
}
