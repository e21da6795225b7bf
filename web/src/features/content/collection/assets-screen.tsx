import type { Asset } from '@ondine/contract/entities'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { RowSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { ContentRails } from '../catalogue/content-rails.tsx'
import { HomePosters } from '../catalogue/home-posters.tsx'
import { ItemCard } from '../catalogue/item-card.tsx'
import type { relatedQuery } from '../catalogue/queries.ts'
import type { OtherCards } from './card-section.tsx'
import styles from './favourites-screen.module.css'
import { suggestionsQuery } from './suggestions-query.ts'

/** A screen of titles. Without titles and other cards, a note gives the reason and a next step. */
export function AssetsScreen<Key extends QueryKey>({
  title,
  empty,
  query,
  renderCard,
  others,
}: {
  title: string
  empty: { icon: ReactNode; text: string; to: string; go: string }
  query: UseQueryOptions<Asset[], Error, Asset[], Key>
  /**
   * Renders a title in a grid of covers. If omitted, a title has its usual card, which is wide if the screen has only
   * one or two titles.
   */
  renderCard?: (asset: Asset) => ReactNode
  /** Cards below the titles. */
  others?: OtherCards
}) {
  return (
    <div className={styles.screen}>
      <ScreenTitle>{title}</ScreenTitle>
      <QueryPart name={title} query={query} waiting={<div className={styles.waiting} aria-busy="true" />}>
        {(assets) => {
          if (assets.length === 0)
            return (
              (others === undefined || others.isEmpty) && (
                <>
                  <EmptyNote icon={empty.icon} text={empty.text}>
                    <ButtonLink to={empty.to}>{empty.go}</ButtonLink>
                  </EmptyNote>
                  <div className={styles.suggestions}>
                    <HomePosters />
                  </div>
                </>
              )
            )
          if (renderCard === undefined) return <Titles assets={assets} />
          return (
            <Grid layout="Cover">
              {assets.map((asset) => (
                <Fragment key={asset.idAsset}>{renderCard(asset)}</Fragment>
              ))}
            </Grid>
          )
        }}
      </QueryPart>
      {others?.section}
      <Suggestions of={query} />
    </div>
  )
}

/**
 * A screen with at most this many titles has wide cards, because a few covers would leave half of a large window
 * empty.
 */
const MOST_WIDE = 2

function Titles({ assets }: { assets: readonly Asset[] }) {
  const wide = assets.length <= MOST_WIDE
  const layout = wide ? 'Inline' : 'Cover'
  const cards = (
    <Grid layout={layout}>
      {assets.map((asset) => (
        <ItemCard
          key={asset.idAsset}
          item={{ type: 'asset', payload: asset }}
          layout={layout}
          showNew
          wide={wide}
        />
      ))}
    </Grid>
  )
  return wide ? <div className={styles.wide}>{cards}</div> : cards
}

/**
 * A rail below a few titles, with titles related to the first of them. The rail leaves out the titles of the
 * screen and current rentals. Renders nothing if no title remains.
 */
function Suggestions<Key extends QueryKey>({
  of: titles,
}: {
  of: UseQueryOptions<Asset[], Error, Asset[], Key>
}) {
  const { data: besides = [] } = useQuery(titles)
  const query = suggestionsQuery(besides)
  return query === undefined ? null : <SuggestedTitles query={query} besides={besides} />
}

function SuggestedTitles({
  query,
  besides,
}: {
  query: ReturnType<typeof relatedQuery>
  besides: readonly Asset[]
}) {
  const { t } = useTranslation()
  // Shows the previous suggestions until the new ones arrive, so that the rail does not jump when the first title is
  // removed.
  const { data = [], isPending } = useQuery({ ...query, placeholderData: keepPreviousData })
  const listed = new Set(besides.map(({ detailRoute }) => detailRoute))
  const items = data.filter(
    ({ type, payload }) => !listed.has(payload.detailRoute) && !(type === 'asset' && payload.rental !== null),
  )
  if (!isPending && items.length === 0) return null
  return (
    <div className={styles.suggestions} aria-busy={isPending || undefined}>
      {isPending ? (
        <RowSkeleton posters />
      ) : (
        <ContentRails rails={[{ id: 'suggestions', title: t('search.near'), layout: 'Poster', items }]} />
      )}
    </div>
  )
}
