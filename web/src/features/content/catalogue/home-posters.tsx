import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { RowSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { useSession } from '../../ground/session/session.ts'
import { ContentRails } from './content-rails.tsx'
import { homeQuery } from './queries.ts'

/** Suggestions need at least this many posters. */
const FEWEST = 4

/**
 * Suggestions for a page that would be empty otherwise: the titles of the first rail of posters on home. Renders
 * nothing if home has no such rail.
 */
export function HomePosters() {
  const { t } = useTranslation()
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data = [], isPending } = useQuery(homeQuery(session, shuffle))
  if (isPending) return <RowSkeleton posters />
  const rail = data.find(({ layout, items }) => layout === 'Poster' && items.length >= FEWEST)
  if (rail === undefined) return null
  const { id, layout, items } = rail
  return <ContentRails rails={[{ id, title: t('search.near'), layout, items }]} />
}
