import type { Rail as RailContent, RailItem } from '@ondine/contract/catalogue'
import type { Recording } from '@ondine/contract/recordings'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Rail } from '../../../design/rails/rail.tsx'
import { useClock } from '../../../design/time/clock.ts'
import { useHour } from '../../../design/time/use-hour.ts'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { DrawnOnce } from '../../ground/drawn/drawn-once.tsx'
import { Part } from '../../ground/errors/part.tsx'
import { useSession } from '../../ground/session/session.ts'
import { eventInterval, isNewRare } from './asset-tags.ts'
import { ContinueCard } from './continue-card.tsx'
import { ItemCard, itemKey } from './item-card.tsx'
import { isTitle } from './rail-lines.ts'

interface RailProps {
  /** The content of the rail. Its `id` must be unique on the page. */
  rail: Pick<RailContent, 'id' | 'title' | 'layout' | 'items'> &
    Partial<Pick<RailContent, 'kind' | 'titleSize' | 'imageHeight' | 'route'>>
  note?: string
  /** Number of cards that fill the width of the window, as in {@link Rail}. */
  perView?: number
  /** Whether the rail is short and alone in its line of {@link RailLines}. The rail's cards are then larger. */
  isAlone?: boolean
  /** Renders the card of a recording. If omitted, the rail must not contain recordings. */
  renderRecording?: (recording: Recording, layout: CardLayout) => ReactNode
}

/** A rail of a page. Renders nothing without items. If the rail fails, the rest of the page still works. */
export function ContentRail(props: RailProps) {
  const { id, kind, title, layout, titleSize, imageHeight, route, items } = props.rail
  const { drawnAt } = useClock()
  const { account } = useSession()
  const second = items.some(isOnAir) && drawnAt
  return (
    <DrawnOnce
      from={[
        id,
        kind,
        title,
        layout,
        titleSize,
        imageHeight,
        route,
        items,
        props.note,
        props.perView,
        props.isAlone,
        second,
        // The content depends on the status of the account, because a suspended account sees no prices.
        account?.status,
      ]}
    >
      <Part name={title} from={[items]}>
        <Items {...props} />
      </Part>
    </DrawnOnce>
  )
}

/** Returns whether an item's card changes each second. */
function isOnAir(item: RailItem): boolean {
  return item.type === 'channel' || (item.type === 'asset' && eventInterval(item.payload) !== undefined)
}

function Items({ rail, note, perView, isAlone = false, renderRecording }: RailProps) {
  const { t } = useTranslation()
  const now = useHour()
  const { newDays } = useConfiguration().catalogue
  if (rail.items.length === 0) return null
  // Without titles, the cards are covers. Channels and recordings among titles have the layout of the titles.
  const layout = rail.items.some(isTitle) ? cardLayout(rail.layout) : 'Cover'
  const assets = rail.items.flatMap((item) => (item.type === 'asset' ? [item.payload] : []))
  const showNew = isNewRare(assets, now, newDays)
  return (
    <Rail
      name={rail.id}
      title={rail.title}
      note={note}
      layout={layout}
      titleSize={rail.titleSize ?? undefined}
      imageHeight={rail.imageHeight ?? undefined}
      perView={perView}
      few={isAlone ? rail.items.length : undefined}
      more={
        rail.route
          ? { to: rail.route, text: t('rail.all'), label: t('rail.allOf', { title: rail.title }) }
          : undefined
      }
      words={{
        previous: t('rail.previous', { title: rail.title }),
        next: t('rail.next', { title: rail.title }),
      }}
    >
      {rail.items.map((item) => {
        const key = itemKey(item)
        if (item.type === 'recording')
          return <Fragment key={key}>{renderRecording?.(item.payload, layout)}</Fragment>
        return rail.kind === 'continue' && item.type === 'asset' ? (
          <ContinueCard key={key} asset={item.payload} layout={layout} />
        ) : (
          <ItemCard key={key} item={item} layout={layout} showNew={showNew} />
        )
      })}
    </Rail>
  )
}

/**
 * Returns the layout of a rail's cards. Layouts that fill the screen, and layouts of offers, are replaced by
 * `Cover`.
 */
export function cardLayout(layout: RailContent['layout']): CardLayout {
  return CARD_LAYOUTS.find((each) => each === layout) ?? 'Cover'
}

const CARD_LAYOUTS = [
  'Poster',
  'PosterDetail',
  'Cover',
  'Totem',
  'Circle',
  'Inline',
] as const satisfies CardLayout[]
