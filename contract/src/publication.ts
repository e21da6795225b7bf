import type { Language } from './languages.ts'

/** Where the menus are asked for: GraphQL over POST, with a JSON body and bearer authorisation (V7-33, decision 10). */
export const PUBLICATION_PATH = '/graphql'

/** An entry inside a menu entry (V3-01). `image` is empty when there is none. */
export interface MenuLink {
  id: string
  title: string
  /** Where it leads: a link form, the name of a screen, a path or an address (V2.2). Empty for nowhere. */
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

/** The answer to {@link publicationQuery}, as GraphQL has it. */
export interface PublicationAnswer {
  data?: { publication: Publication } | null
  errors?: { message: string }[]
}

/** What is asked at {@link PUBLICATION_PATH}. It takes no variables (V7-33): the language stands in it. */
export function publicationQuery(language: Language): string {
  const entry = 'title reference image content { id title reference image }'
  return `{ publication(language: "${language}") { header { ${entry} } footer { ${entry} } } }`
}
