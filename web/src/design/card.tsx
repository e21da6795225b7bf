import { LAYOUT } from '@ondine/contract/constants'
import type { Image } from '@ondine/contract/entities'
import type { KeyboardEvent, ReactNode } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { useLongPress } from 'react-aria/useLongPress'
import styles from './card.module.css'
import { type Airing, useAiring } from './clock.ts'
import { BlurredIcon } from './icons.tsx'
import { type CardLayout, isUpright } from './layouts.ts'
import { BareLink } from './link.tsx'
import type { Interval, LiveState } from './live-state.ts'
import { Picture } from './picture.tsx'
import { Progress } from './progress.tsx'
import { Tag, type TagContent } from './tag.tsx'
import { UNSEEN } from './unseen.ts'

export interface CardContent {
  /** Where it leads: a path of this site, or an address with a scheme, which opens a new window. */
  to: string
  title: string
  /** The title with parts of it marked, where it is shown as text. */
  marked?: ReactNode
  /** The title is a sentence, and takes a second line below a cover. */
  headline?: boolean | undefined
  /** One quiet line under the title. */
  subtitle?: string | undefined
  /** Two or three lines, shown where the layout has room for them. */
  text?: string | undefined
  image: Image | null
  /** Drawn large where there is no picture: what kind of thing it is. */
  kind?: string | undefined
  tags?: TagContent[]
  /** Stands in the corner opposite to the tags, as a channel's name. */
  corner?: ReactNode
  /** Stands over the middle of the picture, and says what a press does. */
  mark?: ReactNode
  /** How much was watched, from 0 to 1. */
  progress?: number | undefined
  /** In which colour: that of what is live, or that of what was begun, which it is when left out. */
  progressTone?: 'live' | 'accent'
  /**
   * When it runs, and what its tag says then. While it is live the tag is red and a line under the picture moves each
   * second; it takes the place of `progress`. A state without a text has no tag.
   */
  airing?: (Interval & { texts: Partial<Record<LiveState, string>> }) | undefined
  /** Says why the picture is blurred; undefined where it is not (V3-09). */
  blurred?: string | undefined
  /** Opens what can be done with it: by a long press of a finger (V9-11), and by the keys for a menu. */
  menu?: ((card: Pick<CardContent, 'to' | 'title' | 'image'>) => void) | undefined
  /** Not to be opened yet, or any more: shown dimmed. */
  dimmed?: boolean | undefined
  /** The picture is no poster with its title in it: an upright card shows the title in every state. */
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

/** Where titles stand beside the picture in every state, because the picture alone does not carry them. */
const CAPTIONED: ReadonlySet<CardLayout> = new Set(['Cover', 'Circle', 'Inline', 'PosterDetail'])
const WITH_TEXT: ReadonlySet<CardLayout> = new Set(['Inline', 'PosterDetail'])

/** One thing to open, drawn in one of the layout kinds of V3-53. Its size comes from the rail or grid around it. */
export function Card({ layout, ...content }: CardContent & { layout: CardLayout }) {
  const { to, title, marked = title, subtitle, text, image, kind, corner, mark, blurred, menu } = content
  const airing = useAiring(content.airing)
  const tags = shownTags(content, airing)
  const progress = shownProgress(content, airing)
  const captioned = CAPTIONED.has(layout)
  // Posters have their titles in the picture, wherever their designers put them: tags stand beside it.
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
      {...useMenuGesture(menu && (() => menu({ to, title, image })))}
      to={to}
      className={`${styles.card} ${styles[layout]}`}
      draggable={false}
      data-dimmed={content.dimmed || airing?.state === 'done' || undefined}
      data-blurred={blurred !== undefined || undefined}
      data-untitled={content.untitled || undefined}
      data-headline={content.headline || undefined}
    >
      <span className={styles.frame}>
        <Blank title={title} kind={kind} captioned={captioned} />
        {image !== null && <Picture image={image} sizes={SIZES[layout]} />}
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

/** The handlers of a link by which `open` is asked for. A mouse keeps the browser's own menu of the link. */
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

/** What stands behind a picture: seen where there is none, and where it did not come. It fills what is around it. */
export function Blank({
  title,
  kind,
  captioned,
}: {
  title: string
  /** Drawn large: what kind of thing it is. */
  kind: string | undefined
  /** Whether the title stands beside it; it is drawn here otherwise. */
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

function shownTags({ tags = [], airing }: CardContent, now: Airing | undefined): TagContent[] {
  const text = now === undefined ? undefined : airing?.texts[now.state]
  if (now === undefined || text === undefined || text === '') return tags
  return [{ tone: now.state === 'live' ? 'live' : 'plain', text }, ...tags]
}

function shownProgress({ progress, progressTone = 'accent' }: CardContent, now: Airing | undefined) {
  if (now?.state === 'live') return { value: now.share, tone: 'live' } as const
  return progress === undefined ? undefined : ({ value: progress, tone: progressTone } as const)
}
