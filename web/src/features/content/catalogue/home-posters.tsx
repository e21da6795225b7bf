import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { RowSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { useSession } from '../../ground/session/session.ts'
import { ContentRails } from './content-rails.tsx'
import { homeQuery } from './queries.ts'

/** Fewer posters are no rail. */
const FEWEST = 4

/** The first rail of posters of home, for the end of a page that would be empty otherwise. Renders nothing if home has none. */
export function HomePosters() {
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data = [], isPending } = useQuery(homeQuery(session, shuffle))
  if (isPending) return <RowSkeleton posters />
  const rail = data.find(({ layout, items }) => layout === 'Poster' && items.length >= FEWEST)
  return rail === undefined ? null : <ContentRails rails={[rail]} />
}
