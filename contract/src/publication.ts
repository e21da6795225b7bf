import type { Language } from './languages.ts'

/** Path for requesting the menus: GraphQL over POST, with a JSON body and bearer authorisation (V7-33, spec 10). */
export const PUBLICATION_PATH = '/graphql'

/** An entry inside an entry of a menu (V3-01). `image` is empty when there is no picture. */
export interface MenuLink {
  id: string
  title: string
  /**
   * Target of the entry: a link form such as `page/contact`, the name of a screen, a path or an address (V2.2). Empty
   * for no target.
   */
  reference: string
  image: string
}

/** An entry of the header or a column of the footer (V3-01). */
export interface MenuEntry {
  title: string
  reference: string
  image: string
  content: MenuLink[]
}

/** The menus of a storefront in one language. */
export interface Publication {
  header: MenuEntry[]
  footer: MenuEntry[]
}

/** The GraphQL answer to {@link publicationQuery}. */
export interface PublicationAnswer {
  data?: { publication: Publication } | null
  errors?: { message: string }[]
}

/**
 * Returns the GraphQL query for {@link PUBLICATION_PATH}. The query contains the language and has no variables
 * (V7-33).
 */
export function publicationQuery(language: Language): string {
  const entry = 'title reference image content { id title reference image }'
  return `{ publication(language: "${language}") { header { ${entry} } footer { ${entry} } } }`
}
