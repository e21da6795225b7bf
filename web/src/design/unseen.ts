import styles from './unseen.module.css'

/** The class of words that are there for who listens only: they are read out and take no room. */
export const UNSEEN = styles.unseen
