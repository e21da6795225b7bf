import type { Image, Programme } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { assetQuery } from '../../content/catalogue/queries.ts'

/** The pictures of a stage: a wide picture, and an upright picture for phones. Both are blurred, or none. */
interface StagePictures {
  image: Image | null
  upright: Image | null
  blurred: boolean
}

const NONE: StagePictures = { image: null, upright: null, blurred: false }

/**
 * Returns the pictures to show behind a programme. For a film, these are the pictures of the film, because the
 * programme's picture may contain a title.
 */
export function useStagePicture(programme: Programme | undefined): StagePictures {
  const idAsset = programme?.idAsset ?? null
  const { data, isLoading } = useQuery({ ...assetQuery(idAsset ?? 0), enabled: idAsset !== null })
  if (programme === undefined || isLoading) return NONE
  const film = data?.content.type === 'asset' ? data.content.payload : undefined
  if (film?.backgroundImage == null) {
    return { image: programme.image, upright: null, blurred: programme.isBlurred }
  }
  return { image: film.backgroundImage, upright: film.portraitImage, blurred: film.isBlurred }
}
