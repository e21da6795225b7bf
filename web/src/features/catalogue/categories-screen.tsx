import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Grid } from '../../design/grid.tsx'
import { areFew } from '../../design/layouts.ts'
import styles from './category-screen.module.css'
import { ItemCard } from './item-card.tsx'
import { hierarchyQuery } from './queries.ts'

/** All categories, each by a picture of what stands in it. */
export function CategoriesScreen() {
  const { t } = useTranslation()
  const { data: tree } = useSuspenseQuery(hierarchyQuery)
  const shown = tree.filter(({ isSerie }) => !isSerie)
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title}>{t('category.title')}</h1>
        <p className={styles.note}>{t(shown.length === 0 ? 'category.empty' : 'category.intro')}</p>
      </header>
      {shown.length > 0 && (
        <Grid layout="Cover" few={areFew(shown.length)}>
          {shown.map((payload) => (
            <ItemCard key={payload.idCatalog} item={{ type: 'category', payload }} layout="Cover" />
          ))}
        </Grid>
      )}
    </div>
  )
}
