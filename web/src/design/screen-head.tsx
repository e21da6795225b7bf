import styles from './screen-head.module.css'

/** The top of a screen that lists things: what they are, how many beside it, and below in a sentence what is to be known of them. */
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
