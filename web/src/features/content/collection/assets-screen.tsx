import type { Asset } from '@ondine/contract/entities'
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { ItemCard } from '../catalogue/item-card.tsx'
import styles from './favourites-screen.module.css'

/** A screen of titles. Without titles, a note gives the reason and a next step. */
export function AssetsScreen<Key extends QueryKey>({
  title,
  empty,
  query,
  renderCard = (asset) => <ItemCard item={{ type: 'asset', payload: asset }} layout="Cover" />,
}: {
  title: string
  empty: { icon: ReactNode; text: string; to: string; go: string }
  query: UseQueryOptions<Asset[], Error, Asset[], Key>
  /** Renders the card of a title. Defaults to the card that other lists show. */
  renderCard?: (asset: Asset) => ReactNode
}) {
  return (
    <div className={styles.screen}>
      <ScreenTitle>{title}</ScreenTitle>
      <QueryPart name={title} query={query} waiting={<div className={styles.waiting} aria-busy="true" />}>
        {(assets) =>
          assets.length === 0 ? (
            <EmptyNote icon={empty.icon} text={empty.text}>
              <ButtonLink to={empty.to}>{empty.go}</ButtonLink>
            </EmptyNote>
          ) : (
            <Grid layout="Cover">
              {assets.map((asset) => (
                <Fragment key={asset.idAsset}>{renderCard(asset)}</Fragment>
              ))}
            </Grid>
          )
        }
      </QueryPart>
    </div>
  )
}
