import {
  PUBLICATION_PATH,
  type Publication,
  type PublicationAnswer,
  publicationQuery as questionIn,
} from '@ondine/contract/publication'
import { queryOptions } from '@tanstack/react-query'
import { transport } from '../../../api/call.ts'
import { environment } from '../../../api/environment.ts'
import type { ApiCall } from '../../../api/page-context.ts'
import { sessionQuery } from '../session/session.ts'

const NONE: Publication = { header: [], footer: [] }

/** Menus with their audience: the storefront, the language, and the level of a child's profile. */
interface KnownMenus {
  audience: string
  menus: Publication
}

/** The menus of the last successful call, by audience. On the server, all pages share this cache. */
const lastGood = new Map<string, KnownMenus>()

/**
 * The menus of the storefront in the language of the page (V3-01, V7-33). An error is logged and never breaks the
 * page. The page then shows the menus of the last successful call, or no menus (spec 10).
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
      // If the menus have not changed, returns the previous object, which is serialised once for all pages.
      if (last?.menus === menus) return last
      const known = { audience, menus }
      lastGood.set(audience, known)
      return known
    } catch (error) {
      console.warn('The menus could not be fetched.', error)
      // In the browser, the query contains the menus of the server's page. These menus are used only if the
      // audience has not changed.
      const shown = client.getQueryData<KnownMenus>(queryKey)
      return lastGood.get(audience) ?? (shown?.audience === audience ? shown : { audience, menus: NONE })
    }
  },
  select: ({ menus }) => menus,
})

async function ask(): Promise<Publication> {
  const { language, identityKey } = environment()
  const call: ApiCall = {
    method: 'POST',
    path: PUBLICATION_PATH,
    fields: [['query', questionIn(language)]],
    identityKey,
  }
  const answer = await transport(call, asGraphql)
  const { data }: PublicationAnswer = await answer.json()
  if (!answer.ok || !data) throw new Error('GraphQL request failed')
  return data.publication
}

/** Encodes a GraphQL call. Its bearer token is the API key of the storefront (V7-33). */
function asGraphql({ method, path, fields, identityKey }: ApiCall) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${identityKey}`,
    // This header names the storefront. Native apps add the tokens of the viewer only to calls with this header.
    'x-identity-key': identityKey,
  }
  return { address: path, method, headers, body: JSON.stringify(Object.fromEntries(fields)) }
}
