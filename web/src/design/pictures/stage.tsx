import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import type { StageLayout } from '../tokens/layouts.ts'
import { Picture } from './picture.tsx'
import styles from './stage.module.css'

/**
 * Displayed width of a stage's wide picture. In an upright window, the picture is as high as the stage, and its
 * sides are cropped.
 */
export const STAGE_SIZES = '(max-aspect-ratio: 1 / 1) 140vh, 100vw'

/**
 * Number of characters above which a title is long. On a phone, a long title has a smaller font, so that it is not
 * truncated.
 */
const LONG_TITLE = 60

/**
 * The head of a page: a picture that fades into the page, with the page's subject as text (V3-53). With the layout
 * `Hero`, the top of the next section is visible. `FullScreen` fills the window. Without a layout, the stage has
 * the height for a detail page.
 */
export function Stage({
  image,
  upright = null,
  blurred = false,
  eyebrow,
  tone = 'accent',
  title,
  logo,
  layout,
  heading = 'h1',
  aside,
  children,
}: {
  image: Image | null
  /** The picture for phones and for tablets held upright. Defaults to a crop of `image`. */
  upright?: Image | null
  /** Whether the picture is shown blurred (A6-08). */
  blurred?: boolean
  eyebrow: string
  tone?: 'accent' | 'live'
  title: string
  logo: Image | null
  heading?: 'h1' | 'h2'
  layout?: StageLayout | undefined
  /** Content on the side opposite to the text. */
  aside?: ReactNode
  children: ReactNode
}) {
  const Heading = heading
  return (
    <div
      className={styles.stage}
      data-behind-bar="shaded"
      data-layout={layout}
      data-upright={upright !== null || undefined}
    >
      <div className={styles.picture}>
        {image !== null && (
          <Picture
            key={image.url}
            image={image}
            upright={upright}
            sizes={STAGE_SIZES}
            blurred={blurred}
            first
          />
        )}
      </div>
      <div className={styles.content}>
        {eyebrow !== '' && (
          <p className={styles.eyebrow} data-tone={tone}>
            {eyebrow}
          </p>
        )}
        <Heading
          className={styles.title}
          data-long={title.length > LONG_TITLE || undefined}
          style={logo === null ? undefined : { '--ratio': logo.width / logo.height }}
        >
          {logo === null ? (
            <span dir="auto">{title}</span>
          ) : (
            // The key removes the previous title's image at once. Otherwise the browser would show it until the
            // next image has loaded.
            <Picture key={logo.url} image={logo} sizes="520px" first alt={title} className={styles.logo} />
          )}
        </Heading>
        {children}
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
