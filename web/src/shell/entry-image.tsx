import { imageAddress } from '@ondine/contract/images'
import { type ReactNode, useState } from 'react'
import { usePlace } from '../words/place.tsx'

/**
 * The small picture of a menu's entry: an address, or the name of an icon of the service. It says nothing by itself, so
 * that something else stands in for one that cannot be had, or nothing.
 */
export function EntryImage({
  image,
  size,
  className,
  otherwise = null,
}: {
  image: string
  /** Its height, in px. */
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
      src={imageAddress({ type: 'icon', objectId: image }, language)}
      alt=""
      height={size}
      loading="lazy"
      onError={() => setMissing(image)}
    />
  )
}
