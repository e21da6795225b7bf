import type { Image, Programme } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { assetQuery } from '../catalogue/queries.ts'

/** The picture behind a programme: that of its film, since a programme's own may have its title in it. */
export function useStagePicture(programme: Programme | undefined): Image | null {
  const idAsset = programme?.idAsset ?? null
  const { data, isLoading } = useQuery({ ...assetQuery(idAsset ?? 0), enabled: idAsset !== null })
  if (programme === undefined || isLoading) return null
  const background = data?.content.type === 'asset' ? data.content.payload.backgroundImage : null
  return background ?? programme.image
}
