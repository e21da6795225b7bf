import type { Category } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/link.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import styles from './category-screen.module.css'
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
      return (
        <nav aria-label={t('category.sub')} className={styles.names}>
          {categories.map(({ idCatalog, name, detailRoute }) => (
            <BareLink key={idCatalog} to={detailRoute} className={styles.name}>
              <span dir="auto">{name}</span>
            </BareLink>
          ))}
        </nav>
      )
    default:
      return (
        <ContentRail
          rail={{
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
        title: category.name,
        layout: 'Poster',
        items: data ?? [],
        route: category.detailRoute,
      }}
    />
  )
}
