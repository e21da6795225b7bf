import type { Item } from '@ondine/contract/entities'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Select } from '../../../design/fields/select.tsx'
import { RowsIcon } from '../../../design/icons/icons.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { useHour } from '../../../design/time/use-hour.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { PartError } from '../../ground/errors/part-error.tsx'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { useSession } from '../../ground/session/session.ts'
import { prefer } from '../../people/profiles/preferences.ts'
import { isNewRare } from './asset-tags.ts'
import styles from './category-screen.module.css'
import { cardLayout } from './content-rail.tsx'
import { ItemCard, itemKey } from './item-card.tsx'
import { ListEnd } from './list-end.tsx'
import { type ListWish, listQuery } from './list-query.ts'
import { rememberSort, SORT_CHOICES } from './sorting.ts'

/**
 * A category's titles as a grid of cards, in the order that the viewer chooses. More titles load as the viewer
 * approaches the end.
 *
 * @param start the parameters of the list with which the page was loaded
 * @param besideSubCategories whether the sub-categories are shown above the grid. The grid then leaves them out,
 * and may be empty.
 */
export function CategoryGrid({
  start,
  besideSubCategories,
}: {
  start: ListWish
  besideSubCategories: boolean
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { profile } = useSession()
  const { catalogue } = useConfiguration()
  const now = useHour()
  const [sort, setSort] = useState(start.sort)
  const [asList, setAsList] = useState(profile?.settings.layoutMode === 'list')
  const query = useInfiniteQuery({
    ...listQuery({ ...start, sort }),
    // The titles stay in the previous order until the new order has arrived.
    placeholderData: keepPreviousData,
  })
  // A failed query has no placeholder. A failure to load more titles is shown at the end of the list.
  const fault = query.data === undefined ? query.error : null
  useEffect(() => reportFault(fault), [fault])
  const items = (query.data?.pages.flat() ?? []).filter((item) => !besideSubCategories || isTitle(item))
  const assets = items.flatMap((item) => (item.type === 'asset' ? [item.payload] : []))
  const showNew = isNewRare(assets, now, catalogue.newDays)
  const usual = cardLayout(catalogue.categoryLayout)
  const layout = asList ? 'Inline' : usual
  // The parts of the list that have loaded so far possibly contain only sub-categories, which the grid leaves out.
  // The next part can still contain titles.
  if (fault === null && items.length === 0 && query.hasNextPage) return <ListEnd query={query} />
  if (fault === null && items.length === 0)
    return besideSubCategories ? null : <p className={styles.empty}>{t('category.empty')}</p>
  return (
    <>
      {besideSubCategories && <h2 className={UNSEEN}>{t('category.all')}</h2>}
      <div className={styles.tools}>
        <Select
          label={t('category.sort')}
          value={SORT_CHOICES.indexOf(sort)}
          options={SORT_CHOICES.map((choice, id) => ({ id, title: t(SORT_WORDS[choice]) }))}
          onChange={(index) => {
            const chosen = SORT_CHOICES[index] ?? 'none'
            setSort(chosen)
            void rememberSort(queries, chosen)
          }}
        />
        {usual !== 'Inline' && (
          <Button
            look="icon"
            className={styles.asList}
            aria-label={t('category.asList')}
            aria-pressed={asList}
            onPress={() => {
              setAsList(!asList)
              if (profile !== null) void prefer(queries, { layoutMode: asList ? 'grid' : 'list' })
            }}
          >
            <RowsIcon />
          </Button>
        )}
      </div>
      {fault === null ? (
        <>
          <Grid
            layout={layout}
            perRow={layout === 'Inline' ? 1 : catalogue.itemsPerRow}
            waiting={query.hasNextPage && !query.isFetchNextPageError ? Number.POSITIVE_INFINITY : 0}
          >
            {items.map((item) => (
              <ItemCard key={itemKey(item)} item={item} layout={layout} showNew={showNew} />
            ))}
          </Grid>
          <ListEnd query={query} />
        </>
      ) : (
        <PartError name="" onRetry={() => void query.refetch()} />
      )}
    </>
  )
}

const SORT_WORDS = {
  none: 'category.sortNone',
  'publication-date': 'category.sortDate',
  ascendant: 'category.sortUp',
  descendant: 'category.sortDown',
  random: 'category.sortRandom',
} as const

/** Returns whether an item is a film, an episode, a series or a season, and not a plain category. */
function isTitle(item: Item): boolean {
  return item.type !== 'category' || item.payload.isSerie || item.payload.isSeason
}
