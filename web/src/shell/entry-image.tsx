import { imageAddress } from '@ondine/contract/images'
import { type ReactNode, useState } from 'react'
import { atService } from '../api/at-service.ts'
import { usePlace } from '../words/place.tsx'

/**
 * The image of a menu entry. `image` is an address, or the name of one of the service's icons. The image is
 * decorative. If it does not load, `otherwise` is shown.
 */
export function EntryImage({
  image,
  size,
  className,
  otherwise = null,
}: {
  image: string
  /** Height in px. */
  size: number
  className?: string | undefined
  otherwise?: ReactNode
}) {
  const { language } = usePlace()
  const [missing, setMissing] = useState<string>()
  if (image === '' || image === missing) return otherwise
  return (
    <img
      className={className}
      src={atService(imageAddress({ type: 'icon', objectId: image }, language))}
      alt=""
      height={size}
      loading="lazy"
      onError={() => setMissing(image)}
    />
  )
}
