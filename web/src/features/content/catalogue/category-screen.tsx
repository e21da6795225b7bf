import type { Category } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ScreenHead } from '../../../design/page/screen-head.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { CategoryNames } from './category-names.tsx'
import styles from './category-screen.module.css'
import type { ListWish } from './list-query.ts'
import { SubCategories } from './sub-categories.tsx'

/** The content of a category: its sub-categories, and its titles as a grid of cards. */
export function CategoryScreen({
  title,
  count,
  lead,
  categories = [],
  others = [],
  list,
  children,
}: {
  title: string
  /** The number of titles, in words. */
  count?: string | undefined
  lead?: string | undefined
  categories?: Category[]
  /** Other categories, which are shown below if this category has few titles. */
  others?: Category[]
  list: ListWish
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <div className={styles.screen}>
      <ScreenHead title={title} count={count} lead={lead} />
      <SubCategories categories={categories} />
      <CategoryGrid start={list} besideSubCategories={categories.length > 0} />
      {children}
      {others.length > 0 && (
        <div className={styles.others}>
          <h2>{t('category.others')}</h2>
          <CategoryNames categories={others} label={t('category.others')} />
        </div>
      )}
    </div>
  )
}
