import { TargetLink } from '../features/ground/links/target-link.tsx'
import { LanguageChoice } from '../features/ground/words/language-choice.tsx'
import { EntryImage } from './entry-image.tsx'
import styles from './link-columns.module.css'
import type { MenuItem } from './menu.ts'

/** Columns of links, each with a heading, and the choice of the language. */
export function LinkColumns({ columns }: { columns: readonly MenuItem[] }) {
  return (
    <>
      {columns.map((column) => (
        <nav key={column.key} aria-label={column.title}>
          <h2 className={styles.heading}>
            {column.target === undefined ? (
              column.title
            ) : (
              <TargetLink target={column.target} className={styles.link}>
                {column.title}
              </TargetLink>
            )}
          </h2>
          <ul>
            {column.children.map((link) => (
              <li key={link.key}>
                {link.target !== undefined && (
                  <TargetLink target={link.target} className={styles.link}>
                    <EntryImage image={link.image} size={20} />
                    {link.title}
                  </TargetLink>
                )}
              </li>
            ))}
          </ul>
        </nav>
      ))}
      <LanguageChoice headingClass={styles.heading} />
    </>
  )
}
