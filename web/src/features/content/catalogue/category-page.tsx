import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { areFew } from '../../../design/tokens/layouts.ts'
import { CategoryScreen } from './category-screen.tsx'
import type { ListWish } from './list-query.ts'
import { categoryInTree, hierarchyQuery, plainCategories, titleCount } from './queries.ts'

/**
 * The page of a category: its sub-categories, its titles, and if these are few, the names of other categories.
 *
 * @param children further content below the titles
 */
export function CategoryPage({
  list,
  title,
  synopsis,
  children,
}: {
  list: ListWish & { id: number }
  title: string
  synopsis: string
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const { data: tree } = useSuspenseQuery(hierarchyQuery)
  const category = categoryInTree(tree, list.id)
  const below = plainCategories(category?.categories ?? [])
  const count = category === undefined ? 0 : titleCount(category)
  const others =
    below.length === 0 && areFew(count)
      ? tree.filter(({ idCatalog, isSerie }) => !isSerie && idCatalog !== list.id)
      : []
  return (
    <CategoryScreen
      key={list.id}
      title={title}
      count={count > 0 ? t('category.count', { count }) : undefined}
      lead={synopsis || undefined}
      categories={below}
      others={others}
      list={list}
    >
      {children}
    </CategoryScreen>
  )
}
