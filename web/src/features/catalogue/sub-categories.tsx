import type { Category } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { CategoryNames } from './category-names.tsx'
import { ContentRail } from './content-rail.tsx'
import { railQuery } from './queries.ts'

/** The sub-categories of a category, as the operator has them shown (V3-52): by pictures, as rails, or as a list of names. */
export function SubCategories({ categories }: { categories: Category[] }) {
  const { t } = useTranslation()
  const { subCategoryLayout } = useConfiguration().catalogue
  if (categories.length === 0) return null
  switch (subCategoryLayout) {
    case 'rails':
      return categories.map((category) => <SubCategoryRail key={category.idCatalog} category={category} />)
    case 'list':
      return <CategoryNames categories={categories} label={t('category.sub')} />
    default:
      return (
        <ContentRail
          rail={{
            id: 'sub',
            title: t('category.sub'),
            layout: 'Cover',
            items: categories.map((payload) => ({ type: 'category', payload })),
          }}
        />
      )
  }
}

function SubCategoryRail({ category }: { category: Category }) {
  const { data } = useQuery(railQuery(category.idCatalog))
  return (
    <ContentRail
      rail={{
        id: `sub-${category.idCatalog}`,
        title: category.name,
        layout: 'Poster',
        items: data ?? [],
        route: category.detailRoute,
      }}
    />
  )
}
