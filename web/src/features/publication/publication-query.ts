import {
  PUBLICATION_PATH,
  type Publication,
  type PublicationAnswer,
  publicationQuery as questionIn,
} from '@ondine/contract/publication'
import { queryOptions } from '@tanstack/react-query'
import { transport } from '../../api/call.ts'
import { environment } from '../../api/environment.ts'
import { sessionQuery } from '../accounts/session.ts'

const NONE: Publication = { header: [], footer: [] }

/** Menus, and for whom they are: by storefront, language and what a child may see. */
interface KnownMenus {
  audience: string
  menus: Publication
}

/** The last menus that came, by their audience. On the server they serve all its pages. */
const lastGood = new Map<string, KnownMenus>()

/**
 * The menus of the storefront in the language of the page (V3-01, V7-33). A page never fails for them: when they cannot be
 * had that is logged, and the last good ones are shown, else none (decision 10).
 */
export const menusQuery = queryOptions({
  queryKey: ['publication'] as const,
  queryFn: async ({ client, queryKey }): Promise<KnownMenus> => {
    const { language, identityKey } = environment()
    const watching = client.getQueryData(sessionQuery.queryKey)?.profile
    const level = watching?.kidProfile === true ? watching.maximumMoralityLevel : ''
    const audience = `${identityKey} ${language} ${level}`
    try {
      const menus = await ask()
      const last = lastGood.get(audience)
      // What pages are given alike stays one object, which is written once for them.
      if (last?.menus === menus) return last
      const known = { audience, menus }
      lastGood.set(audience, known)
      return known
    } catch (error) {
      console.warn('The menus could not be had.', error)
      // In the browser the page has brought the first ones along; since then somebody else may watch.
      const shown = client.getQueryData<KnownMenus>(queryKey)
      return lastGood.get(audience) ?? (shown?.audience === audience ? shown : { audience, menus: NONE })
    }
  },
  select: ({ menus }) => menus,
})

async function ask(): Promise<Publication> {
  const { language, identityKey } = environment()
  const answer = await transport(PUBLICATION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${identityKey}` },
    body: JSON.stringify({ query: questionIn(language) }),
  })
  const { data }: PublicationAnswer = await answer.json()
  if (!answer.ok || !data) throw new Error('GraphQL request failed')
  return data.publication
}
