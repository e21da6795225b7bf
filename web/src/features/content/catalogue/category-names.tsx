import type { Category } from '@ondine/contract/entities'
import { BareLink } from '../../../design/buttons/link.tsx'
import styles from './category-screen.module.css'

/** Categories as text links to their pages. */
export function CategoryNames({ categories, label }: { categories: Category[]; label: string }) {
  return (
    <nav aria-label={label} className={styles.names}>
      {categories.map(({ idCatalog, name, detailRoute }) => (
        <BareLink key={idCatalog} to={detailRoute} className={styles.name}>
          <span dir="auto">{name}</span>
        </BareLink>
      ))}
    </nav>
  )
}
