import { LAYOUT } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import { useState } from 'react'
import styles from './picture.module.css'

/**
 * A picture at the size that the screen needs. Its own mean colour stands there until it has come, and stays when it
 * does not come. It says nothing by itself: the text beside it names what it shows.
 *
 * @param sizes how wide it is shown, as in the `sizes` attribute
 * @param first whether it is the largest thing of the first screen, which is fetched before all else
 */
export function Picture({
  image,
  sizes,
  first = false,
  className,
  alt = '',
}: {
  image: Image
  sizes: string
  first?: boolean
  className?: string | undefined
  alt?: string
}) {
  const [missing, setMissing] = useState(false)
  return (
    <img
      className={className === undefined ? styles.picture : `${styles.picture} ${className}`}
      style={{ backgroundColor: alt === '' ? image.color : undefined }}
      data-missing={missing || undefined}
      alt={alt}
      src={`${image.url}/${heights(image)[1] ?? heights(image)[0]}`}
      srcSet={candidates(image)}
      sizes={sizes}
      width={image.width}
      height={image.height}
      loading={first ? 'eager' : 'lazy'}
      decoding={first ? 'sync' : 'async'}
      fetchPriority={first ? 'high' : 'auto'}
      draggable={false}
      onError={() => setMissing(true)}
      ref={(element) => {
        // A picture that failed before the page came alive raises no event any more.
        if (element?.complete === true && element.naturalWidth === 0 && element.currentSrc !== '')
          setMissing(true)
      }}
    />
  )
}

function candidates(image: Image): string {
  return heights(image)
    .map((height) => `${image.url}/${height} ${Math.round((height * image.width) / image.height)}w`)
    .join(', ')
}

/** The heights at which a picture is worth asking for: those below its own, and the first that is not. */
function heights(image: Image): [number, ...number[]] {
  const [smallest, ...rest] = LAYOUT.imageHeights
  return [smallest, ...rest.filter((_, index) => (LAYOUT.imageHeights[index] ?? 0) < image.height)]
}
