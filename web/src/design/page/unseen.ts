import styles from './unseen.module.css'

/** The class of text for screen readers only. It takes no room on the screen. */
export const UNSEEN = styles.unseen
