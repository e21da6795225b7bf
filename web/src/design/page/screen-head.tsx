import styles from './screen-head.module.css'

/** The head of a screen with a list: the title, the number of items beside it, and a sentence below it. */
export function ScreenHead({
  title,
  count,
  lead,
}: {
  title: string
  count?: string | undefined
  lead?: string | undefined
}) {
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {count !== undefined && <p className={styles.count}>{count}</p>}
      </div>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
    </header>
  )
}
