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

/** The last menus that came, by storefront, language and what a child may see. On the server they serve all its pages. */
const lastGood = new Map<string, Publication>()

/**
 * The menus of the storefront in the language of the page (V3-01, V7-33). A page never fails for them: when they cannot be
 * had that is logged, and the last good ones are shown, else none (decision 10).
 */
export const menusQuery = queryOptions({
  queryKey: ['publication'] as const,
  queryFn: async ({ client, queryKey }): Promise<Publication> => {
    const { language, identityKey } = environment()
    const watching = client.getQueryData(sessionQuery.queryKey)?.profile
    const key = `${identityKey} ${language} ${watching?.kidProfile && watching.maximumMoralityLevel}`
    try {
      const menus = await ask()
      lastGood.set(key, menus)
      return menus
    } catch (error) {
      console.warn('The menus could not be had.', error)
      // In the browser the page has brought the first ones along.
      return lastGood.get(key) ?? client.getQueryData<Publication>(queryKey) ?? NONE
    }
  },
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
