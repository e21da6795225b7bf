import styles from './message.module.css'

/**
 * CSS classes of a page with one centred message: a heading, a sentence and actions. The page itself sets the size
 * of the heading.
 */
export const MESSAGE = {
  page: styles.page,
  title: styles.title,
  text: styles.text,
  actions: styles.actions,
}
