import { LAYOUT } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import { createContext, use, useCallback, useState } from 'react'
import { preload } from 'react-dom'
import styles from './picture.module.css'

/** The heights that pictures are fetched in, in px, the smallest first (V3-50). */
export const ImageHeights = createContext<readonly number[]>(LAYOUT.imageHeights)

/**
 * A picture at the size that the screen needs. Its own mean colour stands there until it has come, and stays when it
 * does not come. It says nothing by itself: the text beside it names what it shows.
 *
 * @param sizes how wide it is shown, as in the `sizes` attribute: for the first picture, and for browsers that do not measure
 *   the others themselves (`auto`)
 * @param upright stands in its place on a phone, and on a tablet that is held upright
 * @param first whether it is the largest thing of the first screen, which is fetched before all else
 */
export function Picture({
  image,
  upright = null,
  sizes,
  first = false,
  className,
  alt = '',
}: {
  image: Image
  upright?: Image | null
  sizes: string
  first?: boolean
  className?: string | undefined
  alt?: string
}) {
  const [missing, setMissing] = useState(false)
  // A picture that failed before the page came alive raises no event any more. One that is not laid out has no width either: decoding tells
  // them apart.
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
      alt={alt}
      src={`${image.url}/${heights[1] ?? heights[0]}`}
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

/** Windows in which an upright picture takes the place of a wide one: phones, and tablets held upright. And all others. */
const UPRIGHT = '(max-width: 600px), (max-width: 999.98px) and (orientation: portrait)'
/** An upright picture fills the width of such a window. */
const UPRIGHT_SIZES = '100vw'
const WIDE = '(min-width: 1000px), (min-width: 600.02px) and (orientation: landscape)'

/** Has the page say in its head that it will show a picture at once, where what shows it is not drawn. */
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
  preload(`${image.url}/${heights[1] ?? heights[0]}`, {
    as: 'image',
    imageSrcSet: candidates(image, heights),
    imageSizes: sizes,
    fetchPriority: 'high',
    ...(media !== undefined && { media }),
  })
}

function candidates(image: Image, heights: readonly number[]): string {
  return heights
    .map((height) => `${image.url}/${height} ${Math.round((height * image.width) / image.height)}w`)
    .join(', ')
}

/** The heights at which a picture is worth asking for: those below its own, and the first that is not. */
function worthwhile(heights: readonly number[], image: Image): readonly number[] {
  return heights.filter((_, index) => index === 0 || (heights[index - 1] ?? 0) < image.height)
}
