import type { Item } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../design/clock.ts'
import { isNew } from './asset-tags.ts'
import styles from './category-screen.module.css'
import { ItemCard, itemKey } from './item-card.tsx'

/** Everything in a category, as a wall of posters. */
export function CategoryScreen({
  title,
  synopsis,
  items,
}: {
  title: string
  synopsis: string
  items: Item[]
}) {
  const { t } = useTranslation()
  const now = useNow()
  const showNew = items.some((item) => item.type === 'asset' && !isNew(item.payload, now))
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.note}>
          {items.length === 0
            ? t('category.empty')
            : synopsis || t('category.count', { count: items.length })}
        </p>
      </header>
      <ul className={styles.grid}>
        {items.map((item) => (
          <li key={itemKey(item)}>
            <ItemCard item={item} layout="Poster" showNew={showNew} />
          </li>
        ))}
      </ul>
    </div>
  )
}
