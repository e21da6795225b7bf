import { LAYOUT } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import { createContext, use, useCallback, useState } from 'react'
import { preload } from 'react-dom'
import { atService } from '../../api/at-service.ts'
import styles from './picture.module.css'

/** Picture heights that the page may request, in px, in ascending order (V3-50). */
export const ImageHeights = createContext<readonly number[]>(LAYOUT.imageHeights)

/**
 * A picture in the resolution that the screen needs. Its mean colour is visible until the picture arrives, or
 * permanently if loading fails. The picture is decorative: the text beside it names its content.
 *
 * @param sizes displayed width, as in the `sizes` attribute; used for a picture with `first`, and for other
 * pictures in browsers that do not support `sizes="auto"`
 * @param upright replaces `image` on phones and on tablets held upright
 * @param blurred whether the picture is shown blurred (A6-08). The element around it hides what extends beyond it
 * @param first whether this is the largest element of the first screen. Such a picture is fetched with the highest
 * priority
 */
export function Picture({
  image,
  upright = null,
  sizes,
  blurred = false,
  first = false,
  className,
  alt = '',
}: {
  image: Image
  upright?: Image | null
  sizes: string
  blurred?: boolean
  first?: boolean
  className?: string | undefined
  alt?: string
}) {
  const [missing, setMissing] = useState(false)
  // A picture that failed before hydration raises no further event. Its `naturalWidth` is 0, but a picture without
  // layout also has a `naturalWidth` of 0. Only `decode` can tell the two cases apart.
  const look = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete === true && element.naturalWidth === 0 && element.currentSrc !== '')
      element.decode().catch(() => setMissing(true))
  }, [])
  const configured = use(ImageHeights)
  const heights = worthwhile(configured, image)
  const picture = (
    <img
      className={className === undefined ? styles.picture : `${styles.picture} ${className}`}
      style={{ backgroundColor: alt === '' ? image.color : undefined }}
      data-missing={missing || undefined}
      data-blurred={blurred || undefined}
      alt={alt}
      src={atService(`${image.url}/${heights[1] ?? heights[0]}`)}
      srcSet={candidates(image, heights)}
      sizes={first ? sizes : `auto, ${sizes}`}
      width={image.width}
      height={image.height}
      loading={first ? 'eager' : 'lazy'}
      decoding={first ? 'sync' : 'async'}
      fetchPriority={first ? 'high' : 'auto'}
      draggable={false}
      onError={() => setMissing(true)}
      onLoad={() => setMissing(false)}
      ref={look}
    />
  )
  if (upright === null) return picture
  return (
    <picture className={styles.either}>
      <source
        media={UPRIGHT}
        srcSet={candidates(upright, worthwhile(configured, upright))}
        sizes={UPRIGHT_SIZES}
        width={upright.width}
        height={upright.height}
      />
      {picture}
    </picture>
  )
}

/**
 * Windows in which the upright picture replaces the wide picture: phones, and tablets held upright. `WIDE` matches all
 * other windows.
 */
const UPRIGHT = '(max-width: 600px), (max-width: 999.98px) and (orientation: portrait)'
/** An upright picture fills the width of its window. */
const UPRIGHT_SIZES = '100vw'
const WIDE = '(min-width: 1000px), (min-width: 600.02px) and (orientation: landscape)'

/**
 * Adds a preload for a picture to the page's head. The component that shows the picture cannot add it, because the
 * component is not rendered if its part of the page comes from the server's cache.
 */
export function preloadPicture(
  image: Image,
  upright: Image | null,
  sizes: string,
  configured: readonly number[],
): void {
  if (upright !== null) preloadFor(UPRIGHT, upright, UPRIGHT_SIZES, configured)
  preloadFor(upright === null ? undefined : WIDE, image, sizes, configured)
}

function preloadFor(
  media: string | undefined,
  image: Image,
  sizes: string,
  configured: readonly number[],
): void {
  const heights = worthwhile(configured, image)
  preload(atService(`${image.url}/${heights[1] ?? heights[0]}`), {
    as: 'image',
    imageSrcSet: candidates(image, heights),
    imageSizes: sizes,
    fetchPriority: 'high',
    ...(media !== undefined && { media }),
  })
}

function candidates(image: Image, heights: readonly number[]): string {
  const address = atService(image.url)
  return heights
    .map((height) => `${address}/${height} ${Math.round((height * image.width) / image.height)}w`)
    .join(', ')
}

/**
 * Returns the heights to offer to the browser: all heights below the original picture's, and the next larger
 * height.
 */
function worthwhile(heights: readonly number[], image: Image): readonly number[] {
  return heights.filter((_, index) => index === 0 || (heights[index - 1] ?? 0) < image.height)
}
