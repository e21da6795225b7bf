import type { Category } from '@ondine/contract/entities'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { CategoryNames } from './category-names.tsx'
import { ContentRails } from './content-rails.tsx'
import { railQuery } from './queries.ts'

/** The sub-categories of a category in the configured form (V3-52): pictures, rails, or a list of names. */
export function SubCategories({ categories }: { categories: Category[] }) {
  const { t } = useTranslation()
  const { subCategoryLayout } = useConfiguration().catalogue
  if (categories.length === 0) return null
  switch (subCategoryLayout) {
    case 'rails':
      return <SubCategoryRails categories={categories} />
    case 'list':
      return <CategoryNames categories={categories} label={t('category.sub')} />
    default:
      return (
        <ContentRails
          rails={[
            {
              id: 'sub',
              title: t('category.sub'),
              layout: 'Cover',
              items: categories.map((payload) => ({ type: 'category', payload })),
            },
          ]}
        />
      )
  }
}

function SubCategoryRails({ categories }: { categories: Category[] }) {
  const lists = useQueries({ queries: categories.map(({ idCatalog }) => railQuery(idCatalog)) })
  const rails = categories.map(({ idCatalog, name, detailRoute }, index) => ({
    id: `sub-${idCatalog}`,
    title: name,
    layout: 'Poster' as const,
    items: lists[index]?.data ?? [],
    route: detailRoute,
  }))
  return <ContentRails rails={rails} />
}
