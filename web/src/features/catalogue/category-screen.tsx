import type { Category } from '@ondine/contract/entities'
import { CategoryGrid } from './category-grid.tsx'
import styles from './category-screen.module.css'
import type { ListWish } from './list-query.ts'
import { SubCategories } from './sub-categories.tsx'

/** Everything in a category: its sub-categories, and its titles as a wall of cards. */
export function CategoryScreen({
  title,
  note,
  categories = [],
  list,
}: {
  title: string
  note: string
  categories?: Category[]
  list: ListWish
}) {
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {note !== '' && <p className={styles.note}>{note}</p>}
      </header>
      <SubCategories categories={categories} />
      <CategoryGrid
        // Another category is another list, with its own order.
        key={list.id}
        start={list}
        besideSubCategories={categories.length > 0}
      />
    </div>
  )
}
