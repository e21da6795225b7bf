import styles from './unseen.module.css'

/** CSS class of text for screen readers only. The text is not visible and uses no space. */
export const UNSEEN = styles.unseen
