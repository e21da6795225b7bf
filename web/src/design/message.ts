import styles from './message.module.css'

/** Classes of a page that has one thing to say, in its middle: a heading, a sentence, and ways on. The page gives the size of its heading. */
export const MESSAGE = {
  page: styles.page,
  title: styles.title,
  text: styles.text,
  actions: styles.actions,
}
