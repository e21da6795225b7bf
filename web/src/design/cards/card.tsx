import { LAYOUT } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import type { KeyboardEvent, ReactNode } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { useLongPress } from 'react-aria/useLongPress'
import { BareLink } from '../buttons/link.tsx'
import { BlurredIcon } from '../icons/icons.tsx'
import { UNSEEN } from '../page/unseen.ts'
import { Picture } from '../pictures/picture.tsx'
import { type Airing, useAiring } from '../time/clock.ts'
import type { LiveState, ShowingTimes } from '../time/live-state.ts'
import { type CardLayout, isUpright } from '../tokens/layouts.ts'
import styles from './card.module.css'
import { Progress } from './progress.tsx'
import { Tag, type TagContent } from './tag.tsx'

export interface CardContent {
  /** Target of the link: a path of this site, or an address with a scheme, which opens in a new window. */
  to: string
  title: string
  /** The title with highlighted parts, used where the title is shown as text. */
  marked?: ReactNode
  /** Whether the title is a sentence. Such a title gets a second line below a cover. */
  headline?: boolean | undefined
  /** One line of less prominent text under the title. */
  subtitle?: string | undefined
  /** Text of two or three lines, shown if the layout has room for it. */
  text?: string | undefined
  image: Image | null
  /** The kind of asset. Shown large if there is no picture. */
  kind?: string | undefined
  tags?: readonly TagContent[]
  /** Content for the corner opposite to the tags, such as a channel's name. */
  corner?: ReactNode
  /** Whether an inline card fills a row or half of a row. On a phone, such a card looks like a cover. */
  wide?: boolean | undefined
  /** Icon in the middle of the picture that shows the effect of a press. */
  mark?: ReactNode
  /** Watched fraction of the content, from 0 to 1. */
  progress?: number | undefined
  /** Colour of the progress: `live` for a live programme, `accent` for a title in progress. The default is `accent`. */
  progressTone?: 'live' | 'accent'
  /**
   * The programme's times, and the text of the card's tag for each live state. A state without a text has no tag.
   * While the programme is live, the tag is red, and the progress line shows the elapsed part of the programme, in
   * place of `progress`.
   */
  airing?: (ShowingTimes & { texts: Partial<Record<LiveState, string>> }) | undefined
  /** The reason why the picture is blurred. Undefined for a sharp picture (V3-09). */
  blurred?: string | undefined
  /**
   * Opens the card's menu. Called on a long press by touch (V9-11), and on the keyboard's menu keys. The menu gets no
   * picture that the card shows blurred.
   */
  menu?: ((card: Pick<CardContent, 'to' | 'title' | 'image'>) => void) | undefined
  /** Whether the card is dimmed, because its content is not available yet, or not any more. */
  dimmed?: boolean | undefined
  /**
   * Whether the picture does not contain the title, unlike a poster. An upright card then always shows the title
   * as text.
   */
  untitled?: boolean | undefined
}

const SIZES: Record<CardLayout, string> = {
  Poster: '(min-width: 1600px) 16vw, (min-width: 821px) 200px, 150px',
  PosterDetail: '(min-width: 821px) 190px, 128px',
  Cover: '(min-width: 1600px) 24vw, (min-width: 821px) 296px, 264px',
  Totem: '(min-width: 1600px) 17vw, 220px',
  Circle: '152px',
  Inline: '(min-width: 821px) 240px, 150px',
}

/** Displayed widths of the picture of a wide inline card, for the `sizes` attribute. */
const WIDE_SIZES = '(min-width: 821px) 36vw, (min-width: 600px) 42vw, 100vw'

/** Layouts that always show the title beside the picture, because the picture alone does not identify the asset. */
const CAPTIONED: ReadonlySet<CardLayout> = new Set(['Cover', 'Circle', 'Inline', 'PosterDetail'])
const WITH_TEXT: ReadonlySet<CardLayout> = new Set(['Inline', 'PosterDetail'])

/** A link to one item, drawn in one of the layouts of V3-53. The rail or grid around it sets its size. */
export function Card({ layout, ...content }: CardContent & { layout: CardLayout }) {
  const { to, title, marked = title, subtitle, text, image, kind, corner, mark, blurred, menu } = content
  const airing = useAiring(content.airing)
  const tags = shownTags(content, airing)
  const progress = shownProgress(content, airing)
  const captioned = CAPTIONED.has(layout)
  // A poster contains its title at an unknown position, so the tags are beside the picture.
  const besides = isUpright(layout)
  const notes = tags.length > 0 && (
    <span className={styles.notes}>
      {tags.map((tag) => (
        <Tag key={tag.tone} {...tag} />
      ))}
    </span>
  )
  return (
    <BareLink
      {...useMenuGesture(menu && (() => menu({ to, title, image: blurred === undefined ? image : null })))}
      to={to}
      className={`${styles.card} ${styles[layout]}`}
      draggable={false}
      data-dimmed={content.dimmed || airing?.state === 'done' || undefined}
      data-untitled={content.untitled || undefined}
      data-headline={content.headline || undefined}
      data-wide={content.wide || undefined}
    >
      <span className={styles.frame}>
        <Blank title={title} kind={kind} captioned={captioned} />
        {image !== null && (
          <Picture
            image={image}
            sizes={content.wide === true ? WIDE_SIZES : SIZES[layout]}
            blurred={blurred !== undefined}
          />
        )}
        {mark}
        {blurred !== undefined && (
          <span className={styles.veil}>
            <BlurredIcon />
            <span className={UNSEEN}>{blurred}</span>
          </span>
        )}
        {!besides && (tags.length > 0 || corner !== undefined) && (
          <span className={styles.tags}>
            {tags.map((tag) => (
              <Tag key={tag.tone} {...tag} />
            ))}
            {corner !== undefined && <span className={styles.corner}>{corner}</span>}
          </span>
        )}
        {!captioned && (
          <span className={styles.overlay}>
            <CardText title={marked} subtitle={subtitle} />
            {layout === 'Totem' && notes}
          </span>
        )}
        {progress !== undefined && (
          <span className={styles.progress}>
            <Progress {...progress} />
          </span>
        )}
      </span>
      {captioned && (
        <span className={styles.caption}>
          {besides && notes}
          <CardText title={marked} subtitle={subtitle} />
          {text !== undefined && text !== '' && WITH_TEXT.has(layout) && (
            <span className={styles.text} dir="auto">
              {text}
            </span>
          )}
        </span>
      )}
      {layout === 'Poster' && notes}
    </BareLink>
  )
}

/**
 * Returns event handlers for a link that call `open`. A right click by mouse still opens the browser's context
 * menu.
 */
function useMenuGesture(open: (() => void) | undefined) {
  const { longPressProps } = useLongPress({
    isDisabled: open === undefined,
    pointerType: 'touch',
    threshold: LAYOUT.longPressMs,
    ...(open && { onLongPress: open }),
  })
  if (open === undefined) return {}
  return mergeProps(longPressProps, {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      event.preventDefault()
      open()
    },
  })
}

function CardText({ title, subtitle }: { title: ReactNode; subtitle: string | undefined }) {
  return (
    <>
      <span className={styles.title} dir="auto">
        {title}
      </span>
      {subtitle !== undefined && subtitle !== '' && <span className={styles.subtitle}>{subtitle}</span>}
    </>
  )
}

/** The layer behind a picture. It is visible if the card has no picture, or if the picture does not load. */
export function Blank({
  title,
  kind,
  captioned,
}: {
  title: string
  /** The kind of asset, drawn large. */
  kind: string | undefined
  /** Whether the card shows its title beside the picture. If not, this layer shows the title. */
  captioned: boolean
}) {
  return (
    <span className={styles.blank} aria-hidden="true" data-kind={kind === undefined ? undefined : true}>
      {kind !== undefined && <span className={styles.kind}>{kind}</span>}
      {captioned ? (
        <svg className={styles.blankWave} viewBox="0 0 48 16" focusable="false">
          <path d="M3 10c6-8.6 12-9.4 19.5-4.8S36 9.6 45 1" />
        </svg>
      ) : (
        <span className={styles.blankTitle} dir="auto">
          {title}
        </span>
      )}
    </span>
  )
}

function shownTags({ tags = [], airing }: CardContent, now: Airing | undefined): readonly TagContent[] {
  const text = now === undefined ? undefined : airing?.texts[now.state]
  if (now === undefined || text === undefined || text === '') return tags
  return [{ tone: now.state === 'live' ? 'live' : 'plain', text }, ...tags]
}

function shownProgress({ progress, progressTone = 'accent' }: CardContent, now: Airing | undefined) {
  if (now?.state === 'live') return { value: now.share, tone: 'live' } as const
  return progress === undefined ? undefined : ({ value: progress, tone: progressTone } as const)
}
